import {
  type LayeredDirectory,
  type LookAtPath,
  type Mount,
  resolvePolicy,
  type SandboxAbilities,
  type SandboxPolicy,
} from './policy.ts';

export type SandboxTools = {
  /** The path of bubblewrap, outside of anything that an agent may write. */
  readonly bwrap: string;
  /** Our user; for root more must be read-only. */
  readonly uid: number;
  readonly look: LookAtPath;
  /** Abilities of this machine, found by a trial. */
  readonly can?: SandboxAbilities;
};

/** The system's `env`, whatever PATH says. */
const env = '/usr/bin/env';

/** Signals that a terminal sends to its foreground group, or that begin a stop. */
const signals = 'HUP,INT,QUIT,TERM,TSTP,TTIN,TTOU,USR1,USR2';

/**
 * A user namespace, even for root: processes outside cannot be traced, nor their memory, files or
 * environment read.
 */
export const isolation: readonly string[] = [
  '--unshare-user',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
];

/**
 * A process namespace, whose first process ends with the command: the kernel then kills whatever
 * the command has left, including `setsid`, `env -i` and double forks. From outside, the daemon
 * sees the same processes with their pids on the host. Without it (in a container that hides parts
 * of /proc) the processes share one namespace.
 */
export const ownProcesses: readonly string[] = [
  '--unshare-pid',
  '--die-with-parent',
  '--proc',
  '/proc',
];

/**
 * Wraps a command so that it runs under a policy. Deliberately absent: `--new-session`, which takes
 * the terminal away; the terminal belongs to the session, so there is no outside shell to type
 * into. Reasons: docs/decisions/0012-sandbox.md and docs/decisions/0021-private-views.md.
 */
export function sandboxed(
  command: {readonly argv: readonly string[]; readonly cwd: string},
  policy: SandboxPolicy,
  {bwrap, uid, look, can}: SandboxTools,
): readonly string[] {
  const {places, pinned} = resolvePolicy(policy, command.cwd, look);
  const layered = can?.layers === true ? (policy.layered ?? []).filter(isMountable) : [];
  return [
    // Bubblewrap stays as the parent and does not handle signals: a Ctrl-C that the program
    // survives would kill it. So it ignores them, and the program gets them with their default
    // action.
    env,
    `--ignore-signal=${signals}`,
    ...layerCommand(layered),
    bwrap,
    ...isolation,
    // Mounting needs a namespace in which we are root; inside we have our own uid again.
    ...(layered.length === 0 ? [] : ['--uid', String(uid), '--gid', String(can?.gid ?? uid)]),
    ...(can?.processes === true ? ownProcesses : []),
    ...(policy.options ?? []),
    // Root could write /proc/sys, and through core_pattern run anything outside. Other users need
    // it for sandboxes of their own.
    ...procOptions(uid, can?.processes === true),
    '--dev',
    '/dev',
    // Below the mounts that cover them: a mount point cannot be renamed, but files can still be
    // moved across it.
    ...pinned.flatMap((name) => ['--ro-bind', name, name]),
    ...(policy.temporary === undefined ? [] : ['--bind', look(policy.temporary).real, '/tmp']),
    ...places.flatMap(mountOptions),
    // After all mounts inside of them.
    ...places.flatMap(({path, as}) => (as === 'hidden-directory' ? ['--remount-ro', path] : [])),
    '--chdir',
    command.cwd,
    '--',
    env,
    `--default-signal=${signals}`,
    ...escapeAssignment(command.argv),
  ];
}

function procOptions(uid: number, isOwn: boolean): readonly string[] {
  if (isOwn) return uid === 0 ? ['--remount-ro', '/proc'] : [];
  return uid === 0 ? [] : ['--bind', '/proc', '/proc'];
}

/**
 * Mounts each pair of options and path, then executes the command. A mount that fails leaves an
 * empty directory, which is as safe.
 */
const mountAll =
  'while [ "$1" != : ]; do /bin/mount -t overlay overlay -o "$1" "$2" 2>/dev/null; shift 2; done; shift; exec "$@"';

function layerCommand(layered: readonly LayeredDirectory[]): readonly string[] {
  if (layered.length === 0) return [];
  const mounts = layered.flatMap(({path, lower, upper, work}) => [
    `userxattr,lowerdir=${lower.join(':')},upperdir=${upper},workdir=${work}`,
    path,
  ]);
  return [
    '/usr/bin/unshare',
    '--user',
    '--map-root-user',
    '--mount',
    '/bin/sh',
    '-c',
    mountAll,
    'sh',
    ...mounts,
    ':',
  ];
}

/** These characters separate options and layers; the kernel's limit is one page. */
function isMountable({lower, upper, work}: LayeredDirectory): boolean {
  const names = [...lower, upper, work];
  return names.every((name) => !/[,:\\\n]/.test(name)) && names.join(':').length < 3800;
}

function mountOptions({path, as, from = path}: Mount): readonly string[] {
  switch (as) {
    case 'writable': {
      return ['--bind', from, path];
    }

    case 'read-only': {
      return ['--ro-bind', from, path];
    }

    case 'hidden-directory': {
      return ['--tmpfs', path];
    }

    // Without device access it cannot even be opened.
    case 'hidden-file': {
      return ['--ro-bind', '/dev/null', path];
    }

    // Readable, so that git sees an empty file.
    case 'empty-file': {
      return ['--dev-bind', '/dev/null', path];
    }
  }
}

/** `env` treats an argument with `=` as a variable. */
function escapeAssignment(argv: readonly string[]): readonly string[] {
  return argv[0]?.includes('=') === true ? ['nice', '-n', '0', ...argv] : argv;
}

/**
 * The command inside of what `sandboxed` returned; any other command unchanged. For display only.
 */
export function unsandboxed(argv: readonly string[]): readonly string[] {
  const isOurs =
    argv[1]?.startsWith('--ignore-signal=') === true && argv.some((word) => word.endsWith('bwrap'));
  const end = isOurs ? argv.indexOf('--') : -1;
  // `--` is followed by `env` and the signals that it resets.
  return end === -1 ? argv : argv.slice(end + 3);
}

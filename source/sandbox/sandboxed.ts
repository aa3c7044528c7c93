import {type Place, placesOf} from './places-of.ts';
import type {LayeredDirectory, LookAtPath, SandboxAbilities, SandboxPolicy} from './policy.ts';

export type SandboxTools = {
  /** Where bubblewrap is, outside of anything that an agent may write. */
  readonly bwrap: string;
  /** Who we are: as root more has to be kept read-only. */
  readonly uid: number;
  readonly look: LookAtPath;
  /** What a trial showed that this machine allows. */
  readonly can?: SandboxAbilities;
};

/** The system's own, whatever PATH says. */
const env = '/usr/bin/env';

/** What a terminal sends to everybody in its foreground, and what a stop begins with. */
const signals = 'HUP,INT,QUIT,TERM,TSTP,TTIN,TTOU,USR1,USR2';

/** A user namespace even for root: from inside, nobody outside can be traced, nor its memory, files or environment read. */
export const isolation: readonly string[] = [
  '--unshare-user',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
];

/**
 * A namespace of processes, whose first process ends with the command: the kernel then ends whatever the command has left,
 * `setsid`, `env -i` and double forks included. From outside, the daemon sees the same processes as before, with their
 * numbers on the host. Without it (a container that hides parts of /proc) everybody shares one.
 */
export const ownProcesses: readonly string[] = [
  '--unshare-pid',
  '--die-with-parent',
  '--proc',
  '/proc',
];

/**
 * The command that runs a command under a policy. Deliberately absent: `--new-session` (it takes the terminal away; the
 * terminal is the session's own, so there is no outside shell to type into). docs/decisions/0012-sandbox.md and
 * docs/decisions/0021-private-views.md have the reasons.
 */
export function sandboxed(
  command: {readonly argv: readonly string[]; readonly cwd: string},
  policy: SandboxPolicy,
  {bwrap, uid, look, can}: SandboxTools,
): readonly string[] {
  const {places, pinned} = placesOf(policy, command.cwd, look);
  const layered = can?.layers === true ? (policy.layered ?? []).filter(isMountable) : [];
  return [
    // Bubblewrap stays as the parent and knows nothing of signals: a Ctrl-C that the program lives through would end it. So
    // it ignores them, and the program gets them as if it were alone.
    env,
    `--ignore-signal=${signals}`,
    ...mountingOf(layered),
    bwrap,
    ...isolation,
    // Mounting takes a namespace in which we are root; inside we are who we are.
    ...(layered.length === 0 ? [] : ['--uid', String(uid), '--gid', String(can?.gid ?? uid)]),
    ...(can?.processes === true ? ownProcesses : []),
    ...(policy.options ?? []),
    // Root could write /proc/sys, and through core_pattern run anything outside. Others need it for sandboxes of their own.
    ...procOf(uid, can?.processes === true),
    '--dev',
    '/dev',
    // Below what covers them: a mount point can't be renamed, and files can still be moved across it.
    ...pinned.flatMap((name) => ['--ro-bind', name, name]),
    ...(policy.temporary === undefined ? [] : ['--bind', look(policy.temporary).real, '/tmp']),
    ...places.flatMap(mountOf),
    // After all that stands inside of them.
    ...places.flatMap(({path, as}) => (as === 'hidden-directory' ? ['--remount-ro', path] : [])),
    '--chdir',
    command.cwd,
    '--',
    env,
    `--default-signal=${signals}`,
    ...plain(command.argv),
  ];
}

function procOf(uid: number, isOwn: boolean): readonly string[] {
  if (isOwn) return uid === 0 ? ['--remount-ro', '/proc'] : [];
  return uid === 0 ? [] : ['--bind', '/proc', '/proc'];
}

/** Mounts each pair of options and path, then becomes the command. One that fails leaves an empty directory, which is as safe. */
const mountAll =
  'while [ "$1" != : ]; do /bin/mount -t overlay overlay -o "$1" "$2" 2>/dev/null; shift 2; done; shift; exec "$@"';

function mountingOf(layered: readonly LayeredDirectory[]): readonly string[] {
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

/** These characters separate options and layers, and the kernel's limit is a page. */
function isMountable({lower, upper, work}: LayeredDirectory): boolean {
  const names = [...lower, upper, work];
  return names.every((name) => !/[,:\\\n]/.test(name)) && names.join(':').length < 3800;
}

function mountOf({path, as, from = path}: Place): readonly string[] {
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

    // Without the leave to use devices it can't even be opened.
    case 'hidden-file': {
      return ['--ro-bind', '/dev/null', path];
    }

    // Can be read, so that git takes it for an empty file.
    case 'empty-file': {
      return ['--dev-bind', '/dev/null', path];
    }
  }
}

/** `env` takes a name with `=` in it for a variable. */
function plain(argv: readonly string[]): readonly string[] {
  return argv[0]?.includes('=') === true ? ['nice', '-n', '0', ...argv] : argv;
}

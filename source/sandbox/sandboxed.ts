import {type Place, placesOf} from './places-of.ts';
import type {LookAtPath, SandboxPolicy} from './policy.ts';

export type SandboxTools = {
  /** Where bubblewrap is, outside of anything that an agent may write. */
  readonly bwrap: string;
  /** Who we are: as root more has to be kept read-only. */
  readonly uid: number;
  readonly look: LookAtPath;
};

/** The system's own, whatever PATH says. */
const env = '/usr/bin/env';

/** What a terminal sends to everybody in its foreground, and what a stop begins with. */
const signals = 'HUP,INT,QUIT,TERM,TSTP,TTIN,TTOU,USR1,USR2';

/** A user namespace even for root: from inside, nobody outside can be traced, nor its memory, files or environment read. */
export const isolation: readonly string[] = ['--unshare-user', '--cap-drop', 'ALL', '--ro-bind', '/', '/'];

/**
 * The command that runs a command under a policy. Deliberately absent: `--die-with-parent` (a session is ended by whoever
 * decides so, not by the death of a keeper), `--new-session` (it takes the terminal away; the terminal is the session's own,
 * so there is no outside shell to type into), a namespace of processes (the daemon asks the kernel about them); one of the
 * network is the project's choice. docs/decisions/0012-sandbox.md has the reasons.
 */
export function sandboxed(command: {readonly argv: readonly string[]; readonly cwd: string}, policy: SandboxPolicy, {bwrap, uid, look}: SandboxTools): readonly string[] {
  const {places, pinned} = placesOf(policy, command.cwd, look);
  return [
    // Bubblewrap stays as the parent and knows nothing of signals: a Ctrl-C that the program lives through would end it. So
    // it ignores them, and the program gets them as if it were alone.
    env, `--ignore-signal=${signals}`, bwrap,
    ...isolation,
    ...(policy.options ?? []),
    // Root could write /proc/sys, and through core_pattern run anything outside. Others need it for sandboxes of their own.
    ...(uid === 0 ? [] : ['--bind', '/proc', '/proc']),
    '--dev', '/dev',
    // Below what covers them: a mount point can't be renamed, and files can still be moved across it.
    ...pinned.flatMap((name) => ['--ro-bind', name, name]),
    ...(policy.temporary === undefined ? [] : ['--bind', look(policy.temporary).real, '/tmp']),
    ...places.flatMap(mountOf),
    // After all that stands inside of them.
    ...places.flatMap(({path, as}) => (as === 'hidden-directory' ? ['--remount-ro', path] : [])),
    '--chdir', command.cwd,
    '--', env, `--default-signal=${signals}`, ...plain(command.argv),
  ];
}

function mountOf({path, as}: Place): readonly string[] {
  switch (as) {
    case 'writable': {
      return ['--bind', path, path];
    }

    case 'read-only': {
      return ['--ro-bind', path, path];
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

import path from 'node:path';
import {toSha256} from '../shared/index.ts';
import type {Environment} from '../shared/index.ts';
import type {Account} from './environment.ts';
import {type DirectoryFacts, inspectDirectory} from './private-directory.ts';

export type Places = {
  /** Holds one directory per repository. */
  readonly stateHome: string;
  /** Directories for sockets, best first. Each leaves space for the longest socket name. */
  readonly runtimeDirectories: readonly string[];
  /** Preferred directories that are left out because a socket path in them would be too long. */
  readonly tooLong: readonly string[];
  readonly repository?: RepositoryPlaces;
};

export type RepositoryPlaces = {
  /** Readable and unique: `my-project-3f9a0c12d4e5`. */
  readonly id: string;
  readonly stateDirectory: string;
  readonly socketName: string;
};

/**
 * Node before 22 silently cuts a longer path and listens somewhere else (libuv #4036), so that two
 * projects can share one socket. The limit is 107 bytes on Linux, 103 on macOS.
 */
export const maxSocketPathBytes = 100;

/** `3f9a0c12d4e5-s99999.sock`: a session's socket has the longest name. */
const maxSocketNameBytes = 24;

/**
 * `repository` is the real path of git's common directory: all worktrees of a repository share it.
 */
export function resolvePlaces({
  env,
  uid,
  homedir,
  repository,
}: Account & {readonly env: Environment; readonly repository?: string | undefined}): Places {
  const stateHome = path.join(
    absolute(env['XDG_STATE_HOME']) ?? path.join(homedir, '.local', 'state'),
    'orchestra',
  );
  const runtimeHome = absolute(env['XDG_RUNTIME_DIR']);
  const candidates = [
    ...(runtimeHome === undefined ? [] : [path.join(runtimeHome, 'orchestra')]),
    path.join(stateHome, 'run'),
    `/tmp/orchestra-${uid}`,
  ];
  return {
    stateHome,
    runtimeDirectories: candidates.filter((directory) => fitsSocketPath(directory)),
    tooLong: candidates.slice(
      0,
      candidates.findIndex((directory) => fitsSocketPath(directory)),
    ),
    ...(repository === undefined ? {} : {repository: placesOfRepository(stateHome, repository)}),
  };
}

export function getSocketPath(runtimeDirectory: string, socketName: string): string {
  const socket = path.join(runtimeDirectory, socketName);
  const bytes = Buffer.byteLength(socket);
  if (bytes > maxSocketPathBytes) {
    throw new Error(
      `Expected a socket path of at most ${maxSocketPathBytes} bytes, got ${bytes}: ` +
        `${socket}. Set XDG_RUNTIME_DIR to a shorter directory of your own.`,
    );
  }

  return socket;
}

/** The XDG specification: a relative path is invalid and to be ignored. */
function absolute(directory: string | undefined): string | undefined {
  return directory !== undefined && path.isAbsolute(directory) ? directory : undefined;
}

function fitsSocketPath(directory: string): boolean {
  return Buffer.byteLength(directory) + 1 + maxSocketNameBytes <= maxSocketPathBytes;
}

function placesOfRepository(stateHome: string, commonDirectory: string): RepositoryPlaces {
  const digest = toSha256(commonDirectory).slice(0, 12);
  const id = `${toSlug(commonDirectory)}-${digest}`;
  return {id, stateDirectory: path.join(stateHome, id), socketName: `${digest}.sock`};
}

/** `/x/My Project/.git` and the bare `/x/My Project.git` are both `my-project`. */
function toSlug(commonDirectory: string): string {
  const name =
    path.basename(commonDirectory) === '.git'
      ? path.basename(path.dirname(commonDirectory))
      : path.basename(commonDirectory, '.git');
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-|-$/g, '');
  return slug === '' ? 'repository' : slug;
}

/**
 * The first directory that can hold sockets. One that is not writable (a read-only home), or that
 * would be made inside another user's directory (XDG_RUNTIME_DIR after `sudo -E`), is skipped. An
 * unsafe one is not skipped but chosen and then rejected, so that nobody can silently redirect us.
 */
export function chooseRuntimeDirectory(
  {runtimeDirectories}: Pick<Places, 'runtimeDirectories'>,
  uid: number,
): {readonly path: string; readonly facts: DirectoryFacts} {
  const inspected = runtimeDirectories.map((path) => ({path, facts: inspectDirectory(path, uid)}));
  const chosen = inspected.find(({facts}) => isWithinReach(facts, uid)) ?? inspected.at(-1);
  if (chosen === undefined) throw new Error('Expected at least one runtime directory, got none.');
  return chosen;
}

function isWithinReach(facts: DirectoryFacts, uid: number): boolean {
  switch (facts.at) {
    case 'missing': {
      return facts.writable === 'yes' && (facts.owner === uid || facts.owner === 0);
    }

    case 'directory': {
      return facts.writable === 'yes' || !facts.isOurs;
    }

    case 'unreachable': {
      return false;
    }

    case 'symlink':
    case 'not-a-directory': {
      return true;
    }
  }
}

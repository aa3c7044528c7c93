import path from 'node:path';
import {sha256Of} from '../base/index.ts';
import type {Environment} from './environment.ts';
import type {Account} from './read-account.ts';

export type Places = {
  /** Holds one directory per repository. */
  readonly stateHome: string;
  /** Where sockets may live, best first. Each leaves room for every socket name of ours. */
  readonly runtimeDirectories: readonly string[];
  /** Would have come before all of those, but a socket path in them would be too long. */
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
 * Node before 22 cuts a longer path off without a word and listens somewhere else (libuv #4036), so that
 * two projects can meet on one socket. Linux ends at 107 bytes, macOS at 103.
 */
export const longestSocketPath = 100;

/** `3f9a0c12d4e5-s99999.sock`: a session's socket has the longest name. */
const longestSocketName = 24;

/** `repository` is the real path of git's common directory: all worktrees of a repository share it. */
export function placesOf({
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
    runtimeDirectories: candidates.filter((directory) => hasRoomForSockets(directory)),
    tooLong: candidates.slice(
      0,
      candidates.findIndex((directory) => hasRoomForSockets(directory)),
    ),
    ...(repository === undefined ? {} : {repository: placesOfRepository(stateHome, repository)}),
  };
}

export function socketPathOf(runtimeDirectory: string, socketName: string): string {
  const socket = path.join(runtimeDirectory, socketName);
  const bytes = Buffer.byteLength(socket);
  if (bytes > longestSocketPath) {
    throw new Error(
      `Expected a socket path of at most ${longestSocketPath} bytes, got ${bytes}: ${socket}. Set XDG_RUNTIME_DIR to a shorter directory of your own.`,
    );
  }

  return socket;
}

/** The XDG specification: a relative path is invalid and to be ignored. */
function absolute(directory: string | undefined): string | undefined {
  return directory !== undefined && path.isAbsolute(directory) ? directory : undefined;
}

function hasRoomForSockets(directory: string): boolean {
  return Buffer.byteLength(directory) + 1 + longestSocketName <= longestSocketPath;
}

function placesOfRepository(stateHome: string, commonDirectory: string): RepositoryPlaces {
  const digest = sha256Of(commonDirectory).slice(0, 12);
  const id = `${slugOf(commonDirectory)}-${digest}`;
  return {id, stateDirectory: path.join(stateHome, id), socketName: `${digest}.sock`};
}

/** `/x/My Project/.git` and the bare `/x/My Project.git` are both `my-project`. */
function slugOf(commonDirectory: string): string {
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

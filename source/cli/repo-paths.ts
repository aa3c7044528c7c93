import {errorText} from '../shared/index.ts';
import {isWithin, tryReadText} from '../files/index.ts';
import {
  type Account,
  chooseRuntimeDirectory,
  findRepository,
  getRealPath,
  getSocketPath,
  readAccount,
  type GitRepository,
  resolvePlaces,
} from '../config/index.ts';
import type {CliContext} from './cli-context.ts';

/** The repository of the command, and the paths of its daemon. */
export type RepoPaths = GitRepository & {
  readonly account: Account;
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  readonly tokenFile: string;
  /** The lock of older daemons: a name that everybody can compute. */
  readonly formerLock: string;
};

/**
 * A command that was used wrongly, or that cannot work here. It is printed as one sentence; exit 2.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Compares the name: each bundle has its own copy of the class (scripts/build.ts), so `instanceof`
 * fails across them.
 */
export function isUsageError(error: unknown): error is UsageError {
  return error instanceof Error && error.name === 'UsageError';
}

/**
 * The repository of the current directory; `undefined` outside of any. Throws inside of orchestra's
 * state, where an agent may have written.
 */
export function repositoryAt({
  cwd,
  env,
}: Pick<CliContext, 'cwd' | 'env'>): GitRepository | undefined {
  const {stateHome} = resolvePlaces({...readAccount(env), env});
  if (isWithin(getRealPath(stateHome), getRealPath(cwd)))
    throw new UsageError(
      `${cwd} is inside orchestra's own state directory. Change to your repository`,
    );
  try {
    return findRepository(cwd, env['PWD']);
  } catch (error) {
    throw new UsageError(errorText(error), {cause: error});
  }
}

export function resolveRepoPaths({cwd, env}: Pick<CliContext, 'cwd' | 'env'>): RepoPaths {
  const repository = repositoryAt({cwd, env});
  if (repository === undefined)
    throw new UsageError(
      `${cwd} is not inside a git repository. Change to one, or make one: git init`,
    );
  const account = readAccount(env);
  const places = resolvePlaces({...account, env, repository: repository.commonDirectory});
  if (places.repository === undefined)
    throw new UsageError('this repository has no directory for its state');
  const {path: runtimeDirectory} = chooseRuntimeDirectory(places, account.uid);
  const socket = getSocketPath(runtimeDirectory, places.repository.socketName);
  return {
    ...repository,
    account,
    runtimeDirectory,
    socket,
    stateDirectory: places.repository.stateDirectory,
    tokenFile: socket.replace(/\.sock$/, '.token'),
    formerLock: `\0orchestra-${account.uid}-${places.repository.id}`,
  };
}

/** The token of the running daemon; empty if there never was one. */
export function readToken({tokenFile}: RepoPaths): string {
  return (tryReadText(tokenFile, {maxBytes: 4096}) ?? '').trim();
}

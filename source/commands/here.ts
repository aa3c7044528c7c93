import path from 'node:path';
import {tryReadText} from '../files/index.ts';
import {
  chooseRuntimeDirectory,
  findRepository,
  placesOf,
  readAccount,
  realPathOf,
  socketPathOf,
  type Account,
  type Repository,
} from '../settings/index.ts';
import type {Surroundings} from './surroundings.ts';

/** Where the command was called, and where the daemon of this repository is found. */
export type Here = Repository & {
  readonly account: Account;
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  readonly tokenFile: string;
  /** What older daemons take as their lock: a name that everybody can compute. */
  readonly formerLock: string;
};

/** Wrong use, or impossible here: told in one sentence, exit 2. */
export class Impossible extends Error {
  override readonly name = 'Impossible';
}

/** The repository that counts where the person stands; nothing outside of any. Throws where an agent could have put what stands there. */
export function repositoryAt({
  cwd,
  env,
}: Pick<Surroundings, 'cwd' | 'env'>): Repository | undefined {
  const {stateHome} = placesOf({...readAccount(env), env});
  if (isInside(realPathOf(stateHome), realPathOf(cwd)))
    throw new Impossible(
      `${cwd} is inside of orchestra's own state, where agents write as well. Go to your repository`,
    );
  try {
    return findRepository(cwd, env['PWD']);
  } catch (error) {
    throw new Impossible(error instanceof Error ? error.message : String(error), {cause: error});
  }
}

function isInside(directory: string, file: string): boolean {
  return file === directory || file.startsWith(`${directory}${path.sep}`);
}

export function findHere({cwd, env}: Pick<Surroundings, 'cwd' | 'env'>): Here {
  const repository = repositoryAt({cwd, env});
  if (repository === undefined)
    throw new Impossible(`${cwd} is not inside a git repository. Go to one, or make one: git init`);
  const account = readAccount(env);
  const places = placesOf({...account, env, repository: repository.commonDirectory});
  if (places.repository === undefined)
    throw new Impossible('this repository has no place for its state');
  const {path: runtimeDirectory} = chooseRuntimeDirectory(places, account.uid);
  const socket = socketPathOf(runtimeDirectory, places.repository.socketName);
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

/** The token of the running daemon; empty when there was never one. */
export function readToken({tokenFile}: Here): string {
  return (tryReadText(tokenFile, {maxBytes: 4096}) ?? '').trim();
}

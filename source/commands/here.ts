import {tryReadText} from '../files/index.ts';
import {chooseRuntimeDirectory, findRepository, placesOf, readAccount, socketPathOf, type Account, type Repository} from '../settings/index.ts';
import type {Surroundings} from './surroundings.ts';

/** Where the command was called, and where the daemon of this repository is found. */
export type Here = Repository & {
  readonly account: Account;
  readonly stateDirectory: string;
  readonly runtimeDirectory: string;
  readonly socket: string;
  readonly tokenFile: string;
  /** Names the lock that makes the daemon the only one for this state. */
  readonly lock: string;
};

/** Wrong use, or impossible here: told in one sentence, exit 2. */
export class Impossible extends Error {
  override readonly name = 'Impossible';
}

export function findHere({cwd, env}: Pick<Surroundings, 'cwd' | 'env'>): Here {
  const repository = findRepository(cwd);
  if (repository === undefined) throw new Impossible(`${cwd} is not inside a git repository. Go to one, or make one: git init`);
  const account = readAccount(env);
  const places = placesOf({...account, env, repository: repository.commonDirectory});
  if (places.repository === undefined) throw new Impossible('this repository has no place for its state');
  const {path: runtimeDirectory} = chooseRuntimeDirectory(places, account.uid);
  const socket = socketPathOf(runtimeDirectory, places.repository.socketName);
  return {
    ...repository, account, runtimeDirectory, socket,
    stateDirectory: places.repository.stateDirectory,
    tokenFile: socket.replace(/\.sock$/, '.token'),
    lock: `\0orchestra-${account.uid}-${places.repository.id}`,
  };
}

/** The token of the running daemon; empty when there was never one. */
export function readToken({tokenFile}: Here): string {
  return (tryReadText(tokenFile, {maxBytes: 4096}) ?? '').trim();
}

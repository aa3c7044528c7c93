import os from 'node:os';
import path from 'node:path';
import type {Environment} from './environment.ts';

/** Whose files these will be. */
export type Account = {
  readonly uid: number;
  readonly homedir: string;
};

export function readAccount(env: Environment): Account {
  const home = env['HOME'];
  return {
    uid: process.geteuid?.() ?? -1,
    homedir: home !== undefined && path.isAbsolute(home) ? home : registeredHome(),
  };
}

function registeredHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    // A uid without an entry in the password file, as containers give them. `/` is what Docker sets for these.
    return '/';
  }
}

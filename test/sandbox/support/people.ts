import path from 'node:path';
import {lchownSync, readdirSync} from 'node:fs';

/** Somebody who runs agents. */
export type Person = {
  readonly name: string;
  readonly uid: number;
  /** What to put before a command so that it is theirs. */
  readonly as: readonly string[];
  /** Hands a tree of files over to them. */
  readonly own: (directory: string) => void;
};

/** A number that nobody has; no account is needed. */
const foreignUid = 42_424;

const uid = process.getuid!();
const self: Person = {
  name: uid === 0 ? 'root' : 'an ordinary user',
  uid,
  as: [],
  own: () => undefined,
};
const ordinaryUser: Person = {
  name: 'an ordinary user',
  uid: foreignUid,
  as: [
    '/usr/bin/setpriv',
    `--reuid=${foreignUid}`,
    `--regid=${foreignUid}`,
    '--clear-groups',
    '--',
  ],
  own: (directory) => {
    for (const file of ['', ...readdirSync(directory, {recursive: true, encoding: 'utf8'})])
      lchownSync(path.join(directory, file), foreignUid, foreignUid);
  },
};

/** Root can be tried only by root, an ordinary user by everybody. */
export const people: readonly Person[] = uid === 0 ? [self, ordinaryUser] : [self];

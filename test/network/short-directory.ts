import os from 'node:os';
import path from 'node:path';
import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
import type {TestContext} from 'node:test';
import type {Person} from '../sandbox/support/people.ts';

/** A directory whose path leaves room for the name of a socket. */
export function makeShortDirectory(t: TestContext, person: Person): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'o-'));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  person.own(directory);
  chmodSync(directory, 0o755);
  return directory;
}

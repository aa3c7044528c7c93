import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {readFileSync, writeFileSync} from 'node:fs';

/** Compares with the file in `goldens/`; `UPDATE_GOLDENS=1` writes it instead. */
export function assertGolden(name: string, actual: string): void {
  const file = path.join(import.meta.dirname, 'goldens', name);
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, actual);
  assert.equal(actual, readFileSync(file, 'utf8'), `${file} differs; UPDATE_GOLDENS=1 rewrites it`);
}

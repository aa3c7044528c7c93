import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {readFileSync, writeFileSync} from 'node:fs';

const goldens = path.join(import.meta.dirname, 'goldens');

export function readGoldenInput(name: string): Buffer {
  return readFileSync(path.join(goldens, name));
}

/** Compares with the file beside the input; `UPDATE_GOLDENS=1` writes it instead. */
export function assertGolden(name: string, actual: string): void {
  const file = path.join(goldens, name);
  if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(file, actual);
  assert.equal(actual, readFileSync(file, 'utf8'), `${file} differs; UPDATE_GOLDENS=1 rewrites it`);
}

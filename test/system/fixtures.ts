import os from 'node:os';
import path from 'node:path';
import {chmodSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import type {TestContext} from 'node:test';

/** Gone when the test is over. */
export function temporaryDirectory(t: TestContext): string {
  const directory = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'orchestra-test-')));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  return directory;
}

/** A tiny shell program. */
export function writeProgram(directory: string, name: string, ...lines: readonly string[]): string {
  const file = path.join(directory, name);
  writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(file, 0o755);
  return file;
}

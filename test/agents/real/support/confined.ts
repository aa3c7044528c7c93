import assert from 'node:assert/strict';
import {existsSync, mkdirSync} from 'node:fs';
import process from 'node:process';
import type {Driver} from '../../../../source/agents/index.ts';
import {lookAtPath} from '../../../../source/machine/index.ts';
import {sandboxed} from '../../../../source/sandbox/index.ts';

export type Confinement = {
  readonly driver: Driver;
  readonly directory: string;
  readonly exchange: string;
  readonly home: string;
  readonly temporary: string;
  readonly mode: string;
  readonly env: Readonly<Record<string, string>>;
};

/** The command in our sandbox, with what its driver says that it needs and nothing else, as the daemon does it: what is sealed and not there is an empty file. */
export function confined(argv: readonly string[], {driver, directory, exchange, home, temporary, mode, env}: Confinement): readonly string[] {
  const bwrap = '/usr/bin/bwrap';
  assert.ok(existsSync(bwrap), 'expected bubblewrap at /usr/bin/bwrap, got nothing. Install the package bubblewrap, then try again.');
  const state = driver.stateDirectories?.(home, env) ?? [];
  const {files, directories, filesIfThere = []} = driver.settings?.(home, env) ?? {files: [], directories: []};
  for (const place of [...state, ...directories, temporary]) mkdirSync(place, {recursive: true});
  const isPlan = mode === 'plan';
  return sandboxed(
    {argv, cwd: directory},
    {kind: isPlan ? 'read-only' : 'worktree', writable: [...(isPlan ? [] : [directory]), exchange, temporary, ...state], hidden: [], readOnly: [...directories, ...filesIfThere], sealed: files, temporary},
    {bwrap, uid: process.getuid?.() ?? 0, look: lookAtPath},
  );
}

import {rmSync} from 'node:fs';
import path from 'node:path';
import type {RunId} from '../domain/index.ts';
import {tryReadText, writeWhole} from '../files/index.ts';
import {readGuard, tamperedPaths, type Guard, type Workspace} from '../workspace/index.ts';
import type {Guards} from './workshop.ts';

/**
 * What in the shared git directory could run a program in our name, as it was when a run began. An agent that changes it
 * is caught before git is called the next time (faults 3.12.4).
 */
export function createGuards({
  directory,
  journal,
  workspace,
}: {
  readonly directory: string;
  readonly journal: string;
  readonly workspace: () => Workspace;
}): Guards {
  const fileOf = (run: RunId): string => path.join(directory, `${journal}-${run}.json`);
  const keep = (run: RunId, now: Guard): void => {
    writeWhole(fileOf(run), JSON.stringify(now), {below: directory});
  };

  return {
    check: async (run) => {
      const before = readKept(fileOf(run));
      const now = await readGuard(workspace());
      if (before !== undefined) return tamperedPaths(before, now);
      keep(run, now);
      return [];
    },
    extend: async (run) => {
      const before = readKept(fileOf(run));
      const now = await readGuard(workspace());
      if (before !== undefined && tamperedPaths(before, now).length === 0) keep(run, now);
    },
    forget: (run) => {
      rmSync(fileOf(run), {force: true});
    },
  };
}

function readKept(file: string): Guard | undefined {
  try {
    return JSON.parse(tryReadText(file, {maxBytes: 64 * 1024 * 1024}) ?? '') as Guard;
  } catch {
    return undefined;
  }
}

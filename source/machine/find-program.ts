import {accessSync, constants, realpathSync, statSync} from 'node:fs';
import path from 'node:path';
import {agentWorktreeIn} from '../domain/index.ts';

export type FoundProgram = {
  readonly file?: string;
  /** Came first on PATH, but stand where anybody who writes to the repository can put them. */
  readonly ignored: readonly string[];
};

export type Search = {
  /** The value of PATH. */
  readonly path: string;
  /** Nothing inside this directory is a program of ours. */
  readonly outside?: string | undefined;
};

/** Never a program that the repository brought along: not from a relative entry of PATH, not through a link. */
export function findProgram(name: string, {path: value, outside}: Search): FoundProgram {
  const ignored: string[] = [];
  for (const directory of absoluteEntries(value)) {
    const file = path.join(directory, name);
    if (!isExecutable(file)) continue;
    if (!isInside(file, outside)) return {file, ignored};
    ignored.push(file);
  }

  return {ignored};
}

/** PATH for the programs that are run: a script that begins with `#!/usr/bin/env node` looks there as well. */
export function trustedPath({path: value, outside}: Search): string {
  return absoluteEntries(value)
    .filter((directory) => !isInside(directory, outside))
    .join(path.delimiter);
}

function absoluteEntries(value: string): string[] {
  return value.split(path.delimiter).filter((entry) => path.isAbsolute(entry));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** As it is written, and as it really is: `/usr/local/bin/x` may be a link into the repository. What an agent can write, in any repository, is never one of ours. */
function isInside(file: string, outside: string | undefined): boolean {
  const names = [file, realPathOf(file)];
  if (names.some((one) => agentWorktreeIn(one) !== undefined)) return true;
  return (
    outside !== undefined &&
    names.some((one) => [outside, realPathOf(outside)].some((other) => contains(other, one)))
  );
}

function contains(directory: string, file: string): boolean {
  const relative = path.relative(directory, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`);
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

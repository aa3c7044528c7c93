import {rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {sha256Of} from '../../base/index.ts';
import type {Check, CheckResult} from '../../domain/index.ts';
import {namesIn, tryReadText, writeWhole} from '../../files/index.ts';
import {z} from 'zod';

/** All that a result on a base depends on: with any of it different, it says nothing. */
export type BaselineCacheKey = {
  readonly tree: string;
  readonly check: Check;
  readonly rules: string;
  readonly environment: string;
  readonly setup: string | undefined;
};

const maxEntries = 300;
const maxBytes = 256 * 1024;

const entry = z.object({
  check: z.object({name: z.string(), command: z.string()}),
  outcome: z.enum(['passed', 'failed']),
  firstFailure: z.string().optional(),
  failures: z.array(z.string()).optional(),
  touched: z.array(z.string()),
});

/** What an earlier run found out about the same thing. What cannot be read, or is of another check, counts as nothing. */
export function recallResult(
  stateDirectory: string,
  key: BaselineCacheKey,
): CheckResult | undefined {
  const text = tryReadText(fileOf(stateDirectory, key), {maxBytes, below: stateDirectory});
  if (text === undefined) return undefined;
  try {
    const {check, outcome, firstFailure, failures, touched} = entry.parse(JSON.parse(text));
    if (check.name !== key.check.name || check.command !== key.check.command) return undefined;
    return {
      check,
      outcome,
      touched,
      ...(firstFailure === undefined ? {} : {firstFailure}),
      ...(failures === undefined ? {} : {failures}),
    };
  } catch {
    return undefined;
  }
}

/** Green and red are kept. What could not be run, or took too long, may be otherwise next time. The oldest go when there are too many. */
export function keepResult(
  stateDirectory: string,
  key: BaselineCacheKey,
  result: CheckResult,
): void {
  if (result.outcome !== 'passed' && result.outcome !== 'failed') return;
  writeWhole(fileOf(stateDirectory, key), JSON.stringify(result), {below: stateDirectory});
  const directory = directoryOf(stateDirectory);
  const names = namesIn(directory, {maxEntries: maxEntries * 10, below: stateDirectory});
  if (names.length <= maxEntries) return;
  const aged = names
    .map((name) => ({
      file: path.join(directory, name),
      at: statSync(path.join(directory, name), {throwIfNoEntry: false})?.mtimeMs ?? 0,
    }))
    .toSorted((a, b) => a.at - b.at);
  for (const {file} of aged.slice(0, names.length - maxEntries)) rmSync(file, {force: true});
}

function directoryOf(stateDirectory: string): string {
  return path.join(stateDirectory, 'baseline');
}

function fileOf(
  stateDirectory: string,
  {tree, check: {name, command}, rules, environment, setup}: BaselineCacheKey,
): string {
  return path.join(
    directoryOf(stateDirectory),
    `${sha256Of(JSON.stringify([tree, name, command, rules, environment, setup ?? null]))}.json`,
  );
}

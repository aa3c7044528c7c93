import path from 'node:path';
import {readdirSync, readFileSync} from 'node:fs';
import {parse} from 'yaml';

/** A run of the past, as the recorder plays it. */
export type PlayedRun = {
  readonly objective: string;
  readonly date: string;
  readonly rootCause: string;
  readonly tasks: readonly PlayedTask[];
  readonly end: 'accept' | 'discard' | 'leave';
};

export type PlayedTask = {
  readonly title: string;
  readonly files: readonly string[];
  /** What the check prints in the first attempt, and in the repair. */
  readonly fails?: string;
  readonly failsAgain?: string;
  readonly report?: object;
  /** A third attempt, which passes. */
  readonly granted?: {readonly date: string; readonly hint: string; readonly report: object};
};

export type LabelledPrompt = {
  readonly objective: string;
  readonly title?: string;
  readonly brief?: string;
  readonly files?: readonly string[];
  readonly useful: readonly string[];
  readonly either?: readonly string[];
};

export const labelledDirectory = import.meta.dirname;

export function readLabelled(repository: string): {
  readonly history: readonly PlayedRun[];
  readonly prompts: readonly LabelledPrompt[];
} {
  return parse(readFileSync(path.join(labelledDirectory, `${repository}.yaml`), 'utf8')) as never;
}

/** The summaries that orchestra wrote when the history was played. */
export function readRecorded(repository: string): {readonly path: string; readonly text: string}[] {
  const directory = path.join(labelledDirectory, repository);
  return readdirSync(directory)
    .toSorted()
    .map((name) => ({
      path: `.orchestra/knowledge/${name}`,
      text: readFileSync(path.join(directory, name), 'utf8'),
    }));
}

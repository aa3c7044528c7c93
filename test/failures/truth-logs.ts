import path from 'node:path';
import {existsSync, readFileSync, readdirSync} from 'node:fs';
import type {FirstFailure} from '../../source/failures/index.ts';

/** What a careful engineer names as the first failure of a log, written before a reader saw it. */
export type Truth = {
  /** The name of the failing test or item, without the names around it. */
  readonly test?: string;
  /** Parts of the assertion or the error, as they stand in the log. */
  readonly messages: readonly string[];
  /** Any of them is right: `file:line`, or `file` where the log has no line. None: no place. */
  readonly places: readonly string[];
  /** What makes the log hard to read. */
  readonly kinds: readonly string[];
};

export type TruthLog = {
  readonly tool: string;
  readonly name: string;
  readonly log: string;
  readonly truth: Truth;
};

export type Half = 'goldens' | 'held-out';

export function truthLogs(half: Half): TruthLog[] {
  const folder = path.join(import.meta.dirname, half);
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.truth'))
    .toSorted()
    .map((file) => ({
      tool: path.dirname(file),
      name: file.replace(/\.truth$/, ''),
      log: readLog(path.join(folder, file.replace(/\.truth$/, '.log'))),
      truth: parseTruth(readFileSync(path.join(folder, file), 'utf8')),
    }));
}

/** Lines `key: value`; `message`, `place` and `kind` may come more than once. */
export function parseTruth(text: string): Truth {
  const lines = [...text.matchAll(/^(\w+): (.+)$/gm)];
  const values = (key: string): string[] =>
    lines.filter(([, name]) => name === key).map(([, , value = '']) => value.trim());
  const [test] = values('test');
  return {
    ...(test !== undefined && {test}),
    messages: values('message'),
    places: values('place'),
    kinds: values('kind'),
  };
}

export type Verdict = {
  readonly hasTest: boolean;
  readonly hasMessage: boolean;
  readonly hasPlace: boolean;
  /** All three. */
  readonly isWhole: boolean;
};

/** How much of the truth a reading has. Spaces count as one: readers may fold lines. */
export function judgeReading(truth: Truth, failure: FirstFailure): Verdict {
  const text = folded([failure.test ?? '', failure.message, failure.text].join('\n'));
  const hasTest = truth.test === undefined || text.includes(folded(truth.test));
  const hasMessage = truth.messages.every((message) => text.includes(folded(message)));
  const place = [failure.file, failure.line].filter((part) => part !== undefined).join(':');
  const hasPlace =
    truth.places.length === 0
      ? failure.file === undefined
      : truth.places.some((wanted) => isSamePlace(wanted, place, failure.file));
  return {hasTest, hasMessage, hasPlace, isWhole: hasTest && hasMessage && hasPlace};
}

/** A truth without a line accepts any line of that file: where a tool has none, a reader may not. */
function isSamePlace(wanted: string, place: string, file: string | undefined): boolean {
  return /:\d+$/.test(wanted) ? place === wanted : file === wanted;
}

export function folded(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function readLog(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing: each .truth stands beside a .log`);
  return readFileSync(file, 'utf8');
}

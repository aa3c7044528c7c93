import type {Tooth} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {readGlob, splitGlobs} from '../read-glob.ts';
import {type Lint, lint} from './lint.ts';
import {readPattern} from './read-pattern.ts';

export type ToothReading = {readonly tooth?: Tooth; readonly problems: readonly Lint[]};

export const toothKinds = [
  'protect',
  'only',
  'forbid-path',
  'max-files',
  'max-lines',
  'forbid',
  'require',
] as const satisfies readonly Tooth['kind'][];

export function isToothKind(word: string): word is Tooth['kind'] {
  return (toothKinds as readonly string[]).includes(word);
}

/** Reads what stands after `protect:` and its like. A tooth that cannot be read is no tooth, and a problem. */
export function readTooth(kind: Tooth['kind'], value: string, line: number): ToothReading {
  switch (kind) {
    case 'protect':
    case 'only':
    case 'forbid-path':
      return readGlobs(kind, value, line);
    case 'max-files':
    case 'max-lines':
      return readNumber(kind, value, line);
    case 'forbid':
      return readForbidden(value, line);
    case 'require':
      return {tooth: {kind, command: value}, problems: []};
  }
}

function readGlobs(
  kind: 'protect' | 'only' | 'forbid-path',
  value: string,
  line: number,
): ToothReading {
  const globs: string[] = [];
  const problems: Lint[] = [];
  for (const text of splitGlobs(value)) {
    const reading = readGlob(text);
    if ('glob' in reading) globs.push(reading.glob);
    else
      problems.push(
        lint('bad-glob', line, `In \`${kind}:\` the glob "${excerpt(text)}" ${reading.refused}`),
      );
  }

  return globs.length === 0 ? {problems} : {tooth: {kind, globs}, problems};
}

function readNumber(kind: 'max-files' | 'max-lines', value: string, line: number): ToothReading {
  if (/^[1-9]\d{0,6}$/.test(value)) return {tooth: {kind, most: Number(value)}, problems: []};
  return {
    problems: [
      lint(
        'bad-number',
        line,
        `Expected a whole number from 1 to 9999999 after \`${kind}:\`, got "${excerpt(value)}". Write, for example, \`${kind}: 8\`.`,
      ),
    ],
  };
}

function readForbidden(value: string, line: number): ToothReading {
  const reading = readPattern(value);
  if ('refused' in reading)
    return {
      problems: [lint(reading.name, line, `The pattern ${excerpt(value)} ${reading.refused}`)],
    };
  return {tooth: {kind: 'forbid', pattern: reading.pattern, flags: reading.flags}, problems: []};
}

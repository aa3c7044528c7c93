import {hasWildcard, shortName} from '../shared/index.ts';
import {modelNamePattern, parsePlanPath} from '../plan/index.ts';
import type {TextParseResult, TextsExpected} from './fields.ts';
import {
  type AcceptWay,
  acceptWays,
  type Project,
  type SignMode,
  type WorkerMode,
} from '../domain/index.ts';

/** One of a few words, or a name: what it is, for messages, and which it may be. */
export type WordExpected<Word extends string> = {
  readonly expectation: string;
  readonly isMeant: (word: string) => word is Word;
};

/** Git-ignored files that are copied into every worktree. */
export const copyTexts: TextsExpected = {
  what: 'a path or a glob',
  max: 50,
  parse: parseProjectGlob,
};

/** Files that a check writes. */
export const reportTexts: TextsExpected = {
  what: 'a path or a glob',
  max: 10,
  parse: parseProjectGlob,
};

/** Environment variables; a name may end in `*`. */
export const environmentTexts: TextsExpected = {
  what: 'the name of a variable',
  max: 100,
  parse: parseVariable,
};

/** A path that may be copied obeys the rules for a path that a task may change. */
function parseProjectGlob(text: string): TextParseResult {
  const parsed = parsePlanPath(text);
  return 'path' in parsed ? {text: parsed.path} : parsed;
}

/** A folder of the checkout that every worktree gets a copy of. */
export function parseFolder(text: string): TextParseResult {
  const parsed = parseProjectGlob(text);
  if ('rejected' in parsed) return parsed;
  return hasWildcard(parsed.text)
    ? {rejected: 'has wildcards; name the folder itself.'}
    : {text: parsed.text.replace(/\/$/, '')};
}

function parseVariable(text: string): TextParseResult {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,99}\*?$/.test(text)) return {text};
  return {
    rejected:
      'is not the name of a variable; write letters, digits and "_", without "$" and without a value.',
  };
}

export const agentName: WordExpected<string> = {
  expectation: 'the name of an agent (small letters, digits and "-", at most 40)',
  isMeant: (word): word is string => shortName.test(word),
};

export const modelName: WordExpected<string> = {
  expectation: 'the name of a model (letters, digits and . : / @ _ -)',
  isMeant: (word): word is string => modelNamePattern.test(word),
};

export const sandboxMode: WordExpected<NonNullable<Project['sandbox']>> = {
  expectation: 'auto, required or off',
  isMeant: (word) => word === 'auto' || word === 'required' || word === 'off',
};

/**
 * A prefix that git accepts on every system: no dots, no capitals, nothing special to a shell or a
 * file system.
 */
export const branchPrefix: WordExpected<string> = {
  expectation:
    'what branches begin with, like orchestra or team/orchestra (small letters, digits ' +
    'and "-", at most 40, up to three of them)',
  isMeant: (word): word is string => {
    const names = word.split('/');
    return names.length <= 3 && names.every((name) => shortName.test(name));
  },
};

export const expectedAcceptWay: WordExpected<AcceptWay> = {
  expectation: acceptWays.join(', ').replace(/, (?=[^,]*$)/, ' or '),
  isMeant: (word): word is AcceptWay => (acceptWays as readonly string[]).includes(word),
};

export const signMode: WordExpected<SignMode> = {
  expectation: 'accept or never',
  isMeant: (word) => word === 'accept' || word === 'never',
};

export const workerMode: WordExpected<WorkerMode> = {
  expectation: 'interactive or headless',
  isMeant: (word) => word === 'interactive' || word === 'headless',
};

import {z} from 'zod';
import {excerpt, hasHiddenCharacters} from '../shared/index.ts';
import {parsePlanPath} from '../plan/index.ts';
import {booleanSchema, commandSchema, expectedGot} from '../project-config/index.ts';
import {hasAnswer} from './playbook.ts';

// The schemas of what stands after the name of a step. Messages continue after the path of the
// value: "tasks.t1[0].ask.options: …".

const textExpected = {
  error: ({input}: {readonly input?: unknown}) =>
    expectedGot(
      'a text',
      input,
      input === '' || typeof input === 'object' ? 'Write it.' : 'Put it in quotes.',
    ),
};

/** Any text, including an empty one. */
const anyText = z.string(textExpected);

export const nonEmptyText = anyText.min(1, textExpected);

const line = nonEmptyText
  .trim()
  .refine((text) => text !== '' && !/[\n\t]/.test(text) && !hasHiddenCharacters(text), {
    error: 'expected one line without control or hidden characters, got another text. Change it.',
  });

/** One file, by the same rules as the files of a plan. */
export const filePath = nonEmptyText.transform((text, context) => {
  const parsed = parseFilePath(text);
  if ('path' in parsed) return parsed.path;
  context.addIssue(`"${excerpt(text)}" ${parsed.rejected}`);
  return z.NEVER;
});

function parseFilePath(text: string): ReturnType<typeof parsePlanPath> {
  if (text.endsWith('/')) return {rejected: 'is a folder; name a file.'};
  return hasAnswer(text)
    ? {rejected: 'has ${answer} in it, which is not filled in in paths; write the path itself.'}
    : parsePlanPath(text);
}

export const replaceFields = z
  .object({path: filePath, find: nonEmptyText, with: anyText})
  .refine((step) => step.find !== step.with, {
    error: 'expected two texts that differ, got the same twice. Change one.',
  });

export const writeFields = z.object({path: filePath, text: anyText});

export const appendFields = z.object({path: filePath, text: nonEmptyText});

export const runFields = z.object({command: commandSchema, mayFail: booleanSchema.optional()});

const maxOptions = 20;
const optionsExpected = {
  error: ({input}: {readonly input?: unknown}) => {
    const expectation = `a list of 2 to ${maxOptions} answers`;
    return Array.isArray(input)
      ? `expected ${expectation}, got ${input.length} of them. Change it.`
      : expectedGot(expectation, input);
  },
};

export const question = line;

/** A question with the accepted answers. */
export const askFields = z.object({
  question: line,
  options: z
    .array(line, optionsExpected)
    .min(2, optionsExpected)
    .max(maxOptions, optionsExpected)
    .refine((options) => new Set(options).size === options.length, {
      error: 'expected answers that differ, got one twice. Leave one out.',
    })
    .optional(),
});

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
]);
const maxMilliseconds = 60 * 60_000;

/** `300ms`, `2s`, `1m`, as milliseconds. */
export const duration = z.unknown().transform((input, context) => {
  const {amount, unit = ''} =
    /^(?<amount>\d{1,7})(?<unit>ms|s|m)$/.exec(typeof input === 'string' ? input : '')?.groups ??
    {};
  const milliseconds = Number(amount) * (units.get(unit) ?? Number.NaN);
  if (milliseconds >= 1 && milliseconds <= maxMilliseconds) return milliseconds;
  context.addIssue(expectedGot('a time like 300ms, 2s or 1m, from 1ms to 60m', input));
  return z.NEVER;
});

const maxMembers = 50;
const membersExpected = {
  error: ({input}: {readonly input?: unknown}) => {
    const expectation = `a list of at most ${maxMembers}`;
    return Array.isArray(input)
      ? `expected ${expectation}, got ${input.length} of them. Change it.`
      : expectedGot(expectation, input);
  },
};

/** The agent's part of the task's summary. */
export const reportFields = z.object({
  rootCause: nonEmptyText.exactOptional(),
  decisions: z
    .array(nonEmptyText, membersExpected)
    .max(maxMembers, membersExpected)
    .exactOptional(),
  rejected: z
    .array(
      z.strictObject(
        {alternative: nonEmptyText, reason: nonEmptyText},
        {error: ({input}) => expectedGot('the fields alternative, reason', input)},
      ),
      membersExpected,
    )
    .max(maxMembers, membersExpected)
    .exactOptional(),
});

const maxTokens = 1_000_000_000;
const maxCost = 1_000_000;
const countExpected = {
  error: ({input}: {readonly input?: unknown}) =>
    expectedGot(`a whole number from 0 to ${maxTokens}`, input),
};
const costExpected = {
  error: ({input}: {readonly input?: unknown}) =>
    expectedGot(`dollars from 0 to ${maxCost}, like 0.19`, input),
};
const tokenCount = z.int(countExpected).min(0, countExpected).max(maxTokens, countExpected);

/** Tokens in and out, and the cost in dollars. */
export const useFields = z.object({
  input: tokenCount,
  output: tokenCount,
  cost: z.number(costExpected).min(0, costExpected).max(maxCost, costExpected).optional(),
});

import {z} from 'zod';
import {excerpt, hasHiddenCharacters} from '../shared/index.ts';
import type {WordExpected} from './allowed-values.ts';
import {
  findCommandFault,
  parseItems,
  parseLogPattern,
  type ReportProblem,
  type TextParseResult,
  type TextsExpected,
  withConsequence,
} from './fields.ts';
import type {YamlValue} from '../syntax/index.ts';
import {describeInput, expectedGot, parseWithSchema} from './parse-with-schema.ts';

// Messages continue after the path of the value: "services.web.port: …".

/** A shell command on one line. */
export const commandSchema = z
  .string({
    error: ({input}) =>
      expectedGot('a command', input, 'Write what you would type in a shell, as one text.'),
  })
  .trim()
  .superRefine((command, context) => {
    const fault = findCommandFault(command);
    if (fault !== undefined) context.addIssue(`the command "${excerpt(command)}" ${fault}`);
  });

export type NumberRange = {readonly least: number; readonly most: number};

/** A whole number, or `off`, which counts as 0, where that is allowed. */
export function numberSchema(
  {least, most}: NumberRange,
  {mayBeOff = false}: {readonly mayBeOff?: boolean} = {},
): z.ZodType<number> {
  const expectation = `${mayBeOff ? '"off" or ' : ''}a whole number from ${least} to ${most}`;
  const error = ({input}: {readonly input?: unknown}): string =>
    expectedGot(
      expectation,
      input,
      typeof input === 'string' ? 'Write digits, without quotes.' : 'Change it.',
    );
  const number = z.int({error}).min(least, {error}).max(most, {error});
  return mayBeOff ? z.union([z.literal('off').transform(() => 0), number], {error}) : number;
}

/** One of a few words, or a name. */
export function wordSchema<Word extends string>({
  expectation,
  isMeant,
}: WordExpected<Word>): z.ZodType<Word> {
  return z.custom<Word>((input) => typeof input === 'string' && isMeant(input), {
    error: ({input}) => expectedGot(expectation, input),
  });
}

/** `true`, `on` or `yes`; `false`, `off` or `no`. */
export const booleanSchema = z.union(
  [
    z.boolean(),
    z.enum(['on', 'yes', 'true']).transform(() => true),
    z.enum(['off', 'no', 'false']).transform(() => false),
  ],
  {error: ({input}) => expectedGot('true or false', input)},
);

/** A text that a parser turns into the one that counts, or rejects with the end of a sentence. */
export function textSchema(
  expectation: string,
  parse: (text: string) => TextParseResult,
): z.ZodType<string> {
  return z
    .string({error: ({input}) => expectedGot(expectation, input)})
    .transform((text, context) => {
      const parsed = parse(text);
      if ('text' in parsed) return parsed.text;
      context.addIssue(`"${excerpt(text)}" ${parsed.rejected}`);
      return z.NEVER;
    });
}

/** A regular expression for single lines of a log. */
export const logPatternSchema = z
  .string({
    error: ({input}) => expectedGot('a regular expression', input, 'Put it in single quotes.'),
  })
  .transform((text, context) => {
    const parsed = parseLogPattern(text);
    if ('pattern' in parsed) return parsed.pattern;
    context.addIssue(`the pattern "${excerpt(text)}" ${parsed.rejected}`);
    return z.NEVER;
  });

/** One argument of a program. */
const argumentSchema = z
  .string({
    error: ({input}) => expectedGot('a text', input, 'Put it in quotes; "{prompt}" as well.'),
  })
  .refine(
    (text) => text.length <= maxCharacters && !/[\n\t]/.test(text) && !hasHiddenCharacters(text),
    {
      error: ({input}) =>
        expectedGot(
          `one line of at most ${maxCharacters} characters without control or hidden ones`,
          input,
        ),
    },
  );

const maxArguments = 64;
const maxCharacters = 2000;

/** A program and its arguments, as a list that no shell parses. */
export function programSchema(example: string): z.ZodType<string[]> {
  const error = ({input}: {readonly input?: unknown}): string => {
    const got = Array.isArray(input) ? `${input.length} of them` : describeInput(input);
    return (
      `expected a program and its arguments, as a list like ${example}, at most ` +
      `${maxArguments}, got ${got}. Change it.`
    );
  };
  return z.array(argumentSchema, {error}).min(1, {error}).max(maxArguments, {error});
}

/** The address of a tool server. */
export const urlSchema = z.unknown().transform((input, context) => {
  const url = typeof input === 'string' && input.length <= 500 ? URL.parse(input) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url.href;
  context.addIssue(
    expectedGot('an address like https://host/mcp, without a name and a password in it', input),
  );
  return z.NEVER;
});

/**
 * A path that may follow `http://localhost:3000` without changing the host: no `//host`, no
 * backslash (which a URL parser takes for a slash), no blank.
 */
const httpPath = /^\/(?![/\\])[!"$-[\]-~]{0,499}$/;

/** The path that a service answers when it is ready. */
export const httpPathSchema = wordSchema({
  expectation:
    'a path like "/health" (it begins with one "/", printable ASCII, no blank, "\\" or "#", at most 500 characters)',
  isMeant: (text): text is string => httpPath.test(text),
});

/** A list of texts, or a single one. Invalid and repeated ones are left out. */
export function parseTexts(
  value: YamlValue,
  path: string,
  {what, max, parse}: TextsExpected,
  report: ReportProblem,
): string[] | undefined {
  const schema = textSchema(what, parse);
  const leaveOut = withConsequence('it is left out', report);
  const texts = parseItems(value, path, {example: '[a, b]', max}, report)?.flatMap(
    ({item, path: place}) => parseWithSchema(schema, item, place, leaveOut) ?? [],
  );
  return texts && [...new Set(texts)];
}

import path from 'node:path';
import {z} from 'zod';
import {type ClientMessage, maxGivenFiles, type Question} from '../../../protocol/index.ts';

/**
 * A schema for each field, so that the compiler reports one that is missing. Other fields of a
 * message are dropped.
 */
export type SchemaFields<T> = {readonly [Key in keyof T]-?: z.ZodType};

/**
 * Reads only the named fields, so that no name in a message, not even `__proto__`, can have an
 * effect.
 */
export function objectOf<T>(fields: SchemaFields<T>): z.ZodObject {
  return z.object({...fields});
}

/** In characters. Longer texts are limited by the frame size and by `maxCommandCharacters`. */
const maxName = 200;

const hasNoNul = (text: string): boolean => !text.includes('\0');

export const text = z.string();
/** Ids and names; whether they exist is checked later. */
export const name = z.string().max(maxName).refine(hasNoNul, 'expected no NUL character');
export const argument = z.string().refine(hasNoNul, 'expected no NUL character');
export const directory = argument.refine(
  (value) => path.isAbsolute(value),
  'expected an absolute path',
);
export const number = z.number();
export const count = z.int().nonnegative();
export const positive = z.int().positive();
export const flag = z.boolean();
export const optionalSchema = <T extends z.ZodType>(schema: T): z.ZodOptional<T> =>
  schema.optional();

/** A terminal may report no size or an impossible one; both count as none. */
const extent = z.int().min(1).max(0xff_ff);
export const size = objectOf<{readonly columns: number; readonly rows: number}>({
  columns: extent,
  rows: extent,
})
  .optional()
  .catch(undefined);

/** Rejects names that no program could get; `__proto__` is dropped. */
export const environment = z.record(z.string().regex(/^[^=\0]+$/), argument);

const maxDepth = 64;

/** Any value, but not so deep that walking it overflows the stack. */
export const anything = z
  .unknown()
  .refine((value) => isShallow(value), `expected at most ${maxDepth} levels`);

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return false;
    level = level.flatMap((one): unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }

  return true;
}

/**
 * One sentence: where the problem is and what was expected. The value itself is not quoted: it may
 * be anything, of any length.
 */
export function describeIssue(what: string, error: z.ZodError): string {
  const [issue] = error.issues;
  const where =
    issue === undefined || issue.path.length === 0
      ? what
      : `${issue.path.map(String).join('.')} of ${what}`;
  return `expected ${where} to be well-formed: ${(issue?.message ?? 'it is not').replace(/^Invalid input: /, '')}`.slice(
    0,
    500,
  );
}

type QuestionFields = {
  readonly [About in Question['about']]: SchemaFields<
    Omit<Extract<Question, {readonly about: About}>, 'about'>
  >;
};

const maxSessions = 10_000;
/** Unchanged lines around a change: with so many, nearly every file is whole. */
const maxDiffContext = 100_000;
const session = {session: name};
const subject = {of: name};

const questionFields: QuestionFields = {
  // `validateCommand` checks the command itself.
  wish: {wish: z.unknown(), env: optionalSchema(environment), size},
  state: {},
  sessions: {},
  explain: session,
  usage: {sessions: z.array(name).max(maxSessions)},
  ticket: {...session, size, own: optionalSchema(flag), read: optionalSchema(flag)},
  services: {},
  facts: {},
  daemon: {},
  explanation: subject,
  diff: {
    ...subject,
    context: optionalSchema(count.max(maxDiffContext)),
    against: optionalSchema(name),
  },
  timeline: {run: optionalSchema(name), limit: optionalSchema(positive), all: optionalSchema(flag)},
  brief: {since: optionalSchema(number), stay: optionalSchema(flag)},
  seen: {},
  recall: {words: text.max(10_000), files: z.array(text.max(4096)).max(1000)},
  audit: {run: optionalSchema(name)},
  repository: {checkout: optionalSchema(text.max(4096))},
  skills: {},
  environment: {...subject, env: optionalSchema(environment)},
  dependencies: {},
  share: {
    paths: z.array(text.max(4096)).max(50),
    detected: optionalSchema(flag),
    hardLink: optionalSchema(flag),
  },
  'give-files': {
    ...session,
    files: z.array(text.max(4096)).min(1).max(maxGivenFiles),
    copies: optionalSchema(z.literal('all')),
  },
  kept: subject,
  gc: {sweep: optionalSchema(flag), progress: optionalSchema(flag)},
  conflicts: {},
  events: {from: count},
  typing: session,
  asked: session,
  // Each tool checks its own input and answers the agent; here the size is limited.
  tool: {
    tool: anything,
    input: anything,
    call: optionalSchema(text).catch(undefined),
    waitMs: optionalSchema(number).catch(undefined),
  },
  codes: {},
  'stop-daemon': {},
};

export const questionSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(questionFields).map(([about, own]) => [
    about,
    z.object({about: z.literal(about), ...own}),
  ]),
);

type MessageOf<Type> = Omit<Extract<ClientMessage, {readonly type: Type}>, 'type'>;

const range = objectOf<{readonly min: number; readonly max: number}>({min: count, max: count});
const ability = z.boolean().optional().catch(undefined);

const hello: SchemaFields<MessageOf<'hello'>> = {
  protocol: range,
  build: z.string().max(1000),
  token: z.string().max(1000),
  parts: ability,
  factParts: ability,
  typed: ability,
  code: z.string().max(100).optional().catch(undefined),
};
const ask: SchemaFields<MessageOf<'ask'>> = {
  id: count,
  question: z.looseObject({about: z.string()}),
};

const message = z.union([
  objectOf({type: z.literal('hello'), ...hello}),
  objectOf({type: z.literal('ask'), ...ask}),
]);

/**
 * Undefined if the value is not a message; the connection is then closed. A malformed question
 * inside is rejected later, with an answer.
 */
export function parseClientMessage(value: unknown): ClientMessage | undefined {
  const reading = message.safeParse(value);
  return reading.success ? (reading.data as ClientMessage) : undefined;
}

/** The question with only the fields that this daemon knows. Throws if it is malformed. */
export function checkQuestion(question: Question, build: string): Question {
  const about: string = question.about;
  const schema = Object.hasOwn(questionSchemas, about) ? questionSchemas[about] : undefined;
  if (schema === undefined)
    throw new Error(
      `this daemon (${build}) does not understand the question. Update it, which keeps ` +
        'every session: orchestra daemon restart',
    );
  const reading = schema.safeParse(question);
  if (!reading.success)
    throw new Error(describeIssue(`the question about ${about}`, reading.error));
  return reading.data as Question;
}

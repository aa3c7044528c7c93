import {z} from 'zod';
import type {Question} from '../../protocol/index.ts';
import {
  anything,
  count,
  environment,
  flag,
  name,
  number,
  optional,
  positive,
  size,
  text,
  type Fields,
} from './fields.ts';

type Schemas = {
  readonly [About in Question['about']]: Fields<
    Omit<Extract<Question, {readonly about: About}>, 'about'>
  >;
};

const maxSessions = 10_000;
const session = {session: name};
const subject = {of: name};

const fields: Schemas = {
  // The wish itself is checked by what it is (`checkWish`).
  wish: {wish: z.unknown(), env: optional(environment), size},
  state: {},
  sessions: {},
  explain: session,
  usage: {sessions: z.array(name).max(maxSessions)},
  ticket: {...session, size, read: optional(flag)},
  services: {},
  facts: {},
  daemon: {},
  explanation: subject,
  diff: subject,
  timeline: {run: optional(name), limit: optional(positive), all: optional(flag)},
  brief: {since: optional(number), stay: optional(flag)},
  seen: {},
  recall: {words: text.max(10_000), files: z.array(text.max(4096)).max(1000)},
  audit: {run: optional(name)},
  repository: {checkout: optional(text.max(4096))},
  skills: {},
  environment: {...subject, env: optional(environment)},
  dependencies: {},
  share: {
    paths: z.array(text.max(4096)).max(50),
    detected: optional(flag),
    hardLink: optional(flag),
  },
  kept: subject,
  gc: {sweep: optional(flag), progress: optional(flag)},
  conflicts: {},
  events: {from: count},
  typing: session,
  asked: session,
  // What a tool takes is its own to say, to the agent; here it is only bounded.
  tool: {
    tool: anything,
    input: anything,
    call: optional(text).catch(undefined),
    waitMs: optional(number).catch(undefined),
  },
  codes: {},
  'stop-daemon': {},
};

export const questionSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(fields).map(([about, own]) => [
    about,
    z.object({about: z.literal(about), ...own}),
  ]),
);

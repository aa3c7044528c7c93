import {z} from 'zod';
import {
  acceptWays,
  type Readiness,
  type RunBudget,
  type RunRequest,
  type ServiceSpec,
  type Wish,
} from '../../domain/index.ts';
import {
  argument,
  count,
  directory,
  flag,
  name,
  number,
  objectOf,
  optional,
  positive,
  text,
  type Fields,
} from './fields.ts';

type Schemas = {
  readonly [Type in Wish['type']]: Fields<Omit<Extract<Wish, {readonly type: Type}>, 'type'>>;
};

const request = objectOf<RunRequest>({
  objective: text.refine((words) => words.trim() !== '', 'expected words, got none'),
  worker: name,
  planner: name,
  model: optional(name),
  plannerModel: optional(name),
  playbook: optional(argument),
  skill: optional(name),
  checkout: optional(directory),
  queued: flag,
});

const amount = optional(z.number().positive());
const budget = objectOf<RunBudget>({
  tokens: amount,
  wallClock: amount,
  attemptTokens: amount,
  attemptWallClock: amount,
});

type By<Kind> = Extract<Readiness, {readonly by: Kind}>;

const readiness = z.union([
  objectOf<By<'port'>>({by: z.literal('port')}),
  objectOf<By<'http'>>({by: z.literal('http'), path: text.max(2000)}),
  objectOf<By<'log'>>({by: z.literal('log'), pattern: text.max(2000)}),
]);

/** As in the project file: what is declared there and what is declared here are the same services. */
const serviceName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'expected a name of small letters, digits and "-", at most 40, that does not begin with "-"',
  );

const spec = objectOf<Omit<ServiceSpec, 'of' | 'owner'>>({
  name: serviceName,
  per: optional(z.literal('task')),
  command: argument.min(1).max(4000),
  port: optional(z.int().min(1).max(65_535)),
  ready: optional(readiness),
});

/** What the daemon itself adds afterwards; a client's word for it is dropped. */
const bySelf = optional(z.unknown().transform(() => undefined));

const run = {run: name};
const task = {task: name};
const what = {what: name};
const service = {service: name};

const fields: Schemas = {
  'start-run': {request, budget, environment: bySelf},
  'move-in-queue': {...run, position: z.int()},
  'comment-plan': {...run, line: count, text},
  // The plan is read as one that an agent hands in (`checkWish`).
  'edit-plan': {...run, plan: z.looseObject({}), hash: name},
  'reject-plan': {...run, plan: name, reason: text},
  'approve-plan': {...run, plan: name, rules: name, base: name},
  'choose-baseline': {
    ...run,
    check: text.max(200),
    choice: z.enum(['mend', 'ignore', 'no-new', 'count']),
    plan: optional(z.looseObject({})),
    hash: optional(name),
  },
  'baseline-again': {...run, check: optional(text.max(200))},
  'plan-again': {...run, reason: optional(text)},
  'grant-attempt': {...task, hint: optional(text)},
  'take-over': task,
  'hand-back': {...task, to: optional(z.enum(['checks', 'agent'])), note: optional(text)},
  'reset-task': task,
  stop: {...what, reason: optional(text)},
  resume: what,
  discard: what,
  'accept-run': {
    ...run,
    commit: name,
    way: optional(z.enum(acceptWays)),
    into: optional(name),
    signed: optional(name),
    sign: optional(z.literal(false)),
  },
  'adopt-branch': {...run, commit: name},
  'restore-branch': {...run, commit: name},
  'extend-budget': {...run, tokens: optional(number), wallClock: optional(number)},
  'refresh-environment': {...run, environment: bySelf},
  'tidy-worktree': {owner: name},
  'start-session': {
    name: text,
    command: z.array(argument).min(1),
    directory,
    prompt: optional(text),
  },
  'send-input': {session: name, text},
  'answer-question': {session: name, number: positive, text},
  'declare-service': {spec},
  'start-service': service,
  'stop-service': service,
  'restart-service': service,
  'add-note': {on: name, text},
  'acknowledge-intrusion': {number: count},
  'acknowledge-loop': {session: name, number: positive},
};

export const commandSchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(fields).map(([type, own]) => [type, z.object({type: z.literal(type), ...own})]),
);

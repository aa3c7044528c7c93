import path from 'node:path';
import {z} from 'zod';
import {
  acceptWays,
  maxMessageCharacters,
  type OpenOptions,
  type Plan,
  type Readiness,
  type RunBudget,
  type RunRequest,
  type ServiceSpec,
  type UserCommand,
} from '../../../domain/index.ts';
import {
  argument,
  count,
  describeIssue,
  directory,
  type SchemaFields,
  flag,
  name,
  number,
  objectOf,
  optionalSchema,
  positive,
  text,
} from './client-messages.ts';
import {maxVariants, parsePlan, type PlanContext, planHash} from '../../../plan/index.ts';
import {findRepository, type GitRepository} from '../../../config/index.ts';

type CommandFields = {
  readonly [Type in UserCommand['type']]: SchemaFields<
    Omit<Extract<UserCommand, {readonly type: Type}>, 'type'>
  >;
};

/** It becomes an argument of the agent's program. */
const conversation = z
  .string()
  .regex(
    /^[\w][\w.:-]{0,199}$/,
    'expected the name of a conversation: letters, digits and "_.:-", at most 200',
  );

const request = objectOf<RunRequest>({
  objective: text.refine((text) => text.trim() !== '', 'expected text, got none'),
  worker: name,
  planner: name,
  model: optionalSchema(name),
  plannerModel: optionalSchema(name),
  playbook: optionalSchema(argument),
  skill: optionalSchema(name),
  workers: optionalSchema(z.enum(['interactive', 'headless'])),
  planners: optionalSchema(z.enum(['interactive', 'headless'])),
  checkout: optionalSchema(directory),
  open: optionalSchema(
    objectOf<OpenOptions>({
      on: optionalSchema(name),
      branch: optionalSchema(name),
      conversation: optionalSchema(conversation),
      variants: optionalSchema(z.array(name).min(2).max(maxVariants)),
      withoutPrompt: optionalSchema(z.literal(true)),
    }),
  ),
  from: optionalSchema(name),
  queued: flag,
});

const amount = optionalSchema(z.number().positive());
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

/** The same rule as in the project file, since both declare the same services. */
const serviceName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,39}$/,
    'expected a name of small letters, digits and "-", at most 40, that does not start with "-"',
  );

const spec = objectOf<Omit<ServiceSpec, 'of' | 'owner'>>({
  name: serviceName,
  per: optionalSchema(z.literal('task')),
  command: argument.min(1).max(4000),
  port: optionalSchema(z.int().min(1).max(65_535)),
  ready: optionalSchema(readiness),
});

/** A field that the daemon fills in itself; a client's value is dropped. */
const filledByDaemon = optionalSchema(z.unknown().transform(() => undefined));

const run = {run: name};
const task = {task: name};
const what = {what: name};
const service = {service: name};

const commandFields: CommandFields = {
  'start-run': {request, budget, environment: filledByDaemon},
  'move-in-queue': {...run, position: z.int()},
  'comment-plan': {...run, line: count, text},
  // `validateCommand` parses the plan like one from an agent.
  'edit-plan': {...run, plan: z.looseObject({}), hash: name},
  'reject-plan': {...run, plan: name, reason: text},
  'approve-plan': {...run, plan: name, rules: name, base: name},
  'choose-baseline': {
    ...run,
    check: text.max(200),
    choice: z.enum(['mend', 'ignore', 'no-new', 'count']),
    plan: optionalSchema(z.looseObject({})),
    hash: optionalSchema(name),
  },
  'baseline-again': {...run, check: optionalSchema(text.max(200))},
  'plan-again': {...run, reason: optionalSchema(text)},
  'grant-attempt': {...task, hint: optionalSchema(text)},
  'take-over': task,
  'hand-back': {
    ...task,
    to: optionalSchema(z.enum(['checks', 'agent'])),
    note: optionalSchema(text),
  },
  'check-task': task,
  'reset-task': task,
  'pick-variant': {...task, commit: name},
  'message-task': {...task, text: text.max(maxMessageCharacters)},
  stop: {...what, reason: optionalSchema(text)},
  resume: what,
  discard: what,
  undo: {...what, kind: z.enum(['accept', 'discard', 'stop', 'reject'])},
  'accept-run': {
    ...run,
    commit: name,
    way: optionalSchema(z.enum(acceptWays)),
    into: optionalSchema(name),
    signed: optionalSchema(name),
    sign: optionalSchema(z.literal(false)),
  },
  'adopt-branch': {...run, commit: name},
  'restore-branch': {...run, commit: name},
  'extend-budget': {...run, tokens: optionalSchema(number), wallClock: optionalSchema(number)},
  'refresh-environment': {...run, environment: filledByDaemon},
  'tidy-worktree': {owner: name},
  'start-session': {
    name: text,
    command: z.array(argument).min(1),
    directory,
    prompt: optionalSchema(text),
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
  Object.entries(commandFields).map(([type, own]) => [
    type,
    z.object({type: z.literal(type), ...own}),
  ]),
);

/** The size of a command, in characters of its JSON. */
const maxCommandCharacters = 512 * 1024;

/**
 * The command with only the fields that this daemon knows: anything malformed would stay in the
 * journal for ever. Throws if the value is not a command of a user; a report is none.
 */
export function validateCommand(value: unknown): UserCommand {
  const type = findType(value);
  const schema =
    type === undefined || !Object.hasOwn(commandSchemas, type) ? undefined : commandSchemas[type];
  if (schema === undefined || type === undefined)
    throw new Error(
      `this daemon knows no command ${JSON.stringify((type ?? '').slice(0, 60))}. Update ` +
        'it, which keeps every session: orchestra daemon restart',
    );
  const reading = schema.safeParse(value);
  if (!reading.success) throw new Error(describeIssue(type, reading.error));
  const command = reading.data as UserCommand;
  if (measureCommand(command) > maxCommandCharacters)
    throw new Error(`expected a ${type} of at most ${maxCommandCharacters} characters`);
  if (command.type === 'edit-plan')
    return {...command, plan: checkPlan(command.plan, command.hash)};
  return command.type === 'choose-baseline' && command.plan !== undefined
    ? {...command, plan: checkPlan(command.plan, command.hash)}
    : command;
}

/** Checks what an edited plan names, such as agents, against what the run can have. */
export function checkNames(plan: Plan, context: PlanContext): void {
  const {value, problems} = parsePlan(JSON.stringify(plan), context);
  const fault = problems.find(({level}) => level === 'error');
  if (value === undefined && fault !== undefined)
    throw new Error(`expected a plan that can be carried out, but ${fault.text}`.slice(0, 500));
}

/** A plan from a client is as untrusted as one from a planner, and an approval binds its hash. */
function checkPlan(given: Plan, hash: string | undefined): Plan {
  const {objective} = given as {readonly objective?: unknown};
  const {value, problems} = parsePlan(JSON.stringify(given), {
    objective: typeof objective === 'string' ? objective : '',
  });
  if (value === undefined)
    throw new Error(
      `expected a plan, but ${problems.find(({level}) => level === 'error')?.text ?? 'it is not one'}`.slice(
        0,
        500,
      ),
    );
  if (planHash(value) !== hash)
    throw new Error(
      'expected the hash of the plan that was sent, got another one; read the plan again and edit that',
    );
  return value;
}

function findType(value: unknown): string | undefined {
  const {type} = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly type?: unknown;
  };
  return typeof type === 'string' ? type : undefined;
}

/** Infinite for a value that is too deep to serialise. */
function measureCommand(command: UserCommand): number {
  try {
    return JSON.stringify(command).length;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

/**
 * A run starts in the person's own checkout and reads rules and skills there: an agent's worktree
 * has what that agent wrote.
 */
export function checkCheckout(checkout: unknown, commonDirectory: string): void {
  if (checkout === undefined) return;
  const found =
    typeof checkout === 'string' && path.isAbsolute(checkout) ? repositoryIn(checkout) : undefined;
  if (found?.root === checkout && found.commonDirectory === commonDirectory) return;
  throw new Error(
    'expected a checkout of this repository that is your own, got ' +
      `${JSON.stringify(checkout)}. Start the run in your checkout, or in a worktree that ` +
      'you made with git worktree add',
  );
}

function repositoryIn(directory: string): GitRepository | undefined {
  try {
    return findRepository(directory);
  } catch {
    return undefined;
  }
}

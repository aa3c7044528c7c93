import type {Event, EventOf, EventType} from '../event.ts';
import type {MovedBranch, VoidReason} from '../run.ts';
import type {ServiceCondition} from '../service.ts';
import type {AskSource, NetworkRefusal, TurnSource} from '../session.ts';
import type {MessageDelivery, MessageHold} from '../task.ts';
import {
  either,
  type ShapeFields,
  findWrongField,
  flag,
  nullable,
  number,
  oneOf,
  optional,
  text,
} from './check.ts';
import {project} from './project.ts';
import * as is from './records.ts';

type Shapes = {readonly [Type in EventType]: ShapeFields<Omit<EventOf<Type>, 'type' | 'at'>>};

const run = {run: is.runId};
const round = {...run, round: number};
const task = {task: is.taskId};
const attempt = {...task, attempt: number};
const message = {...attempt, words: text};
const session = {session: is.sessionId};
const input = {...session, input: number};
// `s0` stands for a sender without a known session.
const asked = {
  session: either(is.sessionId, (value) => value === 's0'),
  intent: text,
  words: optional(text),
};
const service = {service: text};
const anew = optional((value) => value === true);

const isTrue = (value: unknown): boolean => value === true;

const shapes: Shapes = {
  'daemon-started': {build: text, journal: optional(text)},
  'daemon-stopping': {},
  'project-read': {project},
  'journal-truncated': {bytes: number, kept: text},
  'disk-full': {},
  'effect-begun': {effect: text},
  'trouble-met': {owner: is.runOrTask, why: is.troubleReason},
  'note-added': {on: text, text},
  'intrusion-refused': asked,
  'command-noted': asked,
  'intrusion-seen': {number},

  'run-created': {
    ...run,
    request: is.runRequest,
    budget: is.runBudget,
    environment: optional(is.runEnvironment),
    client: optional(text),
  },
  'queue-moved': {...run, position: number},
  'run-opened': run,
  'run-surveyed': {...run, ground: is.base},
  'rules-changed': {...run, rules: is.rules},
  'base-moved': {...run, base: text},
  'branch-moved': {
    ...run,
    branch: text,
    expected: text,
    found: text,
    relation: oneOf<MovedBranch['relation']>({ahead: true, behind: true, apart: true}),
  },
  'branch-adopted': {...run, commit: text},
  'branch-restore-asked': {...run, commit: text},
  'branch-restored': {...run, kept: nullable(text)},
  'run-held': {...run, reason: optional(text)},
  'run-resumed': run,
  'run-parked': {...run, why: is.parkReason},
  'budget-exhausted': {
    ...run,
    budget: oneOf<'tokens' | 'wall-clock'>({tokens: true, 'wall-clock': true}),
    used: number,
    limit: number,
  },
  'budget-extended': {...run, tokens: optional(number), wallClock: optional(number)},
  'environment-refreshed': {...run, environment: is.runEnvironment, changed: is.texts},
  'accept-asked': {
    ...run,
    commit: text,
    way: optional(is.acceptWay),
    into: optional(text),
    signed: optional(text),
  },
  'accept-refused': {...run, why: text},
  'run-accepted': {
    ...run,
    commit: text,
    way: optional(is.acceptWay),
    into: optional(text),
    signed: optional(isTrue),
    already: optional(isTrue),
    from: optional(text),
  },
  'undo-asked': {what: is.runOrTask},
  'undo-refused': {what: is.runOrTask, why: text},
  'accept-undone': {...run, into: text, commit: text},
  'run-restored': run,
  'run-discarded': run,
  'summary-written': {...run, task: optional(is.taskId), endings: number, path: text, hash: text},
  'worktree-made': {
    owner: is.owner,
    path: text,
    branch: nullable(text),
    commit: text,
    tree: text,
    reads: optional(text),
  },
  'worktree-renewed': {owner: is.owner, commit: text, tree: text, reads: optional(text)},
  'worktree-set-up': {owner: is.owner},
  'worktree-tidied': {owner: is.owner},
  'worktree-removed': {owner: is.owner, kept: nullable(text), tip: optional(text)},
  'worktree-vanished': {owner: is.owner},

  'planning-started': {...round, because: optional(is.because), anew},
  'planning-interrupted': {...round, words: optional(text)},
  'plan-received': {
    ...round,
    plan: is.plan,
    hash: text,
    tree: text,
    replaces: optional(text),
    from: optional(is.plannerTurn),
  },
  'plan-made': {...run, plan: is.plan, hash: text},
  'plan-invalid': {
    ...round,
    problems: is.texts,
    words: optional(text),
    from: optional(is.plannerTurn),
  },
  'planner-waiting': {...round, from: is.plannerTurn},
  'planner-continued': {...round, asking: is.asking, session: is.sessionId},
  'plan-asked-again': {...round, problems: is.texts},
  'planner-wrote': {...round, paths: is.texts},
  'planner-failed': {...round, words: text},
  'planning-failed': {...run, why: is.planFailure},
  'planning-retried': {...run, reason: optional(text), anew},
  'plan-commented': {...run, line: number, text},
  'plan-edited': {...run, plan: is.plan, hash: text},
  'plan-rejected': {...run, reason: text},
  'rejection-withdrawn': run,
  'plan-approved': {...run, plan: text, rules: text, base: text, client: text},
  'approval-voided': {
    ...run,
    why: oneOf<VoidReason>({'plan-changed': true, 'rules-changed': true}),
  },

  'baseline-recalled': {
    ...run,
    base: text,
    rules: text,
    plan: text,
    setup: optional(text),
    results: is.checkResults,
  },
  'baseline-checked': {...run, base: text, setup: optional(text), result: is.checkResult},
  'baseline-interrupted': {...run, ...session},
  'baseline-failed': {...run, why: is.baselineFailure},
  'baseline-chosen': {
    ...run,
    check: is.check,
    choice: is.baselineDecision,
    plan: optional(is.plan),
    hash: optional(text),
  },
  'baseline-asked-again': {...run, check: optional(text)},

  'task-begun': task,
  'setup-passed': {...task, on: optional(is.onWhat)},
  'attempt-started': {...attempt, repairs: optional(is.failure), hint: optional(text)},
  'attempt-continued': attempt,
  'attempt-interrupted': {...attempt, ...session, words: optional(text)},
  'attempt-paused': {...message, until: number},
  'pause-ended': {...attempt, by: optional((value) => value === 'person')},
  'check-asked': attempt,
  'attempt-reopened': {...attempt, session: is.sessionId},
  'agent-replaced': {...message, from: text, to: text},
  'agent-finished': {...message, denied: optional(is.texts)},
  'agent-gave-up': message,
  'agent-failed': message,
  'change-captured': {...attempt, change: is.change},
  'change-judged': {...attempt, judgement: is.judgement},
  'check-finished': {...attempt, on: is.onWhat, result: is.checkResult},
  'change-validated': attempt,
  'change-committed': {...attempt, commit: text},
  'attempt-failed': {...attempt, failure: is.failure},
  'task-stopped': {...task, why: is.stopReason},
  'attempt-granted': {...task, hint: optional(text)},
  'task-taken-over': {...task, attempt: optional(number), left: optional(number)},
  'task-handed-back': {
    ...attempt,
    to: optional(oneOf<'agent'>({agent: true})),
    note: optional(text),
    allowed: optional(number),
  },
  'task-reset': task,
  'message-asked': {...task, number, text, session: optional(is.sessionId)},
  'message-delivered': {
    ...task,
    number,
    session: is.sessionId,
    how: oneOf<MessageDelivery>({typed: true, channel: true, restart: true, prompt: true}),
    turn: optional(number),
  },
  'message-held': {
    ...task,
    number,
    why: oneOf<MessageHold>({draft: true, dialog: true, turn: true}),
  },
  'message-queued': {...task, number, why: text},
  'message-failed': {...task, number, why: text},
  'task-held': {...task, reason: optional(text)},
  'task-resumed': task,
  'task-restored': task,
  'task-discarded': {...task, why: is.discardReason},
  'variant-picked': {...task, commit: text},

  'merge-begun': task,
  'merge-built': {...task, candidate: text, onto: text, reads: optional(text)},
  'merge-conflicted': {...task, paths: is.texts, hunks: optional(text)},
  'merge-outdated': task,
  'merge-validated': task,
  'merge-refused': {...task, failure: is.failure},
  'task-merged': {...task, commit: text},

  'session-asked': {...session, purpose: is.purpose, agent: optional(text)},
  'session-created': session,
  'session-running': session,
  'session-exited': {...session, code: nullable(number), signal: nullable(text)},
  'session-lost': {...session, why: text},
  'session-stop-asked': session,
  'session-unstoppable': {...session, words: text},
  'session-waiting': {
    ...session,
    proof: oneOf<'proven' | 'inferred'>({proven: true, inferred: true}),
    secret: flag,
    question: text,
    source: optional(oneOf<AskSource>({agent: true, screen: true})),
    options: optional(is.texts),
    keys: optional(is.texts),
    readsKeys: optional((value) => value === true),
    idle: optional((value) => value === true),
  },
  'session-moved-on': session,
  'input-asked': {...input, text, prompt: optional(text), answers: optional(text)},
  'input-typed': input,
  'input-uncertain': {...input, why: optional(text)},
  'secret-typed': {...session, length: number},
  'usage-counted': {...session, usage: is.usage, isPartial: optional((value) => value === true)},
  'retry-noticed': {
    ...session,
    since: number,
    times: number,
    words: text,
    status: optional(number),
  },
  'retry-ended': session,
  'loop-noticed': {
    ...session,
    number,
    kind: is.loopKind,
    key: text,
    evidence: text,
    times: number,
    since: number,
  },
  'loop-seen': {...session, number},
  'turn-began': {
    ...session,
    by: oneOf<'person' | 'orchestra'>({person: true, orchestra: true}),
    signals: optional(number),
  },
  'turn-ended': {
    ...session,
    source: oneOf<TurnSource>({agent: true, screen: true}),
    signals: optional(number),
    words: optional(text),
    error: optional(text),
    done: optional((value) => value === true),
  },
  'done-reported': session,
  'session-continued': {...session, ...attempt},
  'input-held': input,
  'conversation-known': {...session, conversation: text},
  'conversation-lost': {...session, words: text},
  'tool-called': {...session, tool: text, words: text, isError: optional(flag)},
  'network-refused': {
    ...session,
    host: text,
    port: number,
    times: number,
    why: oneOf<NetworkRefusal>({
      'not-listed': true,
      'port-not-listed': true,
      'private-address': true,
      'not-a-host': true,
      'too-many': true,
    }),
  },
  'question-asked': {...session, number, question: text, options: optional(is.texts)},
  'question-answered': {...session, number, text},

  'service-declared': {spec: is.serviceSpec},
  'service-wanted': {...service, by: either((value) => value === 'person', is.taskId)},
  'service-stopped': {...service, by: optional(is.taskId)},
  'service-restarted': service,
  'service-observed': {
    ...service,
    condition: oneOf<ServiceCondition>({
      starting: true,
      listening: true,
      ready: true,
      unhealthy: true,
    }),
  },
  'port-taken': {...service, owner: text},
  'service-went-down': service,
  'service-backed-off': {...service, until: number, deaths: optional(number)},
  'service-failed': {...service, why: is.serviceFailure},
};

/** Many readers use these fields for events of any type. */
const idFields = ['run', 'task', 'session', 'owner', 'on', 'service'] as const;

/**
 * Why an event from a journal is malformed: an unknown type, or the first field that does not have
 * its type.
 */
export function findMalformation(event: Event): string | undefined {
  const {type} = event;
  if (!Object.hasOwn(shapes, type)) return `${type} is not an event of this version`;
  const wrong =
    findWrongField(event, shapes[type]) ??
    idFields.find(
      (name) =>
        Object.hasOwn(event, name) &&
        typeof (event as Readonly<Record<string, unknown>>)[name] !== 'string' &&
        !Object.hasOwn(shapes[type], name),
    );
  return wrong === undefined
    ? undefined
    : `${type} is malformed: its ${wrong} is missing or invalid`;
}

/** An event as it is written to the journal: type, time, and all other fields. */
export type EventParts = {
  readonly type: string;
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
};

export function toEventParts({type, at, ...data}: Event): EventParts {
  return {type, at, data};
}

/** The event that was written. Callers check its type first (`isKnownEvent`). */
export function toEvent({type, at, data}: EventParts): Event {
  return {...data, type, at} as Event;
}

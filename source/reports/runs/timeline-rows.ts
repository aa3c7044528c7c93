import {
  type Event,
  type EventOf,
  type EventType,
  type Failure,
  type Purpose,
  type Run,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {parseFailureText} from '../../failures/index.ts';
import {pluralize, shortHash} from '../../shared/index.ts';
import {describeStopShort} from '../explain/need-label.ts';
import {describeEvent} from '../messages/describe-event.ts';
import {describeConfidence} from '../messages/describe-reason.ts';
import {toSafeLine} from '../terminal-text.ts';
import {type EventSubject, isQuiet, selectEventSubject, type Timeline} from './timeline.ts';
import type {AcceptedCard} from './accepted-card.ts';
import type {TimelineChart} from './timeline-chart.ts';
import {selectTaskNumber} from './task-track.ts';

/** One line of what happened. */
export type TimelineRow = {
  readonly at: number;
  readonly type: EventType | 'all-merged';
  /** The number of the task. */
  readonly number?: number;
  readonly session?: string;
  readonly sign: TimelineSign;
  /** `test failed`, `you answered`. */
  readonly words: string;
  readonly detail: string;
  /** The fact on the right: which try, which commit. */
  readonly fact: string;
};

/** `needs`: it waits for the person. `you`: the person did it. `done`: everything is merged. */
export type TimelineSign = 'failed' | 'merged' | 'needs' | 'you' | 'done' | 'plain';

/** The events of a run, oldest first: those that matter, or all. */
export function buildTimelineRows(
  state: State,
  run: Run,
  events: readonly Event[],
  {all = false}: {readonly all?: boolean} = {},
): TimelineRow[] {
  const purposes = new Map<string, Purpose>();
  const open = new Set<TaskId>(run.tasks.map(({id}) => id));
  return events.flatMap((event): TimelineRow[] => {
    if (event.type === 'session-asked') purposes.set(event.session, event.purpose);
    const subject = selectEventSubject(event, purposes, state);
    if (subject.run !== run.id) return [];
    const rows = all || isImportant(event, subject.purpose) ? [toRow(run, event, subject)] : [];
    return [...rows, ...rowsOfEnd(event, open)];
  });
}

/** The answer to `timeline` for one run. */
export type RunTimeline = Timeline & {
  readonly chart: TimelineChart;
  readonly rows: readonly TimelineRow[];
  /** Of a run that was accepted. */
  readonly card?: AcceptedCard;
};

/** Summaries, sessions and commits only say how something was done. What a person typed matters. */
function isImportant(event: Event, purpose: Purpose | undefined): boolean {
  if (event.type === 'input-asked') return event.prompt === undefined && purpose?.for !== 'shell';
  return !unimportant.has(event.type) && !isQuiet(event);
}

const unimportant: ReadonlySet<EventType> = new Set<EventType>([
  'summary-written',
  'task-begun',
  'change-validated',
]);

function toRow(run: Run, event: Event, {task, session}: EventSubject): TimelineRow {
  const number = task === null ? undefined : selectTaskNumber(run, task);
  const {sign, words, detail = '', fact = ''} = describe(run, event);
  return {
    at: event.at,
    type: event.type,
    ...(number !== undefined && {number}),
    ...(session !== null && {session}),
    sign,
    words: toSafeLine(words),
    detail: toSafeLine(detail),
    fact: toSafeLine(fact),
  };
}

/** `open`: tasks that have not ended; the last one to end makes the run complete. */
function rowsOfEnd(event: Event, open: Set<TaskId>): TimelineRow[] {
  if (event.type === 'attempt-granted') open.add(event.task);
  if (event.type !== 'task-merged' && event.type !== 'task-discarded') return [];
  const isLast = open.delete(event.task) && open.size === 0;
  return isLast && event.type === 'task-merged'
    ? [
        {
          at: event.at,
          type: 'all-merged',
          sign: 'done',
          words: 'everything is merged',
          detail: '',
          fact: '',
        },
      ]
    : [];
}

type Description = {
  readonly sign: TimelineSign;
  readonly words: string;
  readonly detail?: string;
  readonly fact?: string;
};

function describe(run: Run, event: Event): Description {
  const {type} = event;
  const table: Readonly<Partial<Record<EventType, (event: never, run: Run) => Description>>> =
    descriptions;
  const own = Object.hasOwn(table, type) ? table[type] : undefined;
  if (own !== undefined) return own(event as never, run);
  // The number of the task stands beside it.
  return {sign: 'plain', words: describeEvent(event).replace(/^r\d+(?:\.t\d+)?:? /, '')};
}

const descriptions: {
  readonly [Type in EventType]?: (event: EventOf<Type>, run: Run) => Description;
} = {
  'run-created': ({request}) => ({sign: 'you', words: 'you asked', detail: request.objective}),
  'plan-received': ({plan, replaces}) => ({
    sign: 'needs',
    words: replaces === undefined ? 'plan ready' : 'another plan replaces it',
    detail: pluralize(plan.tasks.length, 'task'),
  }),
  'plan-approved': ({plan}) => ({
    sign: 'you',
    words: 'you approved the plan',
    fact: shortHash(plan),
  }),
  'plan-rejected': ({reason}) => ({
    sign: 'you',
    words: 'you sent the plan back',
    detail: reason,
  }),
  'planning-failed': () => ({sign: 'needs', words: 'planning failed'}),
  'attempt-started': ({attempt, repairs, hint}) => ({
    sign: 'plain',
    words: repairs === undefined ? 'work begins' : 'repair begins',
    detail: hint ?? '',
    fact: formatTry(attempt),
  }),
  'attempt-failed': ({attempt, failure}) => ({
    sign: 'failed',
    words: describeStopShort(failure),
    detail: failure.kind === 'check' ? describeCheck(failure) : '',
    fact: formatTry(attempt),
  }),
  'merge-refused': ({failure}) => ({sign: 'failed', words: describeStopShort(failure)}),
  'merge-conflicted': ({paths}) => ({
    sign: 'failed',
    words: 'conflicts with merged work',
    detail: paths.join(', '),
  }),
  'task-stopped': ({why}) => ({sign: 'needs', words: 'stopped', detail: describeStopShort(why)}),
  'trouble-met': () => ({sign: 'needs', words: 'blocked'}),
  'task-merged': ({task, commit}, run) => ({
    sign: 'merged',
    words: 'merged',
    detail: describeMerged(run, task),
    fact: shortHash(commit),
  }),
  'attempt-granted': ({hint}) => ({
    sign: 'you',
    words: 'you granted a try',
    detail: hint ?? '',
  }),
  'task-taken-over': () => ({sign: 'you', words: 'you took it over'}),
  'task-handed-back': ({note}) => ({sign: 'you', words: 'you handed it back', detail: note ?? ''}),
  'task-held': ({reason}) => ({sign: 'you', words: 'you paused it', detail: reason ?? ''}),
  'task-resumed': () => ({sign: 'you', words: 'you resumed it'}),
  'task-reset': () => ({sign: 'you', words: 'you restarted the agent'}),
  'run-held': ({reason}) => ({sign: 'you', words: 'you paused the run', detail: reason ?? ''}),
  'run-resumed': () => ({sign: 'you', words: 'you resumed the run'}),
  'task-discarded': ({why}) =>
    why.kind === 'person'
      ? {sign: 'you', words: 'you discarded it'}
      : {
          sign: 'plain',
          words: 'discarded',
          detail:
            why.kind === 'needs'
              ? 'it needs a task that was discarded'
              : 'another variant was picked',
        },
  'variant-picked': ({commit}) => ({
    sign: 'you',
    words: 'you picked this variant',
    fact: shortHash(commit),
  }),
  'session-waiting': ({secret, question}) => ({
    sign: 'needs',
    words: secret ? 'asks for a secret' : 'asks you',
    detail: question,
  }),
  'question-asked': ({question}) => ({sign: 'needs', words: 'asks you', detail: question}),
  'question-answered': ({text}) => ({sign: 'you', words: 'you answered', detail: text}),
  'input-asked': ({text}) => ({sign: 'you', words: 'you answered', detail: text}),
  'secret-typed': ({length}) => ({
    sign: 'you',
    words: 'you typed the secret',
    detail: `${pluralize(length, 'character')}, not kept`,
  }),
  'budget-exhausted': () => ({sign: 'needs', words: 'budget reached'}),
  'budget-extended': () => ({sign: 'you', words: 'you raised the budget'}),
  'accept-asked': ({commit}) => ({sign: 'you', words: 'you accepted', fact: shortHash(commit)}),
  'accept-refused': ({why}) => ({sign: 'needs', words: 'not accepted', detail: why}),
  'run-accepted': ({into, commit}) => ({
    sign: 'done',
    words: 'accepted',
    detail: into === undefined ? '' : `into ${into}`,
    fact: shortHash(commit),
  }),
  'run-discarded': () => ({sign: 'you', words: 'you discarded the run'}),
};

function describeCheck({
  firstFailure,
  confidence,
}: Extract<Failure, {readonly kind: 'check'}>): string {
  const {reason, place} = parseFailureText(firstFailure);
  return [
    reason,
    ...(place === undefined ? [] : [place]),
    ...(confidence === undefined || confidence === 'found' ? [] : [describeConfidence(confidence)]),
  ].join('   ');
}

function describeMerged(run: Run, id: TaskId): string {
  const tries = run.tasks.find((task) => task.id === id)?.attempts.length ?? 1;
  return tries < 2 ? '' : `after ${tries} tries`;
}

function formatTry(attempt: number): string {
  const ordinal = {1: '1st', 2: '2nd', 3: '3rd'}[attempt] ?? `${attempt}th`;
  return `${ordinal} try`;
}

import {
  type Event,
  type EventType,
  isTaskId,
  type Purpose,
  type RunId,
  runIdIn,
  selectSession,
  type SessionId,
  type State,
  type TaskId,
} from '../../domain/index.ts';
import {createPaint, formatAge, type TextOptions, type TextTone} from '../terminal-text.ts';
import {describeEvent} from '../messages/describe-event.ts';
import {cutLine} from '../../shared/index.ts';

export type Timeline = {
  readonly entries: readonly TimelineEntry[];
  /** How many earlier entries the limit left out. */
  readonly earlier: number;
};

export type TimelineEntry = {
  readonly at: number;
  readonly type: EventType;
  readonly words: string;
  readonly run: string | null;
  readonly task: string | null;
  readonly session: string | null;
};

export type TimelineOptions = {
  readonly run?: string;
  /** Include events that only say how something was done. */
  readonly all?: boolean;
  readonly limit?: number;
  /** Gives the purpose of sessions that were requested before the first event. */
  readonly state?: State;
};

/** The events as entries, oldest first, each with the run, task and session that it belongs to. */
export function buildTimeline(
  events: readonly Event[],
  {run, all = false, limit = Number.POSITIVE_INFINITY, state}: TimelineOptions = {},
): Timeline {
  const purposes = new Map<string, Purpose>();
  const entries: TimelineEntry[] = [];
  for (const event of events) {
    if (event.type === 'session-asked') purposes.set(event.session, event.purpose);
    if (!all && isQuiet(event)) continue;
    const entry = toEntry(event, purposes, state);
    if (run === undefined || entry.run === run) entries.push(entry);
  }

  const shown = entries.slice(Math.max(0, entries.length - limit));
  return {entries: shown, earlier: entries.length - shown.length};
}

function toEntry(
  event: Event,
  purposes: ReadonlyMap<string, Purpose>,
  state: State | undefined,
): TimelineEntry {
  const {run, task, session} = selectEventSubject(event, purposes, state);
  return {at: event.at, type: event.type, words: describeEvent(event), run, task, session};
}

export type EventSubject = {
  readonly run: RunId | null;
  readonly task: TaskId | null;
  readonly session: SessionId | null;
  /** What the session is for. */
  readonly purpose: Purpose | undefined;
};

/** The run, task and session that an event belongs to. */
export function selectEventSubject(
  event: Event,
  purposes: ReadonlyMap<string, Purpose>,
  state: State | undefined,
): EventSubject {
  const session = 'session' in event ? event.session : null;
  const purpose =
    session === null
      ? undefined
      : (purposes.get(session) ??
        (state === undefined ? undefined : selectSession(state, session)?.purpose));
  const owner = 'owner' in event && event.type !== 'port-taken' ? event.owner : undefined;
  const task =
    taskIn(event) ??
    (owner !== undefined && isTaskId(owner) ? owner : undefined) ??
    (purpose !== undefined && 'task' in purpose ? purpose.task : undefined) ??
    null;
  const around = task ?? owner;
  const run =
    runIn(event) ??
    (around === undefined ? undefined : runIdIn(around)) ??
    (purpose?.for === 'plan' ? purpose.run : null);
  return {run, task, session, purpose};
}

function taskIn(event: Event): TaskId | undefined {
  return 'task' in event ? event.task : undefined;
}

function runIn(event: Event): RunId | undefined {
  return 'run' in event ? event.run : undefined;
}

/** One event a line, oldest first, each with its age. */
export function formatTimeline(
  {entries, earlier}: Timeline,
  {width, color, now}: TextOptions & {readonly now: number},
): string {
  if (entries.length === 0) return 'Nothing has happened yet.\n';
  const paint = createPaint(color);
  const ages = entries.map(({at}) => `${formatAge(now - at)} ago`);
  const column = Math.max(...ages.map((age) => age.length));
  const lines = entries.map(({type, words}, index) => {
    const text = cutLine(words, Math.max(8, width - column - 2));
    const tone = toTone(type);
    return `${(ages[index] ?? '').padStart(column)}  ${tone === undefined ? text : paint(text, tone)}`;
  });
  return `${[...(earlier === 0 ? [] : [`${earlier} earlier`]), ...lines].join('\n')}\n`;
}

/** Whether a person caused the event. */
export function isByPerson(event: Event): boolean {
  if (event.type === 'service-wanted') return event.by === 'person';
  if (event.type === 'service-stopped') return event.by === undefined;
  if (event.type === 'task-discarded') return event.why.kind === 'person';
  if (event.type === 'pause-ended') return event.by === 'person';
  if (event.type === 'session-asked') return event.purpose.for === 'person';
  return byPerson.has(event.type);
}

const byPerson: ReadonlySet<EventType> = new Set<EventType>([
  'note-added',
  'run-created',
  'run-held',
  'run-resumed',
  'budget-extended',
  'environment-refreshed',
  'baseline-chosen',
  'baseline-asked-again',
  'branch-adopted',
  'branch-restore-asked',
  'accept-asked',
  'run-discarded',
  'variant-picked',
  'undo-asked',
  'rejection-withdrawn',
  'planning-retried',
  'plan-commented',
  'plan-edited',
  'plan-rejected',
  'plan-approved',
  'attempt-granted',
  'task-taken-over',
  'task-handed-back',
  'task-reset',
  'task-held',
  'task-resumed',
  'session-stop-asked',
  'input-asked',
  'question-answered',
  'secret-typed',
  'service-restarted',
]);

/** Whether an event is good news, bad news, or neither. */
export function toTone(type: EventType): TextTone | undefined {
  if (bad.has(type)) return 'bad';
  return good.has(type) ? 'good' : undefined;
}

const bad: ReadonlySet<EventType> = new Set<EventType>([
  'journal-truncated',
  'disk-full',
  'trouble-met',
  'intrusion-refused',
  'run-parked',
  'budget-exhausted',
  'accept-refused',
  'undo-refused',
  'worktree-vanished',
  'plan-invalid',
  'planner-wrote',
  'planner-failed',
  'planning-failed',
  'planning-interrupted',
  'approval-voided',
  'attempt-interrupted',
  'agent-replaced',
  'agent-gave-up',
  'agent-failed',
  'attempt-failed',
  'task-stopped',
  'branch-moved',
  'merge-conflicted',
  'merge-refused',
  'session-lost',
  'session-unstoppable',
  'retry-noticed',
  'loop-noticed',
  'input-uncertain',
  'port-taken',
  'service-went-down',
  'service-backed-off',
  'service-failed',
]);

const good: ReadonlySet<EventType> = new Set<EventType>([
  'plan-approved',
  'change-validated',
  'task-merged',
  'run-accepted',
]);

/** Events that only say how something was done; left out unless `all` is set. */
export function isQuiet(event: Event): boolean {
  return (
    (quiet.has(event.type) && !(event.type === 'pause-ended' && event.by === 'person')) ||
    (event.type === 'session-waiting' && event.idle === true)
  );
}

const quiet: ReadonlySet<EventType> = new Set<EventType>([
  'daemon-stopping',
  'project-read',
  'effect-begun',
  'intrusion-seen',
  'queue-moved',
  'run-opened',
  'run-surveyed',
  'worktree-made',
  'worktree-renewed',
  'worktree-tidied',
  'setup-passed',
  'worktree-set-up',
  'baseline-recalled',
  'baseline-interrupted',
  'attempt-continued',
  'pause-ended',
  'agent-finished',
  'change-captured',
  'change-judged',
  'check-finished',
  'change-committed',
  'merge-begun',
  'merge-built',
  'merge-outdated',
  'merge-validated',
  'session-asked',
  'session-created',
  'session-running',
  'session-exited',
  'session-moved-on',
  'session-stop-asked',
  'input-asked',
  'input-typed',
  'usage-counted',
  'retry-ended',
  'loop-seen',
  'conversation-known',
  'tool-called',
  'service-declared',
]);

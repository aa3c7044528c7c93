import {
  isTaskId,
  runIdIn,
  type Event,
  type EventType,
  type Purpose,
  type RunId,
  type State,
  type TaskId,
  sessionOf,
} from '../../domain/index.ts';
import {describeEvent} from '../events/describe-event.ts';

export type Timeline = {
  readonly entries: readonly TimelineEntry[];
  /** Entries before these that a limit left out. */ readonly earlier: number;
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
  /** Every event, also those that only say how something was done. */
  readonly all?: boolean;
  readonly limit?: number;
  /** Tells whose session it is when the events begin in the middle. */
  readonly state?: State;
};

export function timelineOf(
  events: readonly Event[],
  {run, all = false, limit = Number.POSITIVE_INFINITY, state}: TimelineOptions = {},
): Timeline {
  const purposes = new Map<string, Purpose>();
  const entries: TimelineEntry[] = [];
  for (const event of events) {
    if (event.type === 'session-asked') purposes.set(event.session, event.purpose);
    if (!all && isQuiet(event)) continue;
    const entry = entryOf(event, purposes, state);
    if (run === undefined || entry.run === run) entries.push(entry);
  }

  const shown = entries.slice(Math.max(0, entries.length - limit));
  return {entries: shown, earlier: entries.length - shown.length};
}

function entryOf(
  event: Event,
  purposes: ReadonlyMap<string, Purpose>,
  state: State | undefined,
): TimelineEntry {
  const session = 'session' in event ? event.session : null;
  const purpose =
    session === null
      ? undefined
      : (purposes.get(session) ??
        (state === undefined ? undefined : sessionOf(state, session)?.purpose));
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
  return {at: event.at, type: event.type, words: describeEvent(event), run, task, session};
}

function taskIn(event: Event): TaskId | undefined {
  return 'task' in event ? event.task : undefined;
}

function runIn(event: Event): RunId | undefined {
  return 'run' in event ? event.run : undefined;
}

/** How it was done, not what happened: left out unless all is asked for. */
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

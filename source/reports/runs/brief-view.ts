import {
  isUndecided,
  type Event,
  type EventType,
  memoizedNeeds,
  noUsage,
  type Run,
  selectOpenRuns,
  selectRun,
  selectSession,
  selectTask,
  selectTaskSessions,
  selectTokens,
  type SessionId,
  type State,
  type Task,
  type TaskId,
  type Usage,
  usageOfSessions,
  selectCountedTasks,
} from '../../domain/index.ts';
import {hourOfDay, localOffset} from '../../shared/index.ts';
import {buildStopReport} from '../explain/stop-report.ts';
import {type NeedLabel, toNeedLabel} from '../explain/need-label.ts';
import {describeEvent} from '../messages/describe-event.ts';
import {toSafeLine} from '../terminal-text.ts';
import {type Brief, measureAbsence} from './build-brief.ts';
import {selectTrack, type TaskTrack, toTaskTitle} from './task-track.ts';
import {isByPerson, selectEventSubject} from './timeline.ts';
import {buildTimelineRows} from './timeline-rows.ts';

/** What a person sees on return, as data. */
export type BriefView = {
  readonly since: number;
  readonly at: number;
  readonly greeting: 'morning' | 'afternoon' | 'evening' | 'night';
  /** Absent on the first visit, and if the person was not away long enough. */
  readonly awayMs?: number;
  /** Tasks of the open runs. */
  readonly progress: {readonly merged: number; readonly all: number};
  /** Oldest first. `detail`: the question, or what failed. */
  readonly needs: readonly (NeedLabel & {readonly waitingMs: number; readonly detail: string})[];
  /** Tasks that were merged since. */
  readonly merged: readonly BriefMerged[];
  readonly running: readonly BriefRunning[];
  /** What went wrong with orchestra itself since: a full disk, lost sessions, refused commands. */
  readonly trouble: readonly {readonly at: number; readonly text: string}[];
  /** The last things that the person did before, oldest first. */
  readonly before: readonly {
    readonly at: number;
    readonly number?: number;
    readonly text: string;
  }[];
  /** What the open runs used in all and since then. */
  readonly used: {
    readonly tokens: number;
    /** The sum of their limits; absent if one has none. */
    readonly limit?: number;
    readonly tokensSince: number;
    readonly costSince?: number;
  };
};

/** The answer to `brief`. */
export type BriefAnswer = Brief & {readonly view: BriefView};

export type BriefMerged = {
  readonly task: TaskId;
  readonly number: number;
  readonly title: string;
  readonly tries: number;
  /** The person answered or typed a secret. */
  readonly helped?: 'answer' | 'secret';
  readonly durationMs?: number;
  readonly tokens: number;
  readonly cost?: number;
};

export type BriefRunning = {
  readonly task: TaskId;
  readonly number: number;
  readonly title: string;
  readonly track: TaskTrack;
};

export type BriefViewOptions = {
  readonly since: number;
  readonly now: number;
  /** When the person came back; now if unknown. */
  readonly came?: number | undefined;
  /** The person was never here before, so that there is no absence. @default false */
  readonly isFirstVisit?: boolean;
  /** Minutes east of UTC; of this machine if it is not given. */
  readonly offset?: number;
};

export function buildBriefView(
  state: State,
  events: readonly Event[],
  {since, now, came, isFirstVisit = false, offset = localOffset(now)}: BriefViewOptions,
): BriefView {
  const runs = selectOpenRuns(state);
  const tasks = runs.flatMap((run) =>
    selectCountedTasks(run).filter(({stage}) => stage.at !== 'discarded'),
  );
  const absence = measureAbsence({since, at: now, ...(came !== undefined && {came})});
  return {
    since,
    at: now,
    greeting: toGreeting(hourOfDay(now, offset)),
    ...(absence.awayMs !== undefined && !isFirstVisit && {awayMs: absence.awayMs}),
    progress: {
      merged: tasks.filter(({stage}) => stage.at === 'merged').length,
      all: tasks.length,
    },
    needs: selectBriefNeeds(state, events, now),
    merged: selectMerged(state, events, since),
    running: runs.flatMap((run) => selectRunningTasks(state, run)),
    trouble: events
      .filter(({at, type}) => at > since && troubleEvents.has(type))
      .map((event) => ({at: event.at, text: toSafeLine(describeEvent(event))})),
    before: selectBefore(state, events, since),
    used: measureUsed(state, runs, events, since),
  };
}

const troubleEvents: ReadonlySet<EventType> = new Set<EventType>([
  'journal-truncated',
  'disk-full',
  'session-lost',
  'intrusion-refused',
  'command-noted',
]);

function toGreeting(hour: number): BriefView['greeting'] {
  if (hour < 5 || hour >= 22) return 'night';
  if (hour < 12) return 'morning';
  return hour < 18 ? 'afternoon' : 'evening';
}

function selectBriefNeeds(state: State, events: readonly Event[], now: number): BriefView['needs'] {
  return memoizedNeeds(state).map((need) => {
    const label = toNeedLabel(state, need);
    const stop =
      need.kind === 'stopped' ? buildStopReport({state, about: need.task, events}) : undefined;
    const reason = stop?.tries.at(-1)?.reason ?? '';
    const failed = [stop?.failure?.title ?? '', reason].filter((text) => text !== '');
    return {
      ...label,
      waitingMs: Math.max(0, now - need.since),
      detail: need.kind === 'question' ? toSafeLine(need.question) : failed.join(': '),
    };
  });
}

function selectMerged(state: State, events: readonly Event[], since: number): BriefMerged[] {
  const merged = new Map<TaskId, number>();
  for (const event of events)
    if (event.type === 'task-merged' && event.at > since) merged.set(event.task, event.at);
  const helped = findHelped(state, events);
  return [...merged].flatMap(([id, at]): BriefMerged[] => {
    const task = selectTask(state, id);
    const run = selectRun(state, id.split('.', 1)[0] as Run['id']);
    if (task === undefined || run === undefined) return [];
    const sessions = selectTaskSessions(state, id);
    const starts = sessions.flatMap(({life}) => ('since' in life ? [life.since] : []));
    const usage = usageOfSessions(sessions);
    const help = helped.get(id);
    return [
      {
        task: id,
        number: run.tasks.indexOf(task) + 1,
        title: toTaskTitle(run, task),
        tries: task.attempts.length,
        ...(help !== undefined && {helped: help}),
        ...(starts.length > 0 && {durationMs: Math.max(0, at - Math.min(...starts))}),
        tokens: selectTokens(usage),
        ...(usage.cost !== undefined && {cost: usage.cost}),
      },
    ];
  });
}

function findHelped(
  state: State,
  events: readonly Event[],
): ReadonlyMap<TaskId, 'answer' | 'secret'> {
  const found = new Map<TaskId, 'answer' | 'secret'>();
  for (const event of events) {
    if (event.type !== 'secret-typed' && event.type !== 'question-answered') continue;
    const {task} = selectEventSubject(event, new Map(), state);
    if (task !== null) found.set(task, event.type === 'secret-typed' ? 'secret' : 'answer');
  }

  return found;
}

function selectRunningTasks(state: State, run: Run): BriefRunning[] {
  const isRunning = ({stage, hold, trouble}: Task): boolean =>
    ['preparing', 'attempting', 'taken-over', 'validated', 'merging'].includes(stage.at) &&
    hold === undefined &&
    trouble === undefined;
  const waitsForPick = (task: Task): boolean =>
    task.stage.at === 'validated' && isUndecided(run, task);
  return run.tasks.flatMap((task, index) => {
    const track = selectTrack(state, task);
    const isAsking = Object.values(track).includes('asks');
    return isRunning(task) && !isAsking && !waitsForPick(task)
      ? [{task: task.id, number: index + 1, title: toTaskTitle(run, task), track}]
      : [];
  });
}

const maxBefore = 3;

function selectBefore(state: State, events: readonly Event[], since: number): BriefView['before'] {
  return events
    .filter((event) => event.at <= since && isByPerson(event))
    .slice(-maxBefore)
    .map((event) => {
      const {run: id} = selectEventSubject(event, new Map(), state);
      const run = id === null ? undefined : selectRun(state, id);
      const row =
        run === undefined ? undefined : buildTimelineRows(state, run, [event], {all: true})[0];
      return {
        at: event.at,
        ...(row?.number !== undefined && {number: row.number}),
        text: row?.words ?? toSafeLine(describeEvent(event)),
      };
    });
}

function measureUsed(
  state: State,
  runs: readonly Run[],
  events: readonly Event[],
  since: number,
): BriefView['used'] {
  const before = new Map<SessionId, Usage>();
  for (const event of events)
    if (event.type === 'usage-counted' && event.at <= since) before.set(event.session, event.usage);
  const ids = runs.flatMap(({sessions}) => sessions);
  const sessions = ids.flatMap((id) => selectSession(state, id) ?? []);
  const used = usageOfSessions(sessions);
  const earlier = ids.map((id) => before.get(id) ?? noUsage);
  const limits = runs.flatMap(({budget}) => budget.tokens ?? []);
  const tokens = selectTokens(used);
  return {
    tokens,
    ...(runs.length > 0 && limits.length === runs.length && {limit: sum(limits)}),
    tokensSince: Math.max(0, tokens - sum(earlier.map(selectTokens))),
    ...(used.cost !== undefined && {
      costSince: Math.max(0, used.cost - sum(earlier.map(({cost = 0}) => cost))),
    }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import {
  type Event,
  type Purpose,
  type Run,
  selectTaskSessions,
  selectTokens,
  selectSession,
  type State,
  type Usage,
  usageOfSessions,
} from '../../domain/index.ts';
import {toTaskTitle} from './task-track.ts';
import {type ChartSegment, type RowInProgress, stepChart} from './chart-steps.ts';

/** A run over time: one row for the plan, one for each task. */
export type TimelineChart = {
  readonly from: number;
  /** The end of the run, or now. */
  readonly to: number;
  readonly isUnderWay: boolean;
  readonly plan: ChartRow;
  /** In the order of the plan; the number of a task is its place. */
  readonly tasks: readonly ChartRow[];
  /** How often tasks waited for the person, and how long in all; overlapping waits count once. */
  readonly asked: {readonly times: number; readonly totalMs: number};
};

export type ChartRow = {
  readonly title: string;
  readonly segments: readonly ChartSegment[];
  readonly tokens: number;
  readonly cost?: number;
};

/** `events`: at least those of the run and of its sessions, in order. */
export function buildTimelineChart(
  state: State,
  run: Run,
  events: readonly Event[],
  now: number,
): TimelineChart {
  const purposes = new Map<string, Purpose>();
  const rows = new Map<string, RowInProgress>([['plan', createRow()]]);
  for (const {id} of run.tasks) rows.set(id, createRow());
  for (const event of events) {
    if (event.type === 'session-asked') purposes.set(event.session, event.purpose);
    const purpose =
      'session' in event
        ? (purposes.get(event.session) ?? selectSession(state, event.session)?.purpose)
        : undefined;
    stepChart({run: run.id, rows, event, purpose});
  }

  const isUnderWay = run.stage.at !== 'accepted' && run.stage.at !== 'discarded';
  const last = Math.max(run.createdAt, ...[...rows.values()].map(({lastAt}) => lastAt));
  const to = Math.max(run.createdAt, isUnderWay ? now : last);
  const segmentsOf = (key: string): ChartSegment[] => closeRow(rows.get(key) ?? createRow(), to);
  const tasks = run.tasks.map((task): ChartRow => ({
    title: toTaskTitle(run, task),
    segments: segmentsOf(task.id),
    ...toUsage(usageOfSessions(selectTaskSessions(state, task.id))),
  }));
  const planners = run.sessions
    .flatMap((id) => selectSession(state, id) ?? [])
    .filter(({purpose}) => purpose.for === 'plan');
  return {
    from: run.createdAt,
    to,
    isUnderWay,
    plan: {title: 'plan', segments: segmentsOf('plan'), ...toUsage(usageOfSessions(planners))},
    tasks,
    asked: measureWaits(tasks.flatMap(({segments}) => segments)),
  };
}

function toUsage(usage: Usage): Pick<ChartRow, 'tokens' | 'cost'> {
  return {tokens: selectTokens(usage), ...(usage.cost !== undefined && {cost: usage.cost})};
}

function createRow(): RowInProgress {
  return {segments: [], open: undefined, resumes: undefined, lastAt: 0};
}

function closeRow({segments, open}: RowInProgress, to: number): ChartSegment[] {
  return open === undefined || open.from > to
    ? segments
    : [...segments, {kind: open.kind, from: open.from, to}];
}

/** The waits for a person, and the length of their union. */
export function measureWaits(segments: readonly ChartSegment[]): TimelineChart['asked'] {
  const waits = segments
    .filter(({kind}) => kind === 'waited-for-you')
    .toSorted((one, other) => one.from - other.from);
  let [totalMs, end] = [0, Number.NEGATIVE_INFINITY];
  for (const {from, to} of waits) {
    totalMs += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }

  return {times: waits.length, totalMs};
}

/**
 * Times for the axis: whole steps of the clock, at most `max` of them. `offset`: minutes east of
 * UTC.
 */
export function selectTicks(
  {from, to}: Pick<TimelineChart, 'from' | 'to'>,
  max: number,
  offset = 0,
): number[] {
  const span = to - from;
  const step =
    tickSteps.find((candidate) => span / candidate <= max - 1) ??
    Math.ceil(span / Math.max(1, max - 1) / dayMs) * dayMs;
  if (!Number.isFinite(step) || step <= 0 || span < 0) return [];
  const shift = offset * minuteMs;
  const first = Math.ceil((from + shift) / step) * step - shift;
  const count = Math.max(0, Math.floor((to - first) / step) + 1);
  return Array.from({length: Math.min(count, max)}, (_, index) => first + index * step);
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

const tickSteps: readonly number[] = [
  ...[1, 5, 10, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440].map((minutes) => minutes * minuteMs),
];

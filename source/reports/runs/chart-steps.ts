import {
  type Event,
  type EventType,
  isTaskId,
  type Purpose,
  type RunId,
  runIdIn,
} from '../../domain/index.ts';

/** `red` and `merged` are moments: they begin and end at the same time. So is what you did. */
export type ChartSegment = {
  readonly from: number;
  readonly to: number;
  readonly kind: 'work' | 'checks' | 'red' | 'waited-for-you' | 'merged' | 'you';
};

/** A row while the events are read. */
export type RowInProgress = {
  readonly segments: ChartSegment[];
  open: {readonly kind: ChartSegment['kind']; readonly from: number} | undefined;
  /** What goes on when a wait or a pause ends. */
  resumes: ChartSegment['kind'] | undefined;
  lastAt: number;
};

/** One event, and the rows of the chart by task id, with `plan` for the planner. */
export type ChartStep = {
  readonly run: RunId;
  readonly rows: ReadonlyMap<string, RowInProgress>;
  readonly event: Event;
  /** What the session of the event is for. */
  readonly purpose: Purpose | undefined;
};

/** Draws one event into the rows that it changes. */
export function stepChart({run, rows, event, purpose}: ChartStep): void {
  const key = findRow(run, event, purpose);
  if (key === undefined) return;
  const inAll = runSteps[event.type];
  if (inAll !== undefined) for (const row of rows.values()) apply(row, inAll, event.at);
  const row = rows.get(key);
  if (row === undefined) return;
  const step = key === 'plan' ? planSteps[event.type] : taskSteps[event.type];
  if (step !== undefined) apply(row, step, event.at);
  // The person's own attempt is checked, that of the agent goes on.
  if (event.type === 'task-handed-back')
    begin(row, event.to === 'agent' ? 'work' : 'checks', event.at);
  stepSession(row, event, purpose);
}

/**
 * What an event does to a row: it begins something, marks a moment, or ends, pauses or resumes what
 * is under way. `interrupt` begins a wait where something is under way.
 */
type Step =
  | {readonly begins: ChartSegment['kind']}
  | {readonly marks: ChartSegment['kind']; readonly begins?: ChartSegment['kind']}
  | 'end'
  | 'pause'
  | 'resume'
  | 'interrupt';

type Steps = Readonly<Partial<Record<EventType, Step>>>;

/** Events of a run that change all its rows. */
const runSteps: Steps = {
  'run-held': 'pause',
  'run-parked': 'interrupt',
  'budget-exhausted': 'interrupt',
  'run-resumed': 'resume',
  'budget-extended': 'resume',
  'run-accepted': 'end',
  'run-discarded': 'end',
};

const planSteps: Steps = {
  'planning-started': {begins: 'work'},
  'plan-received': {begins: 'waited-for-you'},
  'approval-voided': {begins: 'waited-for-you'},
  'planning-failed': {marks: 'red', begins: 'waited-for-you'},
  'plan-approved': {marks: 'you'},
  'plan-rejected': {marks: 'you'},
  'planning-retried': {marks: 'you'},
};

const taskSteps: Steps = {
  'task-begun': {begins: 'work'},
  'attempt-started': {begins: 'work'},
  'attempt-continued': {begins: 'work'},
  'pause-ended': {begins: 'work'},
  'agent-replaced': {marks: 'red', begins: 'work'},
  'agent-finished': {begins: 'checks'},
  'merge-begun': {begins: 'checks'},
  'change-committed': 'end',
  'attempt-paused': 'end',
  'task-discarded': 'end',
  'attempt-failed': {marks: 'red'},
  'merge-refused': {marks: 'red'},
  'merge-conflicted': {marks: 'red'},
  'task-stopped': {begins: 'waited-for-you'},
  'trouble-met': {begins: 'waited-for-you'},
  'attempt-granted': {marks: 'you'},
  'task-taken-over': {begins: 'you'},
  'task-held': 'pause',
  'task-resumed': 'resume',
  'task-merged': {marks: 'merged'},
};

function apply(row: RowInProgress, step: Step, at: number): void {
  if (step === 'end') end(row, at);
  else if (step === 'pause') pause(row, at);
  else if (step === 'resume') resume(row, at);
  else if (step === 'interrupt') {
    if (row.open !== undefined) begin(row, 'waited-for-you', at);
  } else {
    if ('marks' in step) mark(row, step.marks, at);
    if (step.begins !== undefined) begin(row, step.begins, at);
  }
}

function findRow(run: RunId, event: Event, purpose: Purpose | undefined): string | undefined {
  if ('task' in event) return runIdIn(event.task) === run ? event.task : undefined;
  if (event.type === 'trouble-met')
    return runIdIn(event.owner) === run ? toRow(event.owner) : undefined;
  if ('run' in event) return event.run === run ? 'plan' : undefined;
  if (purpose?.for === 'plan') return purpose.run === run ? 'plan' : undefined;
  if (purpose === undefined || !('task' in purpose)) return undefined;
  return runIdIn(purpose.task) === run ? purpose.task : undefined;
}

function toRow(owner: string): string {
  return isTaskId(owner) ? owner : 'plan';
}

/** A question of a session: the wait begins, and what went on before goes on after it. */
function stepSession(row: RowInProgress, event: Event, purpose: Purpose | undefined): void {
  // In a session of the person, and in a shell, waiting is the usual state.
  if (purpose === undefined || purpose.for === 'takeover' || purpose.for === 'shell') return;
  const isWaiting = row.open?.kind === 'waited-for-you';
  const isAsking =
    event.type === 'question-asked' || (event.type === 'session-waiting' && event.idle !== true);
  if (isAsking && !isWaiting) begin(row, 'waited-for-you', event.at);
  if (endsOfQuestions.has(event.type) && isWaiting) resume(row, event.at);
}

const endsOfQuestions: ReadonlySet<EventType> = new Set<EventType>([
  'session-moved-on',
  'question-answered',
  'session-exited',
  'session-lost',
]);

/** Ends what is under way and begins `kind`. A wait remembers what it interrupts. */
function begin(row: RowInProgress, kind: ChartSegment['kind'], at: number): void {
  const before = row.open?.kind;
  if (before === kind) return;
  end(row, at);
  row.open = {kind, from: at};
  row.resumes = kind === 'waited-for-you' ? before : undefined;
}

function end(row: RowInProgress, at: number): void {
  const {open} = row;
  if (open !== undefined && at > open.from)
    row.segments.push({kind: open.kind, from: open.from, to: at});
  row.open = undefined;
  row.lastAt = Math.max(row.lastAt, at);
}

function mark(row: RowInProgress, kind: ChartSegment['kind'], at: number): void {
  end(row, at);
  const last = row.segments.at(-1);
  if (last?.kind !== kind || last.to !== at) row.segments.push({kind, from: at, to: at});
}

function pause(row: RowInProgress, at: number): void {
  const kind = row.open?.kind;
  if (kind === undefined) return;
  end(row, at);
  row.resumes = kind;
}

function resume(row: RowInProgress, at: number): void {
  const kind = row.resumes;
  if (kind === undefined) return;
  begin(row, kind, at);
  row.resumes = undefined;
}

import {
  type Event,
  type Failure,
  isTaskId,
  type Run,
  runIdIn,
  selectRun,
  selectTask,
  selectTokens,
  type State,
  type StopReason,
  type Task,
  toTaskId,
  usageOfAttempt,
} from '../../domain/index.ts';
import {type FailureDetails, parseFailureText} from '../../failures/index.ts';
import {selectTaskNumber, selectTrack, type TaskTrack, toFailedTrack} from '../runs/task-track.ts';
import {type AttemptRecord, planOfRun, toAttemptRecords} from '../summary/run-record.ts';
import {describeConfidence} from '../messages/describe-reason.ts';
import {redactTexts} from '../summary/safe-text.ts';
import {toSafeLine} from '../terminal-text.ts';
import {needsAbout, selectMissing, type StopSource} from './explain-stop.ts';
import {describeStopShort} from './need-label.ts';

/** A task that stopped: what failed, what was tried, who waits for it. */
export type StopReport = {
  readonly task: string;
  readonly number: number;
  readonly title: string;
  /** When it stopped; absent if it has not. */
  readonly since?: number;
  readonly failure?: FailureView;
  readonly tries: readonly TryView[];
  readonly allowed: number;
  /** Tasks that cannot start without it. */
  readonly waiting: readonly {readonly number: number; readonly title: string}[];
  /** Dependencies that the worktree lacks, if a check seems to fail because of that. */
  readonly missing?: readonly string[];
};

export type FailureView = {
  readonly kind: StopReason['kind'];
  /** `test failed twice`. */
  readonly title: string;
  readonly test?: string;
  readonly place?: string;
  readonly expected?: string;
  readonly got?: string;
  /** What came instead in the first try, if it differs. */
  readonly firstGot?: string;
  /** The rule that is broken. */
  readonly rule?: {readonly number: string; readonly text: string};
  /** Files outside the plan, or files in conflict. */
  readonly paths: readonly string[];
  /** `found`, `likely` or `end of the log`. Absent if the journal does not say. */
  readonly confidence?: string;
  /** Which report it was read from, or why a report was not used. */
  readonly source?: string;
  /** The failure as it is, where nothing could be read out of it; the two sides of a conflict. */
  readonly lines: readonly string[];
};

export type TryView = {
  readonly number: number;
  readonly kind: 'work' | 'repair' | 'yours';
  readonly track: TaskTrack;
  readonly added: number;
  readonly removed: number;
  readonly reason: string;
  readonly hint?: string;
  readonly tokens: number;
  readonly cost?: number;
  readonly durationMs?: number;
  /** The last sentence of the agent. */
  readonly lastSentence?: string;
};

/** Undefined for a run, and for a task that does not exist. */
export function buildStopReport(source: StopSource): StopReport | undefined {
  const {state, about, events = [], redact = (text: string) => text} = source;
  const run = selectRun(state, runIdIn(about));
  const task = isTaskId(about) ? selectTask(state, about) : undefined;
  if (run === undefined || task === undefined) return undefined;
  const own = events.filter((event) => 'task' in event && event.task === task.id);
  const records = toAttemptRecords(task, own);
  const failure = selectFailureView(run, task, records, events);
  const missing = selectMissing(source.absent ?? [], needsAbout(state, about, task), records);
  const report: StopReport = {
    task: task.id,
    number: selectTaskNumber(run, task.id) ?? 0,
    title: toSafeLine(task.planned.title),
    ...(task.stage.at === 'stopped' && {since: task.stage.since}),
    ...(failure !== undefined && {failure}),
    tries: records.map((record) => toTry(state, task, record, own)),
    allowed: task.allowed,
    waiting: selectDependents(run, task),
    ...(missing.length > 0 && {missing: missing.map(toSafeLine)}),
  };
  return redactTexts(report, redact);
}

function selectFailureView(
  run: Run,
  task: Task,
  records: readonly AttemptRecord[],
  events: readonly Event[],
): FailureView | undefined {
  const failures = records.flatMap(({failure}) => failure ?? []);
  const why = task.stage.at === 'stopped' ? task.stage.why : failures.at(-1);
  if (why === undefined) return undefined;
  const times = failures.filter((failure) => isSameFailure(failure, why)).length;
  return {
    kind: why.kind,
    title: toSafeLine(`${describeStopShort(why)}${formatTimes(times)}`),
    paths: 'paths' in why ? why.paths.slice(0, maxPaths).map(toSafeLine) : [],
    ...describeDetails(run, why, failures[0], events),
    ...(why.kind === 'check' && describeReading(why)),
  };
}

function describeReading({
  confidence,
  source,
}: Extract<StopReason, {readonly kind: 'check'}>): Pick<FailureView, 'confidence' | 'source'> {
  return {
    ...(confidence !== undefined && {confidence: describeConfidence(confidence)}),
    ...(source !== undefined && {source: toSafeLine(source)}),
  };
}

const maxPaths = 20;
const maxLines = 20;

function isSameFailure(one: Failure, other: StopReason): boolean {
  return (
    one.kind === other.kind &&
    (one.kind !== 'check' || other.kind !== 'check' || one.name === other.name)
  );
}

function formatTimes(times: number): string {
  if (times < 2) return '';
  return times === 2 ? ' twice' : ` ${times} times`;
}

function describeDetails(
  run: Run,
  why: StopReason,
  first: Failure | undefined,
  events: readonly Event[],
): Omit<FailureView, 'kind' | 'title' | 'paths'> {
  switch (why.kind) {
    case 'check':
      return detailsOfCheck(parseFailureText(why.firstFailure), first);
    case 'rule': {
      const text = planOfRun(run, events).rules?.rules.find(({number}) => number === why.number);
      return {
        rule: {number: why.number, text: toSafeLine(text?.text ?? '')},
        lines: toLines(why.detail),
      };
    }

    case 'conflict':
      return {lines: toLines(why.hunks ?? '')};
    case 'scope':
      return {
        lines: (why.refused ?? []).map(({path, why: text}) => toSafeLine(`${path}: ${text}`)),
      };
    case 'no-change':
      return {lines: (why.denied ?? []).map(toSafeLine)};
    case 'agent':
    case 'gave-up':
      return {lines: toLines(why.words)};
    case 'loop':
      return {lines: toLines(why.evidence)};
    default:
      return {lines: []};
  }
}

function detailsOfCheck(
  {test, place, expected, got, lines}: FailureDetails,
  first: Failure | undefined,
): Omit<FailureView, 'kind' | 'title' | 'paths'> {
  const before = first?.kind === 'check' ? parseFailureText(first.firstFailure).got : undefined;
  const isRead = expected !== undefined && got !== undefined;
  return {
    ...(test !== undefined && {test: toSafeLine(test)}),
    ...(place !== undefined && {place: toSafeLine(place)}),
    ...(isRead && {expected: toSafeLine(expected), got: toSafeLine(got)}),
    ...(isRead && before !== undefined && before !== got && {firstGot: toSafeLine(before)}),
    lines: isRead ? [] : lines.map(toSafeLine),
  };
}

function toLines(text: string): string[] {
  return text
    .split('\n')
    .slice(0, maxLines)
    .map(toSafeLine)
    .filter((line) => line !== '');
}

function toTry(state: State, task: Task, record: AttemptRecord, events: readonly Event[]): TryView {
  const {number, by, repairs, hint, change, failure} = record;
  const usage = usageOfAttempt(state, task, number);
  const own = events.filter((event) => 'attempt' in event && event.attempt === number);
  const text = own.findLast((event) => event.type === 'agent-finished')?.words;
  const sentence = text === undefined ? undefined : findLastSentence(text);
  const durationMs = measureTry(own);
  return {
    number,
    kind: toKind(by, repairs !== undefined),
    track: failure === undefined ? trackOfTry(state, task, record) : toFailedTrack(failure),
    added: sum((change?.files ?? []).map(({added}) => added)),
    removed: sum((change?.files ?? []).map(({removed}) => removed)),
    reason: toSafeLine(describeTry(record)),
    ...(hint !== undefined && {hint: toSafeLine(hint)}),
    tokens: selectTokens(usage),
    ...(usage.cost !== undefined && {cost: usage.cost}),
    ...(durationMs !== undefined && {durationMs}),
    ...(sentence !== undefined && {lastSentence: toSafeLine(sentence)}),
  };
}

function toKind(by: AttemptRecord['by'], isRepair: boolean): TryView['kind'] {
  if (by === 'person') return 'yours';
  return isRepair ? 'repair' : 'work';
}

function trackOfTry(state: State, task: Task, {number, end}: AttemptRecord): TaskTrack {
  if (number === task.attempts.length) return selectTrack(state, task);
  return end === 'passed'
    ? {work: 'done', rules: 'done', checks: 'done', merge: 'todo'}
    : {work: 'failed', rules: 'todo', checks: 'todo', merge: 'todo'};
}

/** The reason of a try in short. */
export function describeTry({failure, gaveUp, end}: AttemptRecord): string {
  if (failure?.kind === 'check') return parseFailureText(failure.firstFailure).reason;
  if (failure !== undefined) return describeStopShort(failure);
  if (gaveUp !== undefined) return 'the agent gave up';
  return {
    passed: 'passed',
    failed: 'failed',
    'gave-up': 'the agent gave up',
    abandoned: 'ended early',
    'under-way': 'under way',
  }[end];
}

/** From its start to its end, checks included. */
function measureTry(own: readonly Event[]): number | undefined {
  const start = own.find(({type}) => type === 'attempt-started')?.at;
  const end = own.findLast(({type}) => type !== 'usage-counted')?.at;
  return start === undefined || end === undefined || end <= start ? undefined : end - start;
}

export function findLastSentence(text: string): string | undefined {
  const sentences = text.trim().match(/[^.!?\n]+[.!?]*/g) ?? [];
  return sentences
    .map((sentence) => sentence.trim())
    .findLast((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    ?.slice(0, maxSentenceLength);
}

const maxSentenceLength = 300;

/** Tasks that come after it, also by way of others, and have not ended. */
export function selectDependents(run: Run, task: Task): StopReport['waiting'] {
  const found = new Set<string>([task.id]);
  for (const other of run.tasks)
    if (other.planned.after.some((id) => found.has(toTaskId(run.id, id)))) found.add(other.id);
  return run.tasks.flatMap(({id, planned, stage}, index) =>
    id !== task.id && found.has(id) && stage.at === 'waiting'
      ? [{number: index + 1, title: toSafeLine(planned.title)}]
      : [],
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

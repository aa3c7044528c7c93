import {
  type Event,
  type Failure,
  isTaskId,
  type Need,
  type Run,
  type RunId,
  runIdIn,
  selectCheckSession,
  selectNeeds,
  selectRun,
  selectTask,
  type State,
  type Task,
  type TaskId,
} from '../../domain/index.ts';
import {type AttemptRecord, toAttemptRecords} from '../summary/run-record.ts';
import {
  fencedLines,
  formatCode,
  formatPlain,
  type Redact,
  redactTexts,
} from '../summary/safe-text.ts';
import {attemptLine, part} from '../summary/summary-parts.ts';
import {selectRepositoryNotes} from '../messages/describe-state.ts';
import {describeConfidence} from '../messages/describe-reason.ts';
import {adviceOn, formatNeed, subjectOfNeed} from './format-need.ts';
import {listOptions, type Way, waysOfHeld, waysOfTakenOver} from './list-options.ts';

export type StopSource = {
  readonly state: State;
  /** What stopped: a run, or one of its tasks. */
  readonly about: RunId | TaskId;
  readonly events?: readonly Event[];
  /** The change so far, one line a file, in the form of `git diff --stat`. */
  readonly diff?: readonly string[];
  /** Conflicts with merged work, with the hunks. */
  readonly conflicts?: readonly {readonly path: string; readonly hunks: string}[];
  /** Dependency directories that the checkout has but the worktree lacks. */
  readonly absent?: readonly string[];
  readonly redact?: Redact;
};

/**
 * Explains why a run or task stopped: the first failure, the attempts, the change so far, and the
 * commands to continue with.
 */
export function explainStop(source: StopSource): string {
  const {redact = (text: string) => text} = source;
  const {state, about} = source;
  const run = selectRun(state, runIdIn(about));
  if (run === undefined) return `# ${about}\n\nThere is no run ${runIdIn(about)}.\n`;
  const task = isTaskId(about) ? selectTask(state, about) : undefined;
  const needs = redactTexts(needsAbout(state, about, task), redact);
  const records =
    task === undefined ? [] : redactTexts(toAttemptRecords(task, source.events), redact);
  const {diff, conflicts} = redactTexts(
    {diff: source.diff ?? [], conflicts: source.conflicts ?? []},
    redact,
  );
  const [need] = needs;
  return [
    `# ${need === undefined ? formatHeadline(run, task, redact) : formatPlain(formatNeed(need), 300)}`,
    ...(task === undefined ? [] : ['', `Task: ${formatPlain(redact(task.planned.title), 200)}`]),
    ...part('What failed first', firstFailureLines(records, need)),
    ...logLines(state, task, records),
    ...needs.flatMap((one) => adviceOn(one)),
    ...adviceOnAbsent(source.absent ?? [], needs, records),
    ...part(
      'Tries',
      records.map((record) => `- ${attemptLine(record)}`),
    ),
    ...part('Conflicts', conflictLines(conflicts, records)),
    ...part(
      'The change so far',
      diff.length === 0
        ? []
        : fencedLines(
            diff
              .slice(0, maxDiffLines)
              .concat(diff.length > maxDiffLines ? [`and ${diff.length - maxDiffLines} more`] : []),
          ),
    ),
    ...part(
      'About the repository, when the run started',
      task === undefined ? selectRepositoryNotes(run).map((text) => `- ${text}`) : [],
    ),
    ...part(
      'What you can do',
      wayLines(
        needs.length > 0
          ? needs.flatMap((one) => listOptions(state, one))
          : waysWithoutNeed(run, task),
      ),
    ),
    '',
  ].join('\n');
}

const maxHunkLines = 40;
const maxDiffLines = 30;

/** How runtimes and shells report a missing package or program. */
const missingPatterns = [
  /cannot find (?:module|package)/i,
  /(?:ERR_)?MODULE_NOT_FOUND/,
  /no module named/i,
  /ModuleNotFoundError/,
  /(?:command )?not found/i,
  /cannot load such file/i,
  /could not resolve/i,
  /failed opening required .*autoload/i,
  /no such file or directory/i,
  /ENOENT/,
  /is not recognized as/i,
  /cannot find type definition/i,
  /unresolved import/i,
  /cannot be resolved/i,
];

function adviceOnAbsent(
  absent: readonly string[],
  needs: readonly Need[],
  records: readonly AttemptRecord[],
): string[] {
  const missing = selectMissing(absent, needs, records);
  return missing.length === 0 ? [] : ['', describeMissing(missing, formatCode)];
}

/**
 * Dependencies that are missing in the worktree, if a check seems to fail because of that: it then
 * says nothing about the change.
 */
export function selectMissing(
  absent: readonly string[],
  needs: readonly Need[],
  records: readonly AttemptRecord[],
): readonly string[] {
  if (absent.length === 0) return [];
  const isBroken = needs.some(
    (need) => need.kind === 'trouble' && need.why.kind === 'broken-check',
  );
  const failures = records.flatMap(({failure}) =>
    failure?.kind === 'check' ? [failure.firstFailure] : [],
  );
  const isMissing = failures.some((text) => missingPatterns.some((pattern) => pattern.test(text)));
  return isBroken || isMissing ? absent : [];
}

/** What to do about missing dependencies. `format` marks names. @default as they are */
export function describeMissing(
  missing: readonly string[],
  format: (name: string) => string = (name) => name,
): string {
  const [only, ...others] = missing;
  const [is, it] = others.length === 0 ? ['is', 'it'] : ['are', 'them'];
  const names = missing
    .slice(0, 3)
    .map((name) => format(name))
    .join(', ');
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  const command = `orchestra share ${others.length === 0 ? (only ?? '') : '--detected'}`;
  return (
    `${names}${more} ${is} in your checkout and not in this worktree, because git ignores ` +
    `${it}. Share ${it} with every task, then resume: ${format(command)}`
  );
}

/**
 * The needs of a run or task itself; if it has none, those of a run's tasks, or those of a task's
 * run.
 */
export function needsAbout(state: State, about: RunId | TaskId, task: Task | undefined): Need[] {
  const needs = selectNeeds(state);
  const own = needs.filter((need) => subjectOfNeed(need) === about);
  if (own.length > 0) return own;
  return task === undefined
    ? needs.filter((need) => runOfNeed(need) === about)
    : needs.filter((need) => subjectOfNeed(need) === runIdIn(task.id));
}

function runOfNeed(need: Need): RunId | undefined {
  if ('task' in need) return runIdIn(need.task);
  return 'owner' in need ? runIdIn(need.owner) : undefined;
}

function formatHeadline(run: Run, task: Task | undefined, redact: Redact): string {
  const hold = task?.hold ?? run.hold;
  const id = task?.hold === undefined && run.hold !== undefined ? run.id : (task?.id ?? run.id);
  if (hold !== undefined)
    return formatPlain(
      redact(`${id} was stopped by you${hold.reason === undefined ? '' : `: ${hold.reason}`}`),
      300,
    );
  if (task?.stage.at === 'taken-over') return `${task.id} is in your hands`;
  return `${id} has not stopped`;
}

/** The first failure in full: later ones are often its consequences. */
function firstFailureLines(records: readonly AttemptRecord[], need: Need | undefined): string[] {
  const failure = records.find((record) => record.failure !== undefined)?.failure;
  if (failure?.kind === 'check')
    return [
      `${failure.code}${failure.on === 'merge' ? ' after merging' : ''}, from the check ${formatCode(failure.name)}${formatReading(failure)}:`,
      ...fencedLines(failure.firstFailure.split('\n').slice(0, 20)),
    ];
  const record = records.find((one) => one.failure !== undefined || one.gaveUp !== undefined);
  if (record !== undefined) return [attemptLine(record)];
  if (need?.kind !== 'planless' || need.why.kind !== 'invalid') return [];
  const {problems, words} = need.why;
  const text =
    words === undefined || words.trim() === ''
      ? []
      : ['', 'The last output of the planner:', ...fencedLines(words.split('\n').slice(-20))];
  return [...problems.slice(0, 10).map((problem) => `- ${formatPlain(problem, 200)}`), ...text];
}

/** How sure the reading is, and what was read. Empty if the journal does not say. */
function formatReading({confidence, source}: Extract<Failure, {readonly kind: 'check'}>): string {
  const parts = [
    ...(confidence === undefined ? [] : [describeConfidence(confidence)]),
    ...(source === undefined ? [] : [formatPlain(source, 500)]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`;
}

/** The command that shows the whole output of the check that failed last. */
function logLines(
  state: State,
  task: Task | undefined,
  records: readonly AttemptRecord[],
): string[] {
  const failure = records.findLast((record) => record.failure !== undefined)?.failure;
  const session =
    task === undefined || failure?.kind !== 'check'
      ? undefined
      : selectCheckSession(state, task, failure);
  return session === undefined
    ? []
    : ['', `The whole log of the last failure: ${formatCode(`orchestra logs ${session}`)}`];
}

/** The conflicts passed in, or those of the last attempt. */
function conflictLines(
  conflicts: NonNullable<StopSource['conflicts']>,
  records: readonly AttemptRecord[],
): string[] {
  const failure = records.findLast((record) => record.failure !== undefined)?.failure;
  const lastConflict =
    failure?.kind === 'conflict' && failure.hunks !== undefined
      ? fencedLines(failure.hunks.split('\n').slice(0, maxHunkLines))
      : [];
  return conflicts.length === 0
    ? lastConflict
    : conflicts
        .slice(0, 10)
        .flatMap(({path, hunks}) => [
          `${formatCode(path)}:`,
          ...fencedLines(hunks.split('\n').slice(0, maxHunkLines)),
        ]);
}

function waysWithoutNeed(run: Run, task: Task | undefined): Way[] {
  if (task?.hold !== undefined) return waysOfHeld(task.id);
  if (run.hold !== undefined) return waysOfHeld(run.id);
  return task?.stage.at === 'taken-over' ? waysOfTakenOver(task.id, task.stage.session) : [];
}

function wayLines(ways: readonly Way[]): string[] {
  const unique = [...new Map(ways.map((way) => [way.command, way])).values()];
  if (unique.length === 0) return [];
  const width = Math.max(...unique.map(({command}) => command.length));
  return fencedLines(unique.map(({command, effect}) => `${command.padEnd(width)}  # ${effect}`));
}

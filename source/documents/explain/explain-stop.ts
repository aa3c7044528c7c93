import {
  isTaskId,
  needsOf,
  runIdIn,
  runOf,
  taskOf,
  type Event,
  type Need,
  type Run,
  type RunId,
  type State,
  type Task,
  type TaskId,
} from '../../domain/index.ts';
import {attemptRecordsOf, type AttemptRecord} from '../summary/attempt-record.ts';
import {codeWords, fencedLines, plainWords} from '../summary/plain-words.ts';
import {redactTexts, type Redact} from '../summary/redact-texts.ts';
import {attemptLine, part} from '../summary/summary-parts.ts';
import {adviceOnAbsent} from './advice-on-absent.ts';
import {repositoryNotesOf} from '../story/repository-notes.ts';
import {adviceOn} from './advice-on.ts';
import {needInWords, subjectOfNeed} from './need-in-words.ts';
import {type Way, waysOf, waysOfHeld, waysOfTakenOver} from './ways-of.ts';

export type StopSource = {
  readonly state: State;
  /** What stopped: a run, or one of its tasks. */
  readonly about: RunId | TaskId;
  readonly events?: readonly Event[];
  /** The change so far, one line a file, as `git diff --stat` has it. */
  readonly diff?: readonly string[];
  /** Where it conflicts with what is merged, with the hunks. */
  readonly conflicts?: readonly {readonly path: string; readonly hunks: string}[];
  /** Directories of dependencies that the checkout has and the worktree of what stopped has not. */
  readonly absent?: readonly string[];
  readonly redact?: Redact;
};

/** Stop and explain: what failed first, what was tried, what is there, and the exact commands that go on from here. */
export function explainStop(source: StopSource): string {
  const {redact = (text: string) => text} = source;
  const {state, about} = source;
  const run = runOf(state, runIdIn(about));
  if (run === undefined) return `# ${about}\n\nThere is no run ${runIdIn(about)}.\n`;
  const task = isTaskId(about) ? taskOf(state, about) : undefined;
  const needs = redactTexts(needsAbout(state, about, task), redact);
  const records =
    task === undefined ? [] : redactTexts(attemptRecordsOf(task, source.events), redact);
  const {diff, conflicts} = redactTexts(
    {diff: source.diff ?? [], conflicts: source.conflicts ?? []},
    redact,
  );
  const [need] = needs;
  return [
    `# ${need === undefined ? headOf(run, task, redact) : plainWords(needInWords(need), 300)}`,
    ...(task === undefined ? [] : ['', `Task: ${plainWords(redact(task.planned.title), 200)}`]),
    ...part('What failed first', firstFailureOf(records, need)),
    ...needs.flatMap((one) => adviceOn(one)),
    ...adviceOnAbsent(source.absent ?? [], needs, records),
    ...part(
      'What was tried',
      records.map((record) => `- ${attemptLine(record)}`),
    ),
    ...part('Conflicts', conflictLines(conflicts, records)),
    ...part(
      'The change so far',
      diff.length === 0
        ? []
        : fencedLines(
            diff
              .slice(0, mostDiffLines)
              .concat(
                diff.length > mostDiffLines ? [`and ${diff.length - mostDiffLines} more`] : [],
              ),
          ),
    ),
    ...part(
      'About the repository, when the run began',
      task === undefined ? repositoryNotesOf(run).map((words) => `- ${words}`) : [],
    ),
    ...part(
      'What you can do',
      wayLines(
        needs.length > 0 ? needs.flatMap((one) => waysOf(state, one)) : waysBeside(run, task),
      ),
    ),
    '',
  ].join('\n');
}

const mostHunkLines = 40;
const mostDiffLines = 30;

/** A task is also in the way of what halts its run, and of a service that it waits for. */
function needsAbout(state: State, about: RunId | TaskId, task: Task | undefined): Need[] {
  const needs = needsOf(state);
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

function headOf(run: Run, task: Task | undefined, redact: Redact): string {
  const hold = task?.hold ?? run.hold;
  const id = task?.hold === undefined && run.hold !== undefined ? run.id : (task?.id ?? run.id);
  if (hold !== undefined)
    return plainWords(
      redact(`${id} was stopped by a person${hold.reason === undefined ? '' : `: ${hold.reason}`}`),
      300,
    );
  if (task?.stage.at === 'taken-over') return `${task.id} is in your hands`;
  return `${id} has not stopped`;
}

/** The very first red, whole: everything after it may be its echo. */
function firstFailureOf(records: readonly AttemptRecord[], need: Need | undefined): string[] {
  const failure = records.find((record) => record.failure !== undefined)?.failure;
  if (failure?.kind === 'check')
    return [
      `${failure.code}${failure.on === 'merge' ? ' after merging' : ''}, from the check ${codeWords(failure.name)}:`,
      ...fencedLines(failure.firstFailure.split('\n').slice(0, 20)),
    ];
  const record = records.find((one) => one.failure !== undefined || one.gaveUp !== undefined);
  if (record !== undefined) return [attemptLine(record)];
  if (need?.kind !== 'planless' || need.why.kind !== 'invalid') return [];
  const {problems, words} = need.why;
  const said =
    words === undefined || words.trim() === ''
      ? []
      : ['', 'The last that the planner said:', ...fencedLines(words.split('\n').slice(-20))];
  return [...problems.slice(0, 10).map((problem) => `- ${plainWords(problem, 200)}`), ...said];
}

/** As they were given, or as the last attempt met them. */
function conflictLines(
  conflicts: NonNullable<StopSource['conflicts']>,
  records: readonly AttemptRecord[],
): string[] {
  const failure = records.findLast((record) => record.failure !== undefined)?.failure;
  const met =
    failure?.kind === 'conflict' && failure.hunks !== undefined
      ? fencedLines(failure.hunks.split('\n').slice(0, mostHunkLines))
      : [];
  return conflicts.length === 0
    ? met
    : conflicts
        .slice(0, 10)
        .flatMap(({path, hunks}) => [
          `${codeWords(path)}:`,
          ...fencedLines(hunks.split('\n').slice(0, mostHunkLines)),
        ]);
}

function waysBeside(run: Run, task: Task | undefined): Way[] {
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

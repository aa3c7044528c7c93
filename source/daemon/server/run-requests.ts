import {
  buildAcceptedCard,
  buildStopReport,
  buildTimeline,
  buildTimelineChart,
  buildTimelineRows,
  explainStop,
  type RunTimeline,
  type StopReport,
  type Timeline,
} from '../../reports/index.ts';
import {redact} from '../../secrets/index.ts';
import {
  isRunId,
  isTaskId,
  type Run,
  type RunId,
  runIdIn,
  selectAttempt,
  selectRun,
  selectTask,
  selectWorktree,
  type TaskId,
} from '../../domain/index.ts';
import type {Progress, Question} from '../../protocol/index.ts';
import {captureChange, computeDiff, listChangedFiles} from '../../git/index.ts';
import {readSoundEvents} from '../engine/journal-events.ts';
import {readKnowledge, readSkills} from '../launch/prompt-context.ts';
import {findAbsentFolders, reportDependencies, shareFolders} from '../effects/shared-folders.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  JournalReader,
  RepositoryAccess,
  RunVariables,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {buildAudit} from './audit.ts';
import {noteSeen, readBrief} from './person-seen.ts';
import {collectGarbage, forecastTaskConflicts, describeBackups} from './worktree-requests.ts';

export type RunQuestion = Extract<
  Question,
  {
    readonly about:
      | 'explanation'
      | 'diff'
      | 'timeline'
      | 'brief'
      | 'seen'
      | 'recall'
      | 'audit'
      | 'skills'
      | 'dependencies'
      | 'share'
      | 'kept'
      | 'gc'
      | 'conflicts';
  }
>;

/** Answers questions about runs from the journal, from git and from the prompts of agents. */
export async function handleRunRequest(
  context: StateReader &
    JournalReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    RunVariables &
    SecretValues &
    DaemonClock &
    DaemonLog,
  question: RunQuestion,
  isPerson: () => Promise<boolean>,
  onProgress: (progress: Progress) => void,
): Promise<unknown> {
  switch (question.about) {
    case 'explanation':
      return explainSubject(context, parseSubject(question.of));
    case 'diff':
      return question.against === undefined
        ? computeSubjectDiff(context, parseSubject(question.of), question.context)
        : compareTasks(context, question.of, question.against, question.context);
    case 'timeline':
      return readTimeline(context, question);
    case 'brief':
      return readBrief(context, question, question.since === undefined && (await isPerson()));
    case 'seen':
      if (await isPerson()) noteSeen(context);
      return {};
    case 'recall': {
      const knowledge = readKnowledge(context.root);
      const found = [
        ...(question.files.length === 0 ? [] : knowledge.byFiles(question.files)),
        ...(question.words.trim() === '' ? [] : knowledge.search(question.words)),
      ];
      return [...new Map(found.map((one) => [one.path, one])).values()];
    }

    case 'audit':
      return buildAudit(context, question.run);
    case 'skills':
      return {
        skills: readSkills(context.root).skills.map(({name, description}) => ({
          name,
          description,
        })),
      };
    case 'dependencies':
      return reportDependencies(context);
    case 'share':
      return shareFolders(context, {
        paths: question.paths,
        isDetected: question.detected === true,
        byHardLink: question.hardLink === true,
      });
    case 'kept':
      return {kept: describeBackups(context, parseSubject(question.of))};
    case 'gc':
      return collectGarbage(
        context,
        question.sweep === true,
        question.progress === true ? onProgress : () => undefined,
      );
    case 'conflicts':
      return forecastTaskConflicts(context);
  }
}

/** For one run, also its chart and its events as rows, for the screen. */
function readTimeline(
  context: StateReader & DaemonDirectory & DaemonClock,
  {run: id, all = false, limit = 200}: Extract<Question, {readonly about: 'timeline'}>,
): Timeline | RunTimeline {
  const state = context.state();
  const events = readSoundEvents(context);
  const timeline = buildTimeline(events, {state, limit, all, ...(id !== undefined && {run: id})});
  const run = id !== undefined && isRunId(id) ? selectRun(state, id) : undefined;
  if (run === undefined) return timeline;
  const rows = buildTimelineRows(state, run, events, {all});
  const card = buildAcceptedCard(state, run, events);
  return {
    ...timeline,
    chart: buildTimelineChart(state, run, events, context.now()),
    rows: rows.slice(Math.max(0, rows.length - limit)),
    ...(card !== undefined && {card}),
  };
}

function parseSubject(text: string): RunId | TaskId {
  if (!isRunId(text) && !isTaskId(text))
    throw new Error(
      `expected a run or a task such as r1 or r1.t2, got ${JSON.stringify(text.slice(0, 60))}`,
    );
  return text;
}

async function explainSubject(
  context: StateReader & JournalReader & Pick<RepositoryAccess, 'workspace'> & SecretValues,
  about: RunId | TaskId,
): Promise<{readonly text: string; readonly stop?: StopReport}> {
  const state = context.state();
  const secrets = context.secrets();
  const task = isTaskId(about) ? selectTask(state, about) : undefined;
  const diff =
    task === undefined || task.attempts.length === 0
      ? undefined
      : await computeSubjectDiff(context, task.id).catch(() => undefined);
  const lines = diff?.files.map(
    ({path: file, how, added, removed}) => `${how.padEnd(8)} +${added} -${removed}  ${file}`,
  );
  const run = selectRun(state, runIdIn(about));
  const worktree =
    task === undefined || run === undefined ? undefined : selectWorktree(run, task.id);
  const absent =
    worktree === undefined ? [] : await findAbsentFolders(context, worktree.path).catch(() => []);
  const source = {
    state,
    about,
    absent,
    events: context.eventsOf(runIdIn(about)),
    redact: (text: string) => redact(text, secrets),
    ...(lines === undefined ? {} : {diff: lines}),
  };
  const stop = buildStopReport(source);
  return {text: explainStop(source), ...(stop !== undefined && {stop})};
}

type Diff = {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly files: Awaited<ReturnType<typeof listChangedFiles>>;
};

/**
 * The diff of a run is what it merged; that of a task is its commit, or what is in its worktree
 * now.
 */
async function computeSubjectDiff(
  context: StateReader & JournalReader & Pick<RepositoryAccess, 'workspace'>,
  of: RunId | TaskId,
  contextLines?: number,
): Promise<Diff> {
  const run = selectRun(context.state(), runIdIn(of));
  if (run === undefined) throw new Error(`there is no run ${runIdIn(of)}`);
  const workspace = context.workspace();
  const diffBetween = (from: string, to: string): Promise<Diff> =>
    computeDiffBetween(workspace, from, to, contextLines);
  if (!isTaskId(of)) {
    const base = findBase(context, run);
    if (base === undefined || run.head === undefined)
      throw new Error(`${of} has nothing to compare; it is ${run.stage.at}`);
    return diffBetween(base, run.head);
  }

  const {base, tree} = await readTaskTree(context, of);
  return diffBetween(base, tree);
}

/** How the work of one task differs from that of another, such as two variants. */
async function compareTasks(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
  of: string,
  against: string,
  contextLines?: number,
): Promise<Diff> {
  const [task, other] = [parseSubject(of), parseSubject(against)];
  if (!isTaskId(task) || !isTaskId(other))
    throw new Error(`expected two tasks such as r1.t1 and r1.t2, got ${of} and ${against}`);
  const [from, to] = [await readTaskTree(context, other), await readTaskTree(context, task)];
  return computeDiffBetween(context.workspace(), from.tree, to.tree, contextLines);
}

/** What a task's work began from, and its commit, or else what is in its worktree now. */
async function readTaskTree(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
  id: TaskId,
): Promise<{readonly base: string; readonly tree: string}> {
  const run = selectRun(context.state(), runIdIn(id));
  const worktree = run === undefined ? undefined : selectWorktree(run, id);
  if (worktree === undefined) throw new Error(`${id} has no worktree, so nothing to compare`);
  const task = selectTask(context.state(), id);
  const step = task === undefined ? undefined : selectAttempt(task)?.step;
  if (step?.at === 'passed') return {base: worktree.commit, tree: step.commit};
  const {change} = await captureChange(context.workspace(), {
    directory: worktree.path,
    base: worktree.commit,
  });
  return {base: worktree.commit, tree: change.tree};
}

async function computeDiffBetween(
  workspace: ReturnType<RepositoryAccess['workspace']>,
  from: string,
  to: string,
  contextLines?: number,
): Promise<Diff> {
  return {
    from,
    to,
    text: await computeDiff(workspace, {
      from,
      to,
      ...(contextLines !== undefined && {context: contextLines}),
    }),
    files: await listChangedFiles(workspace, {from, to}),
  };
}

/** The state of a finished run no longer holds its base commit; the journal does. */
function findBase(context: JournalReader, run: Run): string | undefined {
  if ('ground' in run.stage) return run.stage.ground.base;
  return context
    .eventsOf(run.id)
    .flatMap((event) => (event.type === 'run-surveyed' ? [event.ground.base] : []))[0];
}

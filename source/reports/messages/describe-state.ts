import {
  describeDiscard,
  describeParking,
  describePlanFailure,
  describePurpose,
  describeRetry,
  describeServiceFailure,
  describeStop,
  describeTrouble,
} from './describe-reason.ts';
import {
  type Attempt,
  type CheckResult,
  isResting,
  maxRepositoryNoteLength,
  maxRepositoryNotes,
  type RepositoryNote,
  type Run,
  selectAttempt,
  isUndecided,
  selectAwaitedByMerge,
  selectChecks,
  selectChoice,
  selectNextCheck,
  selectOpenQuestion,
  selectPredecessors,
  selectService,
  selectSession,
  selectWaitingPlanner,
  type Service,
  type Session,
  type SessionId,
  type State,
  type Task,
  selectCountedTasks,
} from '../../domain/index.ts';
import {formatAge} from '../terminal-text.ts';
import {formatBudget} from '../explain/format-need.ts';
import {sanitizeText, wrapSentence} from '../../shared/index.ts';

/** The state of a run. What blocks it comes first, because nothing else moves meanwhile. */
export function formatRun(state: State, run: Run): string {
  const {stage} = run;
  if (stage.at === 'accepted' || stage.at === 'discarded')
    return stage.at === 'accepted'
      ? `accepted, in ${stage.into ?? 'your branch'}${stage.way === undefined ? '' : ` (${stage.way})`}`
      : 'discarded';
  if (run.hold !== undefined)
    return `stopped by you${run.hold.reason === undefined ? '' : `: ${run.hold.reason}`}`;
  if (run.parked !== undefined) return `paused for safety: ${describeParking(run.parked.why)}`;
  if (run.trouble !== undefined) return `blocked: ${describeTrouble(run.trouble.why)}`;
  if (run.exhausted !== undefined) return `budget reached: ${formatBudget(run.exhausted)}`;
  if (run.moved !== undefined)
    return run.moved.isRestoring === true
      ? `restoring its branch ${run.moved.branch}`
      : `needs you: somebody moved its branch ${run.moved.branch}`;
  switch (stage.at) {
    case 'queued':
      return `queued, place ${state.queue.indexOf(run.id) + 1} of ${state.queue.length}`;
    case 'surveying':
      return 'looking at the repository';
    case 'planning':
      if (selectWaitingPlanner(state, run) !== undefined) return 'its planner waits for you';
      return run.rounds.length > 1 ? 'planning again' : 'planning';
    case 'planless':
      return `planning failed: ${describePlanFailure(stage.why)}`;
    case 'reviewing':
      return stage.voided === undefined ? 'plan ready' : 'plan ready, approve it again';
    case 'working':
      return formatWork(run);
    case 'accepting':
      return 'accepting';
  }
}

function formatWork(run: Run): string {
  const {tasks} = run;
  const merged = tasks.filter(({stage}) => stage.at === 'merged').length;
  const isDone = tasks.every(({stage}) => stage.at === 'merged' || stage.at === 'discarded');
  if (isDone) return merged === 0 ? 'every task was discarded' : 'ready to accept';
  return `${merged} of ${selectCountedTasks(run).length} merged`;
}

export function formatTask(state: State, run: Run, task: Task, now: number): string {
  const {stage, hold, trouble} = task;
  if (stage.at === 'merged') return 'merged';
  if (stage.at === 'discarded') return `discarded${describeDiscard(stage.why).replace(':', ',')}`;
  if (hold !== undefined)
    return `stopped by you${hold.reason === undefined ? '' : `: ${hold.reason}`}`;
  if (trouble !== undefined) return `blocked: ${describeTrouble(trouble.why)}`;
  if (isResting(run, task))
    return `${stage.at === 'validated' ? 'green, ' : ''}paused${run.stage.at === 'reviewing' ? ' until the plan is approved' : ''}`;
  switch (stage.at) {
    case 'waiting':
      return formatWait(state, run, task);
    case 'preparing':
      return 'starting';
    case 'attempting':
      return formatStep(state, run, selectAttempt(task), now);
    case 'taken-over':
      return 'in your hands';
    case 'stopped':
      return `stopped: ${describeStop(stage.why)}`;
    case 'validated':
      return run.moved === undefined
        ? formatGreen(state, run, task)
        : "green, waits for the run's branch";
    case 'merging':
      if (run.moved !== undefined) return "green, waits for the run's branch";
      if (stage.step.at === 'building') return 'merging';
      return stage.step.at === 'publishing'
        ? 'merging, green'
        : `merging, ${formatCheck(run, stage.step.results)}`;
  }
}

/**
 * A validated task waits for the tasks that it comes after, or for the one that is merged before
 * it.
 */
function formatGreen(state: State, run: Run, task: Task): string {
  if (isUndecided(run, task)) return 'green, waits for your pick';
  const awaited = selectAwaitedByMerge(state, run, task).map(({planned}) => planned.id);
  return awaited.length === 0 ? 'green, merges next' : `green, merges after ${awaited.join(', ')}`;
}

function formatWait(state: State, run: Run, task: Task): string {
  const before = selectPredecessors(run, task)
    .filter(({stage}) => stage.at !== 'merged')
    .map(({planned}) => planned.id);
  if (before.length > 0) return `after ${before.join(', ')}`;
  const missing = task.planned.services.filter((name) => {
    const stage = selectService(state, name)?.stage;
    return stage?.at !== 'up' || stage.condition !== 'ready';
  });
  return missing.length > 0 ? `waits for the service ${missing.join(', ')}` : 'no slot';
}

function formatStep(state: State, run: Run, attempt: Attempt | undefined, now: number): string {
  const step = attempt?.step;
  switch (step?.at) {
    case 'working':
      return (
        formatAsk(state, step.session, now) ??
        (attempt?.repairs === undefined ? 'works' : 'repairs')
      );
    case 'pausing':
      return `agent limit, ${formatAge(step.until - now)} left`;
    case 'capturing':
    case 'judging':
      return 'rules';
    case 'checking':
      return formatCheck(run, step.results);
    case 'committing':
    case 'passed':
      return 'green';
    case 'failed':
      return `failed: ${describeStop(step.failure)}`;
    case 'gave-up':
      return `the agent gave up: ${step.words}`;
    default:
      return 'starting';
  }
}

/** What the session asks or waits for, if it does: then the agent does not work. */
function formatAsk(state: State, session: SessionId, now: number): string | undefined {
  const asking = selectSession(state, session);
  const asked = asking === undefined ? undefined : selectOpenQuestion(asking);
  if (asked !== undefined) return `asks: ${asked.question}`;
  const waiting = asking?.waiting;
  if (waiting === undefined && asking?.retrying !== undefined)
    return `its agent's service fails: ${describeRetry(asking.retrying, now)}`;
  return waiting === undefined
    ? undefined
    : `asks${waiting.secret ? ' for a secret' : ''}: ${waiting.question}`;
}

function formatCheck(run: Run, results: readonly CheckResult[]): string {
  const all = selectChecks(run).filter((check) => selectChoice(run, check) !== 'ignore');
  const next = selectNextCheck(run, results);
  return next === undefined ? 'checks done' : `${next.name} ${all.indexOf(next) + 1}/${all.length}`;
}

export function formatService({spec, desire, stage}: Service, now: number): string {
  if (spec.per === 'task') return 'one for each task that needs it';
  switch (stage.at) {
    case 'down':
      return desire === 'stopped-by-person' ? 'stopped by you' : 'down';
    case 'up':
      return `${stage.condition}, for ${formatAge(now - stage.since)}`;
    case 'backing-off':
      return `died, restarts in ${formatAge(stage.until - now)}`;
    case 'failed':
      return `failed: ${describeServiceFailure(stage.why)}`;
    case 'foreign-port':
      return `${stage.owner} uses its port`;
  }
}

export function formatPurpose({purpose}: Session): string {
  if (purpose.for === 'plan') return `plans ${purpose.run}`;
  return `${purpose.for === 'person' ? `${purpose.name}: ` : ''}${describePurpose(purpose)}`;
}

/** Notes about the repository of a run for the person, each as one sanitised line. */
export function selectRepositoryNotes({stage}: Pick<Run, 'stage'>): readonly string[] {
  return 'ground' in stage ? formatNotes(stage.ground.notes ?? []) : [];
}

/** Sanitises notes and limits their number and length, whatever the journal contains. */
export function formatNotes(notes: readonly RepositoryNote[]): readonly string[] {
  return notes
    .slice(0, maxRepositoryNotes)
    .map(({words}) =>
      sanitizeText(words.slice(0, maxRepositoryNoteLength).replaceAll(/\s+/g, ' ').trim()),
    );
}

/** Rows below a heading, or nothing if there are no notes. */
export function formatRepositoryNotes(notes: readonly string[], width: number): string[] {
  if (notes.length === 0) return [];
  return [
    'About the repository, when the run started:',
    ...notes.flatMap((text) =>
      wrapSentence(text, width - 4).map((line, index) => `${index === 0 ? '  ! ' : '    '}${line}`),
    ),
  ];
}

export type JournalCondition = {
  readonly mode: 'writing' | 'degraded' | 'read-only';
  readonly reason?: string;
  readonly isFull?: boolean;
  readonly remedy?: string;
};

/**
 * What it means that the journal accepts no records, and what to do; undefined while it accepts
 * them. `isBrief` leaves out the consequences.
 */
export function formatJournal(
  {mode, reason = '', isFull = false, remedy}: JournalCondition,
  isBrief = false,
): string | undefined {
  if (mode === 'writing') return undefined;
  return `${describeFault(mode, isFull)}${isBrief ? '' : ': nothing new starts, sessions go on'}. ${(isFull ? remedy : undefined) ?? reason}`.trimEnd();
}

function describeFault(mode: JournalCondition['mode'], isFull: boolean): string {
  if (isFull) return 'the disk is full';
  return mode === 'read-only' ? 'the journal is read-only' : 'the journal cannot be written';
}

/** Which agents of a run have their own interface; undefined if all are headless. */
export function formatModes({
  request: {worker, planner, workers, planners},
}: Pick<Run, 'request'>): string | undefined {
  const parts = [
    ...(workers === 'interactive' ? [`${worker} works in its own interface`] : []),
    ...(planners === 'interactive' ? [`${planner} plans in its own interface`] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(', ');
}

import {describePurpose} from '../events/describe-purpose.ts';
import {
  attemptOf,
  awaitedByGreen,
  checksOf,
  choiceOf,
  isResting,
  nextCheck,
  openQuestionOf,
  predecessorsOf,
  serviceOf,
  sessionOf,
  type Attempt,
  type CheckResult,
  type Run,
  type Service,
  type Session,
  type SessionId,
  type State,
  type Task,
} from '../../domain/index.ts';
import {
  describeParking,
  describePlanFailure,
  describeRetry,
  describeServiceFailure,
  describeStop,
  describeTrouble,
} from '../events/describe-reason.ts';
import {ageOf} from '../sessions/columns.ts';
import {budgetInWords} from '../explain/need-in-words.ts';

/** Where a run stands, in words. What halts it comes first, because nothing else moves meanwhile. */
export function runInWords(state: State, run: Run): string {
  const {stage} = run;
  if (stage.at === 'accepted' || stage.at === 'discarded')
    return stage.at === 'accepted'
      ? `accepted, in ${stage.into ?? 'your branch'}${stage.way === undefined ? '' : ` (${stage.way})`}`
      : 'discarded';
  if (run.hold !== undefined)
    return `stopped by a person${run.hold.reason === undefined ? '' : `: ${run.hold.reason}`}`;
  if (run.parked !== undefined) return `set aside: ${describeParking(run.parked.why)}`;
  if (run.trouble !== undefined) return `in trouble: ${describeTrouble(run.trouble.why)}`;
  if (run.exhausted !== undefined) return `budget used up: ${budgetInWords(run.exhausted)}`;
  if (run.moved !== undefined)
    return run.moved.isRestoring === true
      ? `its branch ${run.moved.branch} is put back`
      : `waits for you: somebody moved its branch ${run.moved.branch}`;
  switch (stage.at) {
    case 'queued':
      return `queued, place ${state.queue.indexOf(run.id) + 1} of ${state.queue.length}`;
    case 'surveying':
      return 'looking at the repository';
    case 'planning':
      return `planning, round ${Math.max(1, run.rounds.length)}`;
    case 'planless':
      return `no plan: ${describePlanFailure(stage.why)}`;
    case 'reviewing':
      return stage.voided === undefined
        ? 'its plan waits for approval'
        : 'its plan waits for approval again';
    case 'working':
      return workInWords(run);
    case 'accepting':
      return 'being brought into your branch';
  }
}

function workInWords({tasks}: Run): string {
  const merged = tasks.filter(({stage}) => stage.at === 'merged').length;
  const isDone = tasks.every(({stage}) => stage.at === 'merged' || stage.at === 'discarded');
  if (isDone)
    return merged === 0 ? 'nothing left: every task was discarded' : 'done, waits to be accepted';
  return `at work, ${merged} of ${tasks.length} tasks merged`;
}

export function taskInWords(state: State, run: Run, task: Task, now: number): string {
  const {stage, hold, trouble} = task;
  if (stage.at === 'merged') return 'merged';
  if (stage.at === 'discarded')
    return stage.why.kind === 'needs' ? `discarded, it needs ${stage.why.task}` : 'discarded';
  if (hold !== undefined)
    return `stopped by a person${hold.reason === undefined ? '' : `: ${hold.reason}`}`;
  if (trouble !== undefined) return `in trouble: ${describeTrouble(trouble.why)}`;
  if (isResting(run, task))
    return `${stage.at === 'validated' ? 'green, ' : ''}rests until ${run.stage.at === 'reviewing' ? 'the plan is approved' : 'its run goes on'}`;
  switch (stage.at) {
    case 'waiting':
      return waitInWords(state, run, task);
    case 'preparing':
      return stage.setup === undefined ? 'its worktree is prepared' : 'being set up';
    case 'attempting':
      return stepInWords(state, run, attemptOf(task), now);
    case 'taken-over':
      return 'in your hands';
    case 'stopped':
      return `stopped: ${describeStop(stage.why)}`;
    case 'validated':
      return run.moved === undefined
        ? greenInWords(state, run, task)
        : "green, waits for the run's branch";
    case 'merging':
      if (run.moved !== undefined) return "green, waits for the run's branch";
      return stage.step.at === 'building'
        ? 'being merged'
        : stage.step.at === 'publishing'
          ? 'merged and green, being published'
          : `merged, ${checkInWords(run, stage.step.results)}`;
  }
}

/** Whom it waits for: what it comes after, or the one that is merged before it. */
function greenInWords(state: State, run: Run, task: Task): string {
  const awaited = awaitedByGreen(state, run, task).map(({planned}) => planned.id);
  return awaited.length === 0
    ? 'green, about to be merged'
    : `green, waits for ${awaited.join(', ')} to be merged first`;
}

function waitInWords(state: State, run: Run, task: Task): string {
  const before = predecessorsOf(run, task)
    .filter(({stage}) => stage.at !== 'merged')
    .map(({planned}) => planned.id);
  if (before.length > 0) return `waits for ${before.join(', ')}`;
  const missing = task.planned.services.filter((name) => {
    const stage = serviceOf(state, name)?.stage;
    return stage?.at !== 'up' || stage.condition !== 'ready';
  });
  return missing.length > 0 ? `waits for the service ${missing.join(', ')}` : 'waits for room';
}

function stepInWords(state: State, run: Run, attempt: Attempt | undefined, now: number): string {
  const step = attempt?.step;
  switch (step?.at) {
    case 'working':
      return (
        askInWords(state, step.session, now) ??
        (attempt?.repairs === undefined ? 'the agent works' : 'the agent repairs')
      );
    case 'pausing':
      return `waits for its agent's service, ${ageOf(step.until - now)} more`;
    case 'capturing':
    case 'judging':
      return 'scope and rules are checked';
    case 'checking':
      return checkInWords(run, step.results);
    case 'committing':
    case 'passed':
      return 'green, being committed';
    case 'failed':
      return `red: ${describeStop(step.failure)}`;
    case 'gave-up':
      return `the agent gave up: ${step.words}`;
    default:
      return 'about to start';
  }
}

/** Whoever waits for an answer does not work. */
function askInWords(state: State, session: SessionId, now: number): string | undefined {
  const asking = sessionOf(state, session);
  const asked = asking === undefined ? undefined : openQuestionOf(asking);
  if (asked !== undefined) return `asks you: ${asked.question}`;
  const waiting = asking?.waiting;
  if (waiting === undefined && asking?.retrying !== undefined)
    return `its agent's service fails: ${describeRetry(asking.retrying, now)}`;
  return waiting === undefined
    ? undefined
    : `asks${waiting.secret ? ' for a secret' : ''}: ${waiting.question}`;
}

function checkInWords(run: Run, results: readonly CheckResult[]): string {
  const all = checksOf(run).filter((check) => choiceOf(run, check) !== 'ignore');
  const next = nextCheck(run, results);
  return next === undefined
    ? 'checked'
    : `check ${all.indexOf(next) + 1} of ${all.length}: ${next.name}`;
}

export function serviceInWords({spec, desire, stage}: Service, now: number): string {
  if (spec.per === 'task') return 'one for each task that needs it';
  switch (stage.at) {
    case 'down':
      return desire === 'stopped-by-person' ? 'stopped by a person' : 'down';
    case 'up':
      return `${stage.condition}, for ${ageOf(now - stage.since)}`;
    case 'backing-off':
      return `died, starts again in ${ageOf(stage.until - now)}`;
    case 'failed':
      return `failed: ${describeServiceFailure(stage.why)}`;
    case 'foreign-port':
      return `its port belongs to ${stage.owner}`;
  }
}

export function purposeInWords({purpose}: Session): string {
  if (purpose.for === 'plan') return `plans ${purpose.run}`;
  return `${purpose.for === 'person' ? `${purpose.name}: ` : ''}${describePurpose(purpose)}`;
}

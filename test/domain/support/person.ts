import {
  isTaskId,
  needsOf,
  openRunsOf,
  runIdIn,
  runOf,
  runsOf,
  serviceOf,
  sessionOf,
  taskOf,
  undecidedOf,
  type CheckResult,
  type Need,
  type RunId,
  type State,
  type TaskId,
  type Wish,
} from '../../../source/domain/index.ts';
import {fateOf} from '../../support/random.ts';

/** How patient the person is: how often the same thing may come back before it is discarded. */
const patience = 4;

/** A person who answers whatever waits for an answer, and whose answer depends on what is asked alone. */
export type Person = {readonly seed: string; readonly asked: Map<string, number>};

export function createPerson(seed: string): Person {
  return {seed, asked: new Map()};
}

/** What the person does next: the oldest need first, then whatever lies still by their own hand. */
export function nextWish(person: Person, state: State): Wish | undefined {
  for (const need of needsOf(state)) {
    const answer = answerOf(person, state, need);
    if (answer !== undefined) return answer;
  }

  for (const run of openRunsOf(state)) {
    if (run.hold !== undefined) return {type: 'resume', what: run.id};
    for (const task of run.tasks) {
      if (task.stage.at === 'merged' || task.stage.at === 'discarded') continue;
      if (task.hold !== undefined) return {type: 'resume', what: task.id};
      if (run.stage.at === 'working' && task.stage.at === 'taken-over')
        return fateOf(`${person.seed}/${task.id}/${task.attempts.length}`) < 0.5
          ? {type: 'hand-back', task: task.id}
          : {type: 'hand-back', task: task.id, to: 'agent', note: 'I was here.'};
    }
  }

  return tidying(person, state);
}

/** Now and then what was accepted is tidied up. */
function tidying(person: Person, state: State): Wish | undefined {
  const accepted = runsOf(state).filter(({stage}) => stage.at === 'accepted');
  const left = accepted
    .flatMap(({worktrees}) => worktrees)
    .find(
      ({owner, isTidied}) =>
        isTaskId(owner) && !isTidied && fateOf(`${person.seed}/${owner}`) < 0.3,
    );
  return left === undefined ? undefined : {type: 'tidy-worktree', owner: left.owner};
}

function answerOf(person: Person, state: State, need: Need): Wish | undefined {
  const subject = subjectOf(need);
  const times = (person.asked.get(subject) ?? 0) + 1;
  person.asked.set(subject, times);
  const isTired = times > patience;
  const mood = fateOf(`${person.seed}/${subject}/${times}`);
  switch (need.kind) {
    case 'plan':
      return answerPlan(state, need.run, isTired, mood);
    case 'planless':
      return isTired
        ? {type: 'discard', what: need.run}
        : {type: 'plan-again', run: need.run, reason: 'try a smaller plan'};
    case 'question':
      if (need.asked !== undefined)
        return {
          type: 'answer-question',
          session: need.session,
          number: need.asked,
          text: need.options?.[0] ?? 'this one',
        };
      // Secrets are typed into the pane, not said; and one answer is on its way already.
      if (
        need.secret ||
        sessionOf(state, need.session)?.inputs.some(({fate}) => fate === 'pending')
      )
        return undefined;
      return {type: 'send-input', session: need.session, text: 'yes\n'};
    case 'uncertain-input':
      return isTired
        ? {type: 'stop', what: need.session}
        : {type: 'send-input', session: need.session, text: 'yes\n'};
    case 'unstoppable':
      return undefined;
    case 'branch':
      if (isTired) return {type: 'discard', what: need.run};
      return need.relation === 'ahead' && mood < 0.5
        ? {type: 'adopt-branch', run: need.run, commit: need.found}
        : {type: 'restore-branch', run: need.run, commit: need.found};
    case 'stopped':
      return answerStopped(need.task, isTired, mood);
    case 'trouble':
      if (need.why.kind === 'red-on-base' && !isTired && isTaskId(need.owner))
        return {
          type: 'choose-baseline',
          run: runIdIn(need.owner),
          check: need.why.name,
          choice: mood < 0.5 ? 'ignore' : 'count',
        };
      return isTired && !isOver(state, need.owner)
        ? {type: 'discard', what: need.owner}
        : {type: 'resume', what: need.owner};
    case 'parked':
      return isTired ? {type: 'discard', what: need.run} : {type: 'resume', what: need.run};
    case 'budget':
      return isTired
        ? {type: 'discard', what: need.run}
        : need.exhausted.budget === 'tokens'
          ? {type: 'extend-budget', run: need.run, tokens: need.exhausted.used * 2}
          : {type: 'extend-budget', run: need.run, wallClock: need.exhausted.used * 2};
    case 'accept':
      return isTired
        ? {type: 'discard', what: need.run}
        : {type: 'accept-run', run: need.run, commit: need.commit};
    case 'nothing-left':
      return {type: 'discard', what: need.run};
    case 'service':
      return isTired
        ? {type: 'stop-service', service: need.service}
        : {type: 'restart-service', service: need.service};
    case 'service-missing':
      return isTired || serviceOf(state, need.service) === undefined
        ? {type: 'discard', what: need.task}
        : {type: 'start-service', service: need.service};
    case 'loop':
      return isTired || mood < 0.7
        ? {type: 'acknowledge-loop', session: need.session, number: need.number}
        : {type: 'stop', what: need.session};
    case 'intrusion':
      return {type: 'acknowledge-intrusion', number: need.number};
  }
}

function isOver(state: State, id: RunId | TaskId): boolean {
  const stage = isTaskId(id) ? taskOf(state, id)!.stage : runOf(state, id)!.stage;
  return ['accepted', 'discarded', 'merged'].includes(stage.at);
}

function answerPlan(state: State, run: RunId, isTired: boolean, mood: number): Wish {
  const stage = runOf(state, run)!.stage;
  if (stage.at !== 'reviewing') throw new Error(`${run} needs a plan approved, but is ${stage.at}`);
  const {proposal, ground} = stage;
  const hasBegun = runOf(state, run)!.tasks.length > 0;
  const [red] = undecidedOf(runOf(state, run)!);
  if (red !== undefined) return decideOn(run, red.result, mood);
  if (!isTired && !hasBegun && mood < 0.2)
    return {type: 'reject-plan', run, plan: proposal.hash, reason: 'too large'};
  return {
    type: 'approve-plan',
    run,
    plan: proposal.hash,
    rules: ground.rules.hash,
    base: ground.base,
  };
}

/** Whatever is red without any change is decided about before, in one way or the other. */
function decideOn(run: RunId, {check, outcome, failures}: CheckResult, mood: number): Wish {
  if (outcome !== 'broken' && mood < 0.2) return {type: 'baseline-again', run, check: check.name};
  if (failures !== undefined && mood < 0.5)
    return {type: 'choose-baseline', run, check: check.name, choice: 'no-new'};
  return {type: 'choose-baseline', run, check: check.name, choice: mood < 0.7 ? 'ignore' : 'count'};
}

function answerStopped(task: TaskId, isTired: boolean, mood: number): Wish {
  if (isTired || mood < 0.2) return {type: 'discard', what: task};
  return mood < 0.5
    ? {type: 'take-over', task}
    : {type: 'grant-attempt', task, hint: 'look at the token'};
}

/** The need without the moment of its coming, so that a second one of its kind is known as such. */
function subjectOf(need: Need): string {
  const {kind} = need;
  const about =
    'run' in need
      ? need.run
      : 'task' in need
        ? need.task
        : 'owner' in need
          ? need.owner
          : 'session' in need
            ? need.session
            : 'service' in need
              ? need.service
              : '';
  return `${kind}/${about}`;
}

import {
  type CheckResult,
  isTaskId,
  type Need,
  type RunId,
  runIdIn,
  selectNeeds,
  selectOpenRuns,
  selectRun,
  selectRuns,
  selectService,
  selectSession,
  selectTask,
  selectUndecided,
  selectUndoables,
  type State,
  type TaskId,
  type UserCommand,
} from '../../../source/domain/index.ts';
import {getFate} from '../../support/random.ts';

/** How often the same need may come back before the user discards its subject. */
const patience = 4;

/** A user who answers every need; the answer depends only on the need. */
export type SimulatedUser = {readonly seed: string; readonly asked: Map<string, number>};

export function createSimulatedUser(seed: string): SimulatedUser {
  return {seed, asked: new Map()};
}

/** The next command: sometimes undoes the last decision, answers the oldest need, then resumes what the user stopped. */
export function nextCommand(user: SimulatedUser, state: State): UserCommand | undefined {
  const regret = changeMind(user, state);
  if (regret !== undefined) return regret;
  for (const need of selectNeeds(state)) {
    const answer = getAnswer(user, state, need);
    if (answer !== undefined) return answer;
  }

  for (const run of selectOpenRuns(state)) {
    if (run.hold !== undefined) return {type: 'resume', what: run.id};
    for (const task of run.tasks) {
      if (task.stage.at === 'merged' || task.stage.at === 'discarded') continue;
      if (
        run.stage.at === 'working' &&
        (task.stage.at === 'attempting' || task.stage.at === 'taken-over') &&
        task.messages === undefined &&
        getFate(`${user.seed}/message ${task.id}`) < 0.5
      )
        return {type: 'message-task', task: task.id, text: 'Mind the tests.'};
      if (task.hold !== undefined) return {type: 'resume', what: task.id};
      if (run.stage.at === 'working' && task.stage.at === 'taken-over')
        return getFate(`${user.seed}/${task.id}/${task.attempts.length}`) < 0.5
          ? {type: 'hand-back', task: task.id}
          : {type: 'hand-back', task: task.id, to: 'agent', note: 'I was here.'};
    }
  }

  return cleanUp(user, state);
}

/** Sometimes undoes what was decided, once for each run or task. */
function changeMind(user: SimulatedUser, state: State): UserCommand | undefined {
  for (const {kind, run, task} of selectUndoables(state, state.at)) {
    const what = task ?? run;
    if (user.asked.has(`undo ${what}`) || getFate(`${user.seed}/undo ${what}`) >= 0.3) continue;
    user.asked.set(`undo ${what}`, 1);
    return {type: 'undo', what, kind};
  }

  return undefined;
}

/** Sometimes removes the worktrees of accepted runs. */
function cleanUp(user: SimulatedUser, state: State): UserCommand | undefined {
  const accepted = selectRuns(state).filter(({stage}) => stage.at === 'accepted');
  const left = accepted
    .flatMap(({worktrees}) => worktrees)
    .find(
      ({owner, isTidied}) => isTaskId(owner) && !isTidied && getFate(`${user.seed}/${owner}`) < 0.3,
    );
  return left === undefined ? undefined : {type: 'tidy-worktree', owner: left.owner};
}

function getAnswer(user: SimulatedUser, state: State, need: Need): UserCommand | undefined {
  const subject = getSubject(need);
  const times = (user.asked.get(subject) ?? 0) + 1;
  user.asked.set(subject, times);
  const isTired = times > patience;
  const mood = getFate(`${user.seed}/${subject}/${times}`);
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
      // Secrets are typed into the pane, not sent; and one answer is pending already.
      if (
        need.secret ||
        selectSession(state, need.session)?.inputs.some(({fate}) => fate === 'pending')
      )
        return undefined;
      return {type: 'send-input', session: need.session, text: 'yes\n'};
    case 'uncertain-input':
      return isTired
        ? {type: 'stop', what: need.session}
        : {type: 'send-input', session: need.session, text: 'yes\n'};
    case 'planner-waits': {
      const session = selectSession(state, need.session);
      if (isTired) return {type: 'discard', what: need.run};
      return session?.inputs.some(({fate}) => fate === 'pending') === true
        ? undefined
        : {type: 'send-input', session: need.session, text: 'go on\n'};
    }

    case 'turn':
      return isTired ? {type: 'discard', what: need.task} : {type: 'check-task', task: need.task};
    case 'pick': {
      const picked = need.green[Math.floor(mood * need.green.length)]!;
      const {stage} = selectTask(state, picked)!;
      if (stage.at !== 'validated') throw new Error(`${picked} can be picked, but is ${stage.at}`);
      return isTired
        ? {type: 'discard', what: runIdIn(need.task)}
        : {type: 'pick-variant', task: picked, commit: stage.commit};
    }

    case 'unstoppable':
    case 'draft':
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
      if (isTired) return {type: 'discard', what: need.run};
      return need.exhausted.budget === 'tokens'
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
      return isTired || selectService(state, need.service) === undefined
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
  const stage = isTaskId(id) ? selectTask(state, id)!.stage : selectRun(state, id)!.stage;
  return ['accepted', 'discarded', 'merged'].includes(stage.at);
}

function answerPlan(state: State, run: RunId, isTired: boolean, mood: number): UserCommand {
  const stage = selectRun(state, run)!.stage;
  if (stage.at !== 'reviewing') throw new Error(`${run} needs a plan approved, but is ${stage.at}`);
  const {proposal, ground} = stage;
  const hasBegun = selectRun(state, run)!.tasks.length > 0;
  const [red] = selectUndecided(selectRun(state, run)!);
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

/** Decides about a check that is red on the base. */
function decideOn(run: RunId, {check, outcome, failures}: CheckResult, mood: number): UserCommand {
  if (outcome !== 'broken' && mood < 0.2) return {type: 'baseline-again', run, check: check.name};
  if (failures !== undefined && mood < 0.5)
    return {type: 'choose-baseline', run, check: check.name, choice: 'no-new'};
  return {type: 'choose-baseline', run, check: check.name, choice: mood < 0.7 ? 'ignore' : 'count'};
}

function answerStopped(task: TaskId, isTired: boolean, mood: number): UserCommand {
  if (isTired || mood < 0.2) return {type: 'discard', what: task};
  return mood < 0.5
    ? {type: 'take-over', task}
    : {type: 'grant-attempt', task, hint: 'look at the token'};
}

/** The need without its time, so that a second need of the same kind is recognised. */
function getSubject(need: Need): string {
  const {run, task, owner, session, service} = need as {
    readonly run?: string;
    readonly task?: string;
    readonly owner?: string;
    readonly session?: string;
    readonly service?: string;
  };
  return `${need.kind}/${run ?? task ?? owner ?? session ?? service ?? ''}`;
}

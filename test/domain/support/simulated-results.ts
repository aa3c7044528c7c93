import {
  type Effect,
  isLive,
  type Observation,
  runIdIn,
  selectChecks,
  selectRun,
  selectSession,
  selectTask,
  type SessionId,
  type State,
} from '../../../source/domain/index.ts';
import {createRandom} from '../../support/random.ts';
import {randomPlan} from './samples.ts';
import type {EffectSimulator} from './simulated-effects.ts';

export function movedBranch(
  run: `r${number}`,
  expected: string,
  key: string,
  way: number,
): Observation {
  return {
    type: 'branch-moved',
    run,
    branch: `orchestra/${run}`,
    expected,
    found: `found-by-${key}`,
    relation: choose(way, [0.5, 'ahead'], [0.7, 'behind'], [1, 'apart']),
  };
}

export function readPlan(
  simulator: EffectSimulator,
  state: State,
  session: SessionId,
  run: `r${number}`,
  key: string,
  isWrong: boolean,
  way: number,
): Observation {
  const purpose = selectSession(state, session)!.purpose;
  const round = purpose.for === 'plan' ? purpose.round : 0;
  if (isWrong && way < 0.1)
    return {type: 'conversation-lost', session, words: 'no such conversation'};
  if (isWrong && way < 0.5)
    return {type: 'plan-invalid', run, round, problems: ['tasks: expected at least one']};
  if (isWrong && way < 0.7) return {type: 'planner-wrote', run, round, paths: ['src/oops.ts']};
  if (isWrong && way < 0.9) return {type: 'planner-failed', run, round, words: 'model error'};
  if (isWrong && way < 0.95)
    return {type: 'planning-interrupted', run, round, words: 'stopped by SIGKILL'};
  if (isWrong) return {type: 'agent-unavailable', words: 'not logged in'};
  return {
    type: 'plan-received',
    run,
    round,
    plan: randomPlan(createRandom(`${simulator.seed}/${key}/plan`)),
    hash: `plan-of-${key}`,
    tree: `tree-base-${run}`,
  };
}

/** The turn of a planner in its own interface: another plan, an answer, or what is wrong with it. */
export function readPlannerTurn(
  simulator: EffectSimulator,
  state: State,
  {session, run}: Extract<Effect, {do: 'read-plan'}>,
  key: string,
  isWrong: boolean,
  way: number,
): Observation {
  const planner = selectSession(state, session)!;
  const {stage} = selectRun(state, run)!;
  const round = selectRun(state, run)!.rounds.length;
  const from = {session, turn: planner.turn?.number ?? 0};
  const isOpen = isLive(planner);
  const plain = readPlan(
    simulator,
    state,
    session,
    run,
    key,
    isWrong && stage.at === 'planning',
    way,
  );
  if (isWrong && (stage.at === 'reviewing' || isOpen) && way < 0.4)
    return {type: 'planner-waiting', run, round, from};
  if (stage.at !== 'reviewing')
    return plain.type === 'plan-received' || plain.type === 'plan-invalid'
      ? {...plain, from}
      : plain;
  if (isWrong && way < 0.6) return {type: 'planner-wrote', run, round, paths: ['src/oops.ts']};
  const {hash} = stage.proposal;
  return plain.type === 'plan-received' ? {...plain, round, from, replaces: hash} : plain;
}

export function readOutcome(
  {task, attempt, session}: Extract<Effect, {do: 'read-outcome'}>,
  isWrong: boolean,
  way: number,
  now: number,
): Observation {
  if (!isWrong) return {type: 'agent-finished', task, attempt, words: 'Done.'};
  if (way < 0.15) return {type: 'conversation-lost', session, words: 'no such conversation'};
  if (way < 0.3) return {type: 'agent-failed', task, attempt, words: 'exit 1'};
  if (way < 0.4)
    return {type: 'attempt-interrupted', task, attempt, session, words: 'stopped by SIGKILL'};
  if (way < 0.5) return {type: 'agent-gave-up', task, attempt, words: 'I cannot.'};
  if (way < 0.8)
    return {type: 'attempt-paused', task, attempt, until: now + 60_000, words: 'overloaded'};
  return {type: 'agent-unavailable', words: 'no quota', installed: ['codex', 'pi']};
}

export function readCheck(
  state: State,
  effect: Extract<Effect, {do: 'read-check'}>,
  isWrong: boolean,
  way: number,
): Observation {
  const check = selectChecks(selectRun(state, runIdIn(effect.task))!).find(
    ({name}) => name === effect.check,
  )!;
  const attempt = selectTask(state, effect.task)!.attempts.length;
  const outcome = isWrong
    ? choose(way, [0.7, 'failed'], [0.85, 'timed-out'], [1, 'broken'])
    : 'passed';
  const failure = outcome === 'passed' ? {} : {firstFailure: 'expected 1, got 2'};
  return {
    type: 'check-finished',
    task: effect.task,
    attempt,
    on: effect.on,
    result: {check, outcome, touched: [], ...failure},
  };
}

export function readBaseline(
  state: State,
  {run, session}: Extract<Effect, {do: 'read-baseline'}>,
  isRed: boolean,
  way: number,
): Observation {
  const {purpose} = selectSession(state, session)!;
  if (purpose.for !== 'baseline') throw new Error(`${session} checks no base`);
  const {setup} = state.project;
  const check = {name: purpose.check, command: purpose.command};
  const outcome = isRed
    ? choose(way, [0.3, 'broken'], [0.4, 'timed-out'], [1, 'failed'])
    : 'passed';
  return {
    type: 'baseline-checked',
    run,
    base: selectRun(state, run)!.head!,
    ...(setup === undefined ? {} : {setup}),
    result: {
      check,
      outcome,
      touched: [],
      ...(isRed ? {firstFailure: 'expected 1, got 2'} : {}),
      ...(way > 0.7 ? {failures: ['one', 'two']} : {}),
    },
  };
}

/** The first value whose limit is above `way`; the last one otherwise. */
function choose<const T>(
  way: number,
  ...values: readonly (readonly [limit: number, value: T])[]
): T {
  return (values.find(([limit]) => way < limit) ?? values.at(-1)!)[1];
}

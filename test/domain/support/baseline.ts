import {
  baselineOf,
  runOf,
  type BaselineDecision,
  type CheckResult,
  type Decision,
  type Project,
} from '../../../source/domain/index.ts';
import {conclude, createHouse, report, wantedKeys, wish, type House} from './house.ts';
import {ground, passed, planOf, plannedTask, request} from './samples.ts';
import {runToExit} from './stages.ts';

export const testGreen = passed('test', 'npm test');
export const testRed: CheckResult = {
  check: {name: 'test', command: 'npm test'},
  outcome: 'failed',
  firstFailure: 'expected 1, got 2',
  touched: [],
};

/** A run whose base is to be checked, at its plan. */
export function reviewed(project: Partial<Project> = {}): House {
  const house = createHouse();
  report(house, {
    type: 'project-read',
    project: {services: [], limits: {workers: 2, runs: 1}, ...project},
  });
  wish(house, {type: 'start-run', request, budget: {attemptWallClock: 600_000}});
  conclude(house, 'survey', {type: 'run-surveyed', run: 'r1', ground: {...ground, baseline: true}});
  conclude(house, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w/plan',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  runToExit(house, 's1');
  conclude(house, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: planOf(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  return house;
}

export function recall(house: House, results: readonly CheckResult[] = []): Decision {
  const {stage} = runOf(house.state, 'r1')!;
  if (stage.at !== 'reviewing' && stage.at !== 'working')
    throw new Error(`nothing to recall while ${stage.at}`);
  const {setup} = house.state.project;
  return conclude(house, 'recall-baseline', {
    type: 'baseline-recalled',
    run: 'r1',
    base: stage.ground.base,
    rules: stage.ground.rules.hash,
    plan: stage.proposal.hash,
    ...(setup === undefined ? {} : {setup}),
    results,
  });
}

export function makeMerge(house: House): Decision {
  return conclude(house, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.merge',
    path: '/w/merge',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
    reads: 'one',
  });
}

export function sessionOnBase(house: House): `s${number}` {
  const {session} = baselineOf(runOf(house.state, 'r1')!);
  if (session === undefined)
    throw new Error(`nothing is at work on the base; wanted: ${wantedKeys(house).join(', ')}`);
  return session;
}

/** The next check on the base runs and shows this. */
export function onBase(house: House, result: CheckResult): Decision {
  runToExit(house, sessionOnBase(house), result.outcome === 'passed' ? 0 : 1);
  const {setup} = house.state.project;
  return conclude(house, 'read-baseline', {
    type: 'baseline-checked',
    run: 'r1',
    base: 'base',
    ...(setup === undefined ? {} : {setup}),
    result,
  });
}

/** The base was checked, with this for `test`. */
export function withBase(result: CheckResult, project?: Partial<Project>): House {
  const house = reviewed(project);
  recall(house);
  makeMerge(house);
  onBase(house, result);
  onBase(house, passed('build'));
  return house;
}

export function choose(house: House, choice: BaselineDecision, name = 'test'): Decision {
  return wish(house, {type: 'choose-baseline', run: 'r1', check: name, choice});
}

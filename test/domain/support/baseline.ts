import {
  type BaselineDecision,
  type CheckResult,
  type Decision,
  type Project,
  selectBaseline,
  selectRun,
} from '../../../source/domain/index.ts';
import {conclude, createHarness, type Harness, report, userCommand, wantedKeys} from './harness.ts';
import {base, getPlan, passed, plannedTask, request} from './samples.ts';
import {runToExit} from './stages.ts';

export const testGreen = passed('test', 'npm test');
export const testRed: CheckResult = {
  check: {name: 'test', command: 'npm test'},
  outcome: 'failed',
  firstFailure: 'expected 1, got 2',
  touched: [],
};

/** A run in review whose base has to be checked. */
export function reviewed(project: Partial<Project> = {}): Harness {
  const harness = createHarness();
  report(harness, {
    type: 'project-read',
    project: {services: [], limits: {workers: 2, runs: 1}, ...project},
  });
  userCommand(harness, {type: 'start-run', request, budget: {attemptWallClock: 600_000}});
  conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: {...base, baseline: true}});
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w/plan',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: getPlan(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  return harness;
}

export function recall(harness: Harness, results: readonly CheckResult[] = []): Decision {
  const {stage} = selectRun(harness.state, 'r1')!;
  if (stage.at !== 'reviewing' && stage.at !== 'working')
    throw new Error(`nothing to recall while ${stage.at}`);
  const {setup} = harness.state.project;
  return conclude(harness, 'recall-baseline', {
    type: 'baseline-recalled',
    run: 'r1',
    base: stage.ground.base,
    rules: stage.ground.rules.hash,
    plan: stage.proposal.hash,
    ...(setup === undefined ? {} : {setup}),
    results,
  });
}

export function makeMerge(harness: Harness): Decision {
  return conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.merge',
    path: '/w/merge',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
    reads: 'one',
  });
}

export function sessionOnBase(harness: Harness): `s${number}` {
  const {session} = selectBaseline(selectRun(harness.state, 'r1')!);
  if (session === undefined)
    throw new Error(`nothing is at work on the base; wanted: ${wantedKeys(harness).join(', ')}`);
  return session;
}

/** The next check on the base runs with this result. */
export function onBase(harness: Harness, result: CheckResult): Decision {
  runToExit(harness, sessionOnBase(harness), result.outcome === 'passed' ? 0 : 1);
  const {setup} = harness.state.project;
  return conclude(harness, 'read-baseline', {
    type: 'baseline-checked',
    run: 'r1',
    base: 'base',
    ...(setup === undefined ? {} : {setup}),
    result,
  });
}

/** The base was checked, with this result for `test`. */
export function withBase(result: CheckResult, project?: Partial<Project>): Harness {
  const harness = reviewed(project);
  recall(harness);
  makeMerge(harness);
  onBase(harness, result);
  onBase(harness, passed('build'));
  return harness;
}

export function choose(harness: Harness, choice: BaselineDecision, name = 'test'): Decision {
  return userCommand(harness, {type: 'choose-baseline', run: 'r1', check: name, choice});
}

import {
  type CheckResult,
  type Decision,
  type Judgement,
  type PlannedTask,
  type Project,
  type RunBudget,
  type RunRequest,
  selectAttempt,
  selectRun,
  selectTask,
  type TaskId,
} from '../../../source/domain/index.ts';
import {conclude, createHarness, type Harness, report, userCommand} from './harness.ts';
import {base, change, getPlan, green, passed, plannedTask, request} from './samples.ts';

/**
 * A state with one run in the named stage. Each function continues the previous one with commands
 * only.
 */
export function surveyed(
  budget: RunBudget = {},
  project?: Partial<Project>,
  more: Partial<RunRequest> = {},
): Harness {
  const harness = createHarness();
  report(harness, {
    type: 'project-read',
    project: {
      services: [{name: 'web', command: 'npm start', port: 3000}],
      limits: {workers: 2, runs: 1},
      ...project,
    },
  });
  userCommand(harness, {type: 'start-run', request: {...request, ...more}, budget});
  conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
  return harness;
}

export function thinking(
  budget: RunBudget = {},
  project?: Partial<Project>,
  more: Partial<RunRequest> = {},
): Harness {
  const harness = surveyed(budget, project, more);
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w/r1.plan',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  return harness;
}

export function reviewing(
  tasks: readonly PlannedTask[] = [plannedTask('t1')],
  budget: RunBudget = {},
  project?: Partial<Project>,
  more: Partial<RunRequest> = {},
): Harness {
  const harness = thinking(budget, project, more);
  runToExit(harness, 's1');
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: getPlan(...tasks),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  return harness;
}

export function working(
  tasks: readonly PlannedTask[] = [plannedTask('t1')],
  budget: RunBudget = {},
  project?: Partial<Project>,
  more: Partial<RunRequest> = {},
): Harness {
  const harness = reviewing(tasks, budget, project, more);
  approve(harness);
  return harness;
}

export function approve(harness: Harness): Decision {
  const stage = selectRun(harness.state, 'r1')!.stage;
  if (stage.at !== 'reviewing') throw new Error(`expected a plan to approve, got ${stage.at}`);
  return userCommand(harness, {
    type: 'approve-plan',
    run: 'r1',
    plan: stage.proposal.hash,
    rules: stage.ground.rules.hash,
    base: stage.ground.base,
  });
}

/** Creates, starts and ends the session. */
export function runToExit(harness: Harness, session: `s${number}`, code = 0): Decision {
  startSession(harness, session);
  return report(harness, {type: 'session-exited', session, code, signal: null});
}

export function startSession(harness: Harness, session: `s${number}`): void {
  report(harness, {type: 'session-created', session});
  report(harness, {type: 'session-running', session});
}

export function makeWorktree(harness: Harness, task: TaskId): Decision {
  const commit = selectRun(harness.state, 'r1')!.head!;
  return report(
    harness,
    {
      type: 'worktree-made',
      owner: task,
      path: `/w/${task}`,
      branch: `orchestra/${task}`,
      commit,
      tree: `tree-${commit}`,
    },
    `${task}/make`,
  );
}

/** The session that the task waits for now. */
export function sessionOfTask(harness: Harness, task: TaskId): `s${number}` {
  const found = selectTask(harness.state, task)!;
  const step = selectAttempt(found)?.step;
  const {stage} = found;
  const own = stage.at === 'taken-over' ? stage : step;
  const holder = stage.at === 'merging' ? stage.step : own;
  const id = holder !== undefined && 'session' in holder ? holder.session : undefined;
  if (id === undefined)
    throw new Error(`${task} (${found.stage.at}, ${step?.at ?? 'no attempt'}) has no session`);
  return id;
}

/** The agent works and finishes, and its change is captured and judged. */
export function work(harness: Harness, task: TaskId, judgement: Judgement = green): Decision {
  const attempt = selectAttempt(selectTask(harness.state, task)!)!.number;
  const session = sessionOfTask(harness, task);
  runToExit(harness, session);
  const id = `${task}.a${attempt}`;
  report(
    harness,
    {type: 'agent-finished', task, attempt, words: 'Done.'},
    `${id}/read-outcome/${session}`,
  );
  report(harness, {type: 'change-captured', task, attempt, change}, `${id}/capture`);
  return report(
    harness,
    {type: 'change-judged', task, attempt, judgement},
    `${id}/judge/${change.tree}`,
  );
}

/** The next check of the task runs with this result. */
export function check(harness: Harness, task: TaskId, result: CheckResult): Decision {
  const session = sessionOfTask(harness, task);
  const attempt = selectAttempt(selectTask(harness.state, task)!)!.number;
  const on = selectTask(harness.state, task)!.stage.at === 'merging' ? 'merge' : 'change';
  runToExit(harness, session, result.outcome === 'passed' ? 0 : 1);
  const key =
    on === 'merge'
      ? `${task}/read-merge-check/${result.check.name}/${session}`
      : `${task}.a${attempt}/read-check/${result.check.name}/${session}`;
  return report(harness, {type: 'check-finished', task, attempt, on, result}, key);
}

/** Worktree, work, both checks green, committed. */
export function validate(harness: Harness, task: TaskId): Decision {
  if (selectTask(harness.state, task)!.stage.at === 'preparing') makeWorktree(harness, task);
  work(harness, task);
  check(harness, task, passed('test', 'npm test'));
  check(harness, task, passed('build'));
  const attempt = selectAttempt(selectTask(harness.state, task)!)!.number;
  return report(
    harness,
    {type: 'change-committed', task, attempt, commit: `commit-${task}`},
    `${task}.a${attempt}/commit/${change.tree}`,
  );
}

/** The task is merged, checked again and published. */
export function mergeTask(
  harness: Harness,
  task: TaskId,
  checks: readonly string[] = ['test', 'build'],
): Decision {
  buildMerge(harness, task);
  for (const name of checks)
    check(harness, task, name === 'test' ? passed('test', 'npm test') : passed(name));
  return conclude(harness, 'publish-merge', {type: 'task-merged', task, commit: `merge-${task}`});
}

export function buildMerge(harness: Harness, task: TaskId): Decision {
  const {head, worktrees} = selectRun(harness.state, 'r1')!;
  if (!worktrees.some(({owner}) => owner === 'r1.merge')) {
    report(
      harness,
      {
        type: 'worktree-made',
        owner: 'r1.merge',
        path: '/w/r1.merge',
        branch: null,
        commit: head!,
        tree: 'tree',
      },
      'r1.merge/make',
    );
  }

  return conclude(harness, 'build-merge', {
    type: 'merge-built',
    task,
    candidate: `merge-${task}`,
    onto: head!,
  });
}

export function getTypes({events}: Decision): string[] {
  return events.map(({type}) => type);
}

/** One task whose agent, s2, is at work. */
export function atWork(...tasks: Parameters<typeof plannedTask>[]): Harness {
  const harness = working(
    tasks.length === 0 ? [plannedTask('t1')] : tasks.map((task) => plannedTask(...task)),
  );
  makeWorktree(harness, 'r1.t1');
  startSession(harness, 's2');
  return harness;
}

/** One task that is merged. */
export function finished(project?: Partial<Project>): Harness {
  const harness = working([plannedTask('t1')], {}, project);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  return harness;
}

export function getStage(harness: Harness): string {
  return selectRun(harness.state, 'r1')!.stage.at;
}

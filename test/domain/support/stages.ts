import {
  attemptOf,
  runOf,
  taskOf,
  type CheckResult,
  type Decision,
  type Judgement,
  type PlannedTask,
  type Project,
  type RunBudget,
  type TaskId,
} from '../../../source/domain/index.ts';
import {conclude, createHouse, report, wish, type House} from './house.ts';
import {change, green, ground, passed, plannedTask, planOf, request} from './samples.ts';

/** A house with one run, at the moment named. Each takes the one before further, by commands alone. */
export function surveyed(budget: RunBudget = {}, project?: Partial<Project>): House {
  const house = createHouse();
  report(house, {
    type: 'project-read',
    project: {
      services: [{name: 'web', command: 'npm start', port: 3000}],
      limits: {workers: 2, runs: 1},
      ...project,
    },
  });
  wish(house, {type: 'start-run', request, budget});
  conclude(house, 'survey', {type: 'run-surveyed', run: 'r1', ground});
  return house;
}

export function thinking(budget: RunBudget = {}, project?: Partial<Project>): House {
  const house = surveyed(budget, project);
  conclude(house, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w/r1.plan',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  return house;
}

export function reviewing(
  tasks: readonly PlannedTask[] = [plannedTask('t1')],
  budget: RunBudget = {},
  project?: Partial<Project>,
): House {
  const house = thinking(budget, project);
  runToExit(house, 's1');
  conclude(house, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: planOf(...tasks),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  return house;
}

export function working(
  tasks: readonly PlannedTask[] = [plannedTask('t1')],
  budget: RunBudget = {},
  project?: Partial<Project>,
): House {
  const house = reviewing(tasks, budget, project);
  approve(house);
  return house;
}

export function approve(house: House): Decision {
  const stage = runOf(house.state, 'r1')!.stage;
  if (stage.at !== 'reviewing') throw new Error(`expected a plan to approve, got ${stage.at}`);
  return wish(house, {
    type: 'approve-plan',
    run: 'r1',
    plan: stage.proposal.hash,
    rules: stage.ground.rules.hash,
    base: stage.ground.base,
  });
}

/** The keeper is there, the process runs, the process ends. */
export function runToExit(house: House, session: `s${number}`, code = 0): Decision {
  startSession(house, session);
  return report(house, {type: 'session-exited', session, code, signal: null});
}

export function startSession(house: House, session: `s${number}`): void {
  report(house, {type: 'session-created', session});
  report(house, {type: 'session-running', session});
}

export function makeWorktree(house: House, task: TaskId): Decision {
  const commit = runOf(house.state, 'r1')!.head!;
  return report(
    house,
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

/** The session that the task waits for at this moment. */
export function sessionOfTask(house: House, task: TaskId): `s${number}` {
  const found = taskOf(house.state, task)!;
  const step = attemptOf(found)?.step;
  const holder =
    found.stage.at === 'merging'
      ? found.stage.step
      : found.stage.at === 'taken-over'
        ? found.stage
        : step;
  const id = holder !== undefined && 'session' in holder ? holder.session : undefined;
  if (id === undefined)
    throw new Error(`${task} (${found.stage.at}, ${step?.at ?? 'no attempt'}) has no session`);
  return id;
}

/** The agent works, ends well, and what it changed is captured and judged. */
export function work(house: House, task: TaskId, judgement: Judgement = green): Decision {
  const attempt = attemptOf(taskOf(house.state, task)!)!.number;
  const session = sessionOfTask(house, task);
  runToExit(house, session);
  const id = `${task}.a${attempt}`;
  report(
    house,
    {type: 'agent-finished', task, attempt, words: 'Done.'},
    `${id}/read-outcome/${session}`,
  );
  report(house, {type: 'change-captured', task, attempt, change}, `${id}/capture`);
  return report(
    house,
    {type: 'change-judged', task, attempt, judgement},
    `${id}/judge/${change.tree}`,
  );
}

/** The next check of the task runs and shows this. */
export function check(house: House, task: TaskId, result: CheckResult): Decision {
  const session = sessionOfTask(house, task);
  const attempt = attemptOf(taskOf(house.state, task)!)!.number;
  const on = taskOf(house.state, task)!.stage.at === 'merging' ? 'merge' : 'change';
  runToExit(house, session, result.outcome === 'passed' ? 0 : 1);
  const key =
    on === 'merge'
      ? `${task}/read-merge-check/${result.check.name}/${session}`
      : `${task}.a${attempt}/read-check/${result.check.name}/${session}`;
  return report(house, {type: 'check-finished', task, attempt, on, result}, key);
}

/** Worktree, work, both checks green, committed. */
export function validate(house: House, task: TaskId): Decision {
  if (taskOf(house.state, task)!.stage.at === 'preparing') makeWorktree(house, task);
  work(house, task);
  check(house, task, passed('test', 'npm test'));
  check(house, task, passed('build'));
  const attempt = attemptOf(taskOf(house.state, task)!)!.number;
  return report(
    house,
    {type: 'change-committed', task, attempt, commit: `commit-${task}`},
    `${task}.a${attempt}/commit/${change.tree}`,
  );
}

/** The task is merged beside, validated again and published. */
export function mergeTask(house: House, task: TaskId): Decision {
  buildMerge(house, task);
  check(house, task, passed('test', 'npm test'));
  check(house, task, passed('build'));
  return conclude(house, 'publish-merge', {type: 'task-merged', task, commit: `merge-${task}`});
}

export function buildMerge(house: House, task: TaskId): Decision {
  const {head, worktrees} = runOf(house.state, 'r1')!;
  if (!worktrees.some(({owner}) => owner === 'r1.merge')) {
    report(
      house,
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

  return conclude(house, 'build-merge', {
    type: 'merge-built',
    task,
    candidate: `merge-${task}`,
    onto: head!,
  });
}

export function typesOf({events}: Decision): string[] {
  return events.map(({type}) => type);
}

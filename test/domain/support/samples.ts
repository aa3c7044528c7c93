import type {
  Change,
  CheckResult,
  Judgement,
  Plan,
  PlannedTask,
  Rules,
  RunBase,
  RunEnvironment,
  RunRequest,
} from '../../../source/domain/index.ts';
import type {Random} from '../../support/random.ts';

export const rules: Rules = {
  rules: [
    {
      number: '1.1',
      text: 'Preserve public API contracts.',
      line: 2,
      tooth: {kind: 'protect', globs: ['src/api/**']},
    },
    {
      number: '2.1',
      text: 'Edit the minimum number of files.',
      line: 4,
      tooth: {kind: 'max-files', most: 8},
    },
  ],
  checks: [{name: 'test', command: 'npm test'}],
  hash: 'rules-1',
};

export const otherRules: Rules = {...rules, hash: 'rules-2'};

export const base: RunBase = {base: 'base', branch: 'main', rules};

export const request: RunRequest = {
  objective: 'Stop refreshing tokens twice',
  worker: 'playbook',
  planner: 'playbook',
  queued: false,
};

export function plannedTask(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    id,
    title: `Task ${id}`,
    brief: `Do ${id}.`,
    files: [`src/${id}.ts`],
    after: [],
    services: [],
    ...more,
  };
}

export function getPlan(...tasks: readonly PlannedTask[]): Plan {
  return {
    objective: request.objective,
    problem: 'Tokens are refreshed twice.',
    rootCause: 'The retry recreates an expired token.',
    assumptions: [],
    invariants: [],
    risks: [],
    rejected: [],
    tasks,
    validation: [{name: 'build', command: 'npm run build'}],
  };
}

/** One to five tasks, each after some of the earlier ones, some with a service. */
export function randomPlan(random: Random): Plan {
  const count = 1 + random.below(5);
  const tasks = Array.from({length: count}, (_, index) =>
    plannedTask(`t${index + 1}`, {
      after: Array.from({length: index}, (_unused, earlier) => `t${earlier + 1}`).filter(() =>
        random.chance(0.3),
      ),
      services: random.chance(0.15) ? ['web'] : [],
    }),
  );
  return getPlan(...(random.chance(0.3) ? withVariants(tasks, random) : tasks));
}

/** One of the tasks, with one or two variants of it after it. */
function withVariants(tasks: readonly PlannedTask[], random: Random): PlannedTask[] {
  const root = random.pick(tasks);
  return tasks.flatMap((task) =>
    task === root
      ? [
          task,
          ...Array.from({length: 1 + random.below(2)}, (_, index) => ({
            ...task,
            id: `t${20 + index}`,
            variantOf: task.id,
            ...(random.chance(0.5) ? {agent: 'codex'} : {}),
          })),
        ]
      : [task],
  );
}

/** As the daemon saves it: `otherEnvironment` has another PATH and an additional variable. */
export const environment: RunEnvironment = {
  from: 'shell',
  hash: 'whole-1',
  variables: [
    {name: 'HOME', hash: 'h1'},
    {name: 'PATH', hash: 'p1'},
  ],
};
export const otherEnvironment: RunEnvironment = {
  from: 'shell',
  hash: 'whole-2',
  variables: [
    {name: 'HOME', hash: 'h1'},
    {name: 'PATH', hash: 'p2'},
    {name: 'VIRTUAL_ENV', hash: 'v1'},
  ],
};

export const change: Change = {
  tree: 'tree-1',
  files: [{path: 'src/t1.ts', how: 'modified', added: 3, removed: 1}],
};

export const green: Judgement = {
  outside: [],
  rules: [
    {number: '1.1', verdict: 'kept'},
    {number: '2.1', verdict: 'kept'},
  ],
};

export function passed(name: string, command = `npm run ${name}`): CheckResult {
  return {check: {name, command}, outcome: 'passed', touched: []};
}

export function failed(name: string, firstFailure = 'expected 1, got 2'): CheckResult {
  return {check: {name, command: `npm run ${name}`}, outcome: 'failed', firstFailure, touched: []};
}

import type {TaskId, WorktreeOwner} from '../ids.ts';
import type {Run} from '../run.ts';
import {instanceName, type Service, type ServiceSpec} from '../service.ts';
import type {State} from '../state.ts';
import type {Task} from '../task.ts';
import {openRunsOf, serviceOf, worktreeOf} from './find.ts';
import {portBlockFor} from './port-block.ts';
import {isTaskActive, mergerOf} from './progress.ts';
import {needsSetup} from './setup.ts';

/** One process of a service that each task has for itself. */
export type Instance = {
  readonly run: Run;
  readonly owner: WorktreeOwner;
  readonly task: TaskId;
  readonly template: ServiceSpec;
};

/**
 * Instances that should run now: while a task is prepared, worked on or in a person's hands, and while what it did is checked beside the
 * others. With the task they end.
 */
export function wantedInstances(state: State): Instance[] {
  if (!state.services.some(({spec}) => spec.per === 'task')) return [];
  return openRunsOf(state).flatMap((run) =>
    run.tasks.flatMap((task) => instancesOfTask(state, run, task)),
  );
}

function instancesOfTask(state: State, run: Run, task: Task): Instance[] {
  const owner = ownerInNeed(state, run, task);
  if (owner === undefined) return [];
  return perTaskOf(state, task).map((template) => ({run, owner, task: task.id, template}));
}

/** Where the task's services are needed at this moment, if anywhere. */
function ownerInNeed(state: State, run: Run, task: Task): WorktreeOwner | undefined {
  if (!isTaskActive(run, task)) return undefined;
  const {stage} = task;
  const merge = `${run.id}.merge` as const;
  if (stage.at === 'merging')
    return stage.step.at === 'checking' &&
      mergerOf(run) === task &&
      worktreeOf(run, merge) !== undefined &&
      !needsSetup(state, run, merge)
      ? merge
      : undefined;
  const isAtWork =
    stage.at === 'attempting' ||
    stage.at === 'taken-over' ||
    (stage.at === 'preparing' && !needsSetup(state, run, task.id));
  return isAtWork && worktreeOf(run, task.id) !== undefined ? task.id : undefined;
}

function perTaskOf(state: State, task: Task): ServiceSpec[] {
  return task.planned.services.flatMap((name) => {
    const spec = serviceOf(state, name)?.spec;
    return spec?.per === 'task' ? [spec] : [];
  });
}

/** The service that a name of the plan means for this owner: its own instance, or the one that all share. */
export function serviceNameFor(state: State, name: string, owner: WorktreeOwner): string {
  return serviceOf(state, name)?.spec.per === 'task' ? instanceName(name, owner) : name;
}

/** Whether the services that this owner has for itself are ready. Those that all share are waited for before the task begins. */
export function areOwnServicesReady(state: State, task: Task, owner: WorktreeOwner): boolean {
  return perTaskOf(state, task).every(({name}) => {
    const stage = serviceOf(state, instanceName(name, owner))?.stage;
    return stage?.at === 'up' && stage.condition === 'ready';
  });
}

/** Whether a service of this name is an instance that its task needs now. */
export function isWantedInstance(state: State, name: string): boolean {
  return wantedInstances(state).some((one) => instanceName(one.template.name, one.owner) === name);
}

/** Somebody waits for an instance before going on. */
export function isInstanceAwaited(state: State, {spec: {owner, name}}: Service): boolean {
  return (
    owner !== undefined &&
    wantedInstances(state).some(
      (one) =>
        instanceName(one.template.name, one.owner) === name &&
        openRunsOf(state).some((run) =>
          run.tasks.some(
            (task) =>
              task.id === one.task &&
              (task.stage.at === 'preparing' || task.stage.at === 'merging'),
          ),
        ),
    )
  );
}

/** Instances are listed as long as they run, or should: those of tasks that are over are of no interest to anybody. */
export function isListed({spec: {owner}, desire, stage}: Service): boolean {
  return (
    owner === undefined || desire !== 'none' || stage.at === 'up' || stage.at === 'backing-off'
  );
}

/** What a person is shown of services. */
export function listedServices({services}: Pick<State, 'services'>): Service[] {
  return services.filter(isListed);
}

/** As it is started: under its own name, in its owner's worktree, at a port of its owner's block. The first port of the block stays the task's own. */
export function instanceSpec(state: State, {run, owner, template}: Instance): ServiceSpec {
  const {name, command, ready} = template;
  const block = portBlockFor(state.project, run, owner);
  const number = state.services
    .filter(({spec}) => spec.per === 'task')
    .findIndex(({spec}) => spec.name === name);
  const port = block === undefined ? undefined : block.first + 1 + number;
  const hasPort =
    needsPort(template) && port !== undefined && block !== undefined && port <= block.last;
  return {
    name: instanceName(name, owner),
    command,
    of: name,
    owner,
    ...(hasPort ? {port} : {}),
    ...(ready === undefined ? {} : {ready}),
  };
}

/** Its command asks for one, or its readiness does. */
export function needsPort({command, ready}: Pick<ServiceSpec, 'command' | 'ready'>): boolean {
  return /\$(?:PORT\b|\{PORT\b)/.test(command) || ready?.by === 'port' || ready?.by === 'http';
}

/** Why an instance could not do what it is for, however often it is started. */
export function obstacleToInstance({project}: State, spec: ServiceSpec): string | undefined {
  if (needsPort(spec) && spec.port === undefined)
    return `there is no port left for it in the block of ${spec.owner ?? ''}. Raise ports.perTask in .orchestra/project.yaml, or lower ports.from`;
  const {workers = 'all', checks = 'all'} = project.network ?? {};
  if (project.sandbox !== 'off' && (workers !== 'all' || checks !== 'all'))
    return 'it runs what an agent wrote, and the project restricts the network of workers or checks: it would be a way around that, and could not be reached from inside. Take the service out of the plan, or set sandbox.network to all';
  return undefined;
}

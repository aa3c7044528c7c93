import {instanceName, type Service, type ServiceSpec} from '../service.ts';
import type {State} from '../state.ts';
import {selectOpenRuns, selectService, selectWorktree} from './find.ts';
import {isNext, isPerTask, isServiceReady, isTaskActive, selectMerger} from './progress.ts';
import type {TaskId, WorktreeOwner} from '../ids.ts';
import type {Run} from '../run.ts';
import type {Task} from '../task.ts';
import {needsSetup, selectPortBlock} from './environment.ts';

/** Limit on restarts (faults.md, P11 and 3.10). */
export const restartLimit = {starts: 5, within: 60_000};

/** Starts within the minute before `at`. */
export function countRecentStarts({starts}: Service, at: number): number {
  return starts.filter((start) => at - start < restartLimit.within).length;
}

/** Starting by hand has the same limit as restarting after a crash. */
export function isStartedTooOften(service: Service, at: number): boolean {
  return countRecentStarts(service, at) >= restartLimit.starts;
}

export function formatTooManyStarts(name: string): string {
  return `${name} was started ${restartLimit.starts} times within a minute; wait before you start it again`;
}

/**
 * A service that is not ready after this time is given up, so that tasks do not wait for it without
 * end.
 */
export const readyLimit = 30 * 60_000;

/**
 * When a service that a task waits for is given up: `readyLimit` after its start, or after it was
 * last ready. Services that no task waits for have no deadline.
 */
export function selectReadyDeadline(state: State, service: Service): number | undefined {
  const {
    spec: {name},
    stage,
    starts,
  } = service;
  if (
    stage.at !== 'up' ||
    stage.condition === 'ready' ||
    (!isAwaited(state, name) && !isInstanceAwaited(state, service))
  )
    return undefined;
  const since = stage.condition === 'unhealthy' ? stage.since : (starts.at(-1) ?? stage.since);
  return since + readyLimit;
}

function isAwaited(state: State, name: string): boolean {
  return selectOpenRuns(state).some((run) =>
    run.tasks.some((task) => isNext(run, task) && task.planned.services.includes(name)),
  );
}

/** One process of a per-task service. */
export type ServiceInstance = {
  readonly run: Run;
  readonly owner: WorktreeOwner;
  readonly task: TaskId;
  readonly template: ServiceSpec;
};

/**
 * Instances that should run now: while a task is prepared, worked on or taken over, and while its
 * merge is checked.
 */
export function selectWantedInstances(state: State): ServiceInstance[] {
  if (!state.services.some(({spec}) => spec.per === 'task')) return [];
  return selectOpenRuns(state).flatMap((run) =>
    run.tasks.flatMap((task) => instancesOfTask(state, run, task)),
  );
}

function instancesOfTask(state: State, run: Run, task: Task): ServiceInstance[] {
  const owner = selectOwnerInNeed(state, run, task);
  if (owner === undefined) return [];
  return selectPerTask(state, task).map((template) => ({run, owner, task: task.id, template}));
}

/** The worktree in which the task's services are needed now, if any. */
function selectOwnerInNeed(state: State, run: Run, task: Task): WorktreeOwner | undefined {
  if (!isTaskActive(run, task)) return undefined;
  const {stage} = task;
  const merge = `${run.id}.merge` as const;
  if (stage.at === 'merging')
    return stage.step.at === 'checking' &&
      selectMerger(run) === task &&
      selectWorktree(run, merge) !== undefined &&
      !needsSetup(state, run, merge)
      ? merge
      : undefined;
  const isAtWork =
    stage.at === 'attempting' ||
    stage.at === 'taken-over' ||
    (stage.at === 'preparing' && !needsSetup(state, run, task.id));
  return isAtWork && selectWorktree(run, task.id) !== undefined ? task.id : undefined;
}

function selectPerTask(state: State, task: Task): ServiceSpec[] {
  return task.planned.services.flatMap((name) => {
    const spec = selectService(state, name)?.spec;
    return spec?.per === 'task' ? [spec] : [];
  });
}

/** Resolves a service name of the plan for this owner: its own instance, or the shared service. */
export function serviceNameFor(state: State, name: string, owner: WorktreeOwner): string {
  return isPerTask(state, name) ? instanceName(name, owner) : name;
}

/**
 * Whether this owner's own services are ready. Shared services are awaited before the task begins.
 */
export function areOwnServicesReady(state: State, task: Task, owner: WorktreeOwner): boolean {
  return selectPerTask(state, task).every(({name}) =>
    isServiceReady(state, instanceName(name, owner)),
  );
}

/** Whether this name is that of an instance that its task needs now. */
export function isWantedInstance(state: State, name: string): boolean {
  return selectWantedInstances(state).some(
    (one) => instanceName(one.template.name, one.owner) === name,
  );
}

/** A task waits for this instance. */
export function isInstanceAwaited(state: State, {spec: {owner, name}}: Service): boolean {
  return (
    owner !== undefined &&
    selectWantedInstances(state).some(
      (one) =>
        instanceName(one.template.name, one.owner) === name &&
        selectOpenRuns(state).some((run) =>
          run.tasks.some(
            (task) =>
              task.id === one.task &&
              (task.stage.at === 'preparing' || task.stage.at === 'merging'),
          ),
        ),
    )
  );
}

/** Instances are listed only while they run or should run; those of finished tasks are hidden. */
export function isListed({spec: {owner}, desire, stage}: Service): boolean {
  return (
    owner === undefined || desire !== 'none' || stage.at === 'up' || stage.at === 'backing-off'
  );
}

/** The services that a person sees. */
export function selectListedServices({services}: Pick<State, 'services'>): Service[] {
  return services.filter(isListed);
}

/**
 * The spec with which an instance is started: its own name, its owner's worktree, and a port of its
 * owner's block. The first port of the block is reserved for the task itself.
 */
export function toInstanceSpec(state: State, {run, owner, template}: ServiceInstance): ServiceSpec {
  const {name, command, ready} = template;
  const block = selectPortBlock(state.project, run, owner);
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

/** Its command or its readiness check uses a port. */
export function needsPort({command, ready}: Pick<ServiceSpec, 'command' | 'ready'>): boolean {
  return /\$(?:PORT\b|\{PORT\b)/.test(command) || ready?.by === 'port' || ready?.by === 'http';
}

/** Why an instance cannot work, however often it is started. */
export function findInstanceObstacle({project}: State, spec: ServiceSpec): string | undefined {
  if (needsPort(spec) && spec.port === undefined)
    return (
      `the port block of ${spec.owner ?? ''} has no free port for it. Raise ports.perTask ` +
      'in .orchestra/project.yaml, or lower ports.from'
    );
  const {workers = 'all', checks = 'all'} = project.network ?? {};
  if (project.sandbox !== 'off' && (workers !== 'all' || checks !== 'all'))
    return (
      'it runs code that an agent wrote, and the project restricts the network of workers ' +
      'or checks. It would bypass that restriction, and the sandbox could not reach it. ' +
      'Remove the service from the plan, or set sandbox.network to all'
    );
  return undefined;
}

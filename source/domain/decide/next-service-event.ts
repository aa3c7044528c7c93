import type {EventBody} from '../event.ts';
import {instanceName, type Service} from '../service.ts';
import {selectLiveSessions, selectRun, selectService, selectSession} from '../select/find.ts';
import {
  countRecentStarts,
  findInstanceObstacle,
  readyLimit,
  restartLimit,
  selectReadyDeadline,
  selectWantedInstances,
  type ServiceInstance,
  toInstanceSpec,
} from '../select/services.ts';
import type {State} from '../state.ts';
import {askSession} from './answer.ts';
import {isSame} from '../../shared/index.ts';
import {isTaskId, runIdIn, type TaskId} from '../ids.ts';

/** The delay before a restart doubles, up to `most` milliseconds. */
const backOff = {first: 500, most: 30_000};
/**
 * Catches a service that dies too slowly for `restartLimit`: so many deaths in a row, each after
 * less than `steady` milliseconds.
 */
const deathLimit = {deaths: 10, steady: 10 * 60_000};
/** A service that exits with this status asks not to be restarted (as in s6). */
const permanentFailure = 125;

export function nextServiceEvent(
  state: State,
  service: Service,
  at: number,
): EventBody | undefined {
  const {
    spec: {name},
    desire,
    stage,
  } = service;
  if (desire !== 'wanted')
    return stage.at === 'up' || stage.at === 'backing-off'
      ? {type: 'service-went-down', service: name}
      : undefined;
  switch (stage.at) {
    case 'down':
      return startServiceSession(state, name);
    case 'backing-off':
      return at >= stage.until ? startServiceSession(state, name) : undefined;
    case 'up': {
      const life = selectSession(state, stage.session)?.life;
      if (life?.at === 'exited' || life?.at === 'lost')
        return nextServiceDeathEvent(service, life.at === 'exited' ? life.code : null, life.when);
      const deadline = selectReadyDeadline(state, service);
      return deadline !== undefined && at >= deadline
        ? {type: 'service-failed', service: name, why: {kind: 'not-ready', limit: readyLimit}}
        : undefined;
    }

    case 'failed':
    case 'foreign-port':
      return undefined;
  }
}

/** Waits until the previous process has ended: two processes would compete for the port. */
function startServiceSession(state: State, name: string): EventBody | undefined {
  const isBusy = selectLiveSessions(state).some(
    ({purpose}) => purpose.for === 'service' && purpose.service === name,
  );
  return isBusy ? undefined : askSession(state, {for: 'service', service: name});
}

function nextServiceDeathEvent(service: Service, code: number | null, when: number): EventBody {
  const {
    spec: {name},
    starts,
  } = service;
  if (code === permanentFailure)
    return {type: 'service-failed', service: name, why: {kind: 'permanent', code}};
  const recent = countRecentStarts(service, when);
  if (recent >= restartLimit.starts)
    return {type: 'service-failed', service: name, why: {kind: 'restarts', times: recent}};
  const isSteady = when - (starts.at(-1) ?? when) >= deathLimit.steady;
  const deaths = (isSteady ? 0 : (service.deaths ?? 0)) + 1;
  if (deaths >= deathLimit.deaths)
    return {
      type: 'service-failed',
      service: name,
      why: {kind: 'restarts', times: deaths, steady: deathLimit.steady},
    };
  const pause = Math.min(backOff.most, backOff.first * 2 ** Math.max(0, recent - 1));
  return {type: 'service-backed-off', service: name, until: when + pause, deaths};
}

/**
 * Per-task services are declared when they are first needed, wanted while they are needed, and
 * stopped with their task.
 */
export function nextTaskServiceEvent(state: State): EventBody | undefined {
  const instances = selectWantedInstances(state);
  for (const instance of instances) {
    const eventBody = nextInstanceEvent(state, instance);
    if (eventBody !== undefined) return eventBody;
  }

  const names = new Set(instances.map(({template, owner}) => instanceName(template.name, owner)));
  const over = state.services
    .filter(
      ({spec, desire}) => spec.owner !== undefined && desire === 'wanted' && !names.has(spec.name),
    )
    .flatMap((service) => {
      const task = taskOfInstance(state, service);
      return task === undefined ? [] : [{service: service.spec.name, by: task}];
    })[0];
  return over === undefined ? undefined : {type: 'service-stopped', ...over};
}

function nextInstanceEvent(state: State, instance: ServiceInstance): EventBody | undefined {
  const service = selectService(state, instanceName(instance.template.name, instance.owner));
  const spec = toInstanceSpec(state, instance);
  // A running instance keeps its spec; a changed project file applies to the next start.
  if (service === undefined || (service.stage.at === 'down' && !isSame(service.spec, spec)))
    return {type: 'service-declared', spec};
  // An instance that was stopped must have ended first: an instance for a merge belongs to that
  // merge only.
  if (service.desire === 'none')
    return service.stage.at === 'up'
      ? undefined
      : {type: 'service-wanted', service: spec.name, by: instance.task};
  const obstacle =
    service.desire === 'wanted' && service.stage.at === 'down'
      ? findInstanceObstacle(state, service.spec)
      : undefined;
  return obstacle === undefined
    ? undefined
    : {type: 'service-failed', service: spec.name, why: {kind: 'unwatchable', words: obstacle}};
}

/**
 * The task that an instance ends with. An instance for merges that a person started ends with the
 * run's first task.
 */
function taskOfInstance(state: State, {spec: {owner}, wantedBy}: Service): TaskId | undefined {
  if (wantedBy !== undefined && wantedBy !== 'person') return wantedBy;
  if (owner === undefined) return undefined;
  return isTaskId(owner) ? owner : selectRun(state, runIdIn(owner))?.tasks[0]?.id;
}

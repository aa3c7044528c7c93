import {isSame} from '../../base/index.ts';
import type {Happening} from '../event.ts';
import {isTaskId, runIdIn, type TaskId} from '../ids.ts';
import {instanceName, type Service} from '../service.ts';
import {runOf, serviceOf} from '../select/find.ts';
import {
  instanceSpec,
  obstacleToInstance,
  wantedInstances,
  type Instance,
} from '../select/task-services.ts';
import type {State} from '../state.ts';

/** Services that each task has for itself: declared when they are first needed, wanted as long as they are, and stopped with their task. */
export function followTaskServices(state: State): Happening | undefined {
  const instances = wantedInstances(state);
  for (const instance of instances) {
    const happening = followInstance(state, instance);
    if (happening !== undefined) return happening;
  }

  const names = new Set(instances.map(({template, owner}) => instanceName(template.name, owner)));
  const over = state.services.find(
    ({spec, desire}) => spec.owner !== undefined && desire === 'wanted' && !names.has(spec.name),
  );
  return over === undefined
    ? undefined
    : {type: 'service-stopped', service: over.spec.name, by: taskOfInstance(state, over)};
}

function followInstance(state: State, instance: Instance): Happening | undefined {
  const service = serviceOf(state, instanceName(instance.template.name, instance.owner));
  const spec = instanceSpec(state, instance);
  // What runs is left as it is; it is started anew as the project file has it then.
  if (service === undefined || (service.stage.at === 'down' && !isSame(service.spec, spec)))
    return {type: 'service-declared', spec};
  // One that was told to end has ended first: what runs for a merge is of that merge.
  if (service.desire === 'none')
    return service.stage.at === 'up'
      ? undefined
      : {type: 'service-wanted', service: spec.name, by: instance.task};
  const obstacle =
    service.desire === 'wanted' && service.stage.at === 'down'
      ? obstacleToInstance(state, service.spec)
      : undefined;
  return obstacle === undefined
    ? undefined
    : {type: 'service-failed', service: spec.name, why: {kind: 'unwatchable', words: obstacle}};
}

/** Whose end ends it. */
function taskOfInstance(state: State, {spec: {owner}, wantedBy}: Service): TaskId {
  if (wantedBy !== undefined && wantedBy !== 'person') return wantedBy;
  if (owner !== undefined && isTaskId(owner)) return owner;
  return (owner === undefined ? undefined : runOf(state, runIdIn(owner))?.tasks[0]?.id) ?? 'r1.t1';
}

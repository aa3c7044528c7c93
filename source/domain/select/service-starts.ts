import type {Service} from '../service.ts';
import type {State} from '../state.ts';
import {openRunsOf} from './find.ts';
import {isNext} from './progress.ts';
import {isInstanceAwaited} from './task-services.ts';

/** Five starts in a minute are enough (faults.md, P11 and 3.10). */
export const restartLimit = {starts: 5, within: 60_000};

/** Starts within the minute before that moment. */
export function recentStarts({starts}: Service, at: number): number {
  return starts.filter((start) => at - start < restartLimit.within).length;
}

/** Whoever stops a service and starts it again is bound by the same limit as one that dies. */
export function isStartedTooOften(service: Service, at: number): boolean {
  return recentStarts(service, at) >= restartLimit.starts;
}

export function tooManyStarts(name: string): string {
  return `${name} was started ${restartLimit.starts} times within a minute; wait before you start it again`;
}

/** A service that is not ready for so long will not be: whoever waits for it would wait for ever. */
export const readyLimit = 30 * 60_000;

/** When a service that a task waits for and that is not ready is given up: so long after its start, or after it was ready last. Nobody else's is ended. */
export function readyDeadlineOf(state: State, service: Service): number | undefined {
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
  return openRunsOf(state).some((run) =>
    run.tasks.some((task) => isNext(run, task) && task.planned.services.includes(name)),
  );
}

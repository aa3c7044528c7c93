import {without} from '../../shared/index.ts';
import type {EventOf} from '../event.ts';
import type {Service, ServiceSpec} from '../service.ts';
import type {State} from '../state.ts';
import {
  changeService,
  type EventHandlers,
  formatOutOfOrder,
  type TransitionResult,
} from './change.ts';

type ServiceEvent =
  | 'service-declared'
  | 'service-wanted'
  | 'service-stopped'
  | 'service-restarted'
  | 'service-observed'
  | 'port-taken'
  | 'service-went-down'
  | 'service-backed-off'
  | 'service-failed';

export const serviceHandlers: EventHandlers<ServiceEvent> = {
  'service-declared': (state, {spec}) => ({...state, services: declareServices(state, [spec])}),

  'service-wanted': (state, event) =>
    changeService(state, event.service, (wanted) => ({
      ...resetStage(wanted, event.by === 'person'),
      desire: 'wanted',
      wantedBy: event.by,
    })),

  'service-stopped': (state, event) =>
    changeService(state, event.service, (stopped) => ({
      ...resetStage(stopped, event.by === undefined),
      desire: event.by === undefined ? 'stopped-by-person' : 'none',
    })),

  'service-restarted': (state, event) =>
    changeService(state, event.service, (restarted) => ({
      ...without(restarted, 'deaths'),
      desire: 'wanted',
      wantedBy: 'person',
      starts: [],
      stage: {at: 'down'},
    })),

  'service-observed': (state, event) =>
    changeUp(state, event, (stage) => ({
      ...stage,
      condition: event.condition,
      since: stage.condition === event.condition ? stage.since : event.at,
    })),

  'port-taken': (state, event) =>
    changeUp(state, event, () => ({at: 'foreign-port', owner: event.owner, since: event.at})),

  'service-went-down': (state, event) =>
    changeService(state, event.service, (down) => ({...down, stage: {at: 'down'}})),

  'service-backed-off': (state, event) =>
    changeService(state, event.service, (backed) => ({
      ...backed,
      deaths: event.deaths ?? 0,
      stage: {at: 'backing-off', until: event.until},
    })),

  'service-failed': (state, event) =>
    changeService(state, event.service, (failed) => ({
      ...failed,
      stage: {at: 'failed', why: event.why, since: event.at},
    })),
};

/**
 * New declarations replace those of the same name; a service that is up keeps running with its old
 * spec until its next start.
 */
export function declareServices(state: State, specs: readonly ServiceSpec[]): State['services'] {
  const retained = state.services.map((service) => {
    const spec = specs.find(({name}) => name === service.spec.name);
    return spec === undefined ? service : {...service, spec};
  });
  const added = specs.filter(({name}) => !state.services.some(({spec}) => spec.name === name));
  return [
    ...retained,
    ...added.map((spec) => ({
      spec,
      desire: 'none' as const,
      stage: {at: 'down' as const},
      starts: [],
    })),
  ];
}

type Up = Extract<Service['stage'], {readonly at: 'up'}>;

function changeUp(
  state: State,
  event: EventOf<'service-observed' | 'port-taken'>,
  change: (stage: Up) => Service['stage'],
): TransitionResult<State> {
  return changeService(state, event.service, (up) =>
    up.stage.at === 'up' ? {...up, stage: change(up.stage)} : formatOutOfOrder(event, up.stage.at),
  );
}

/**
 * Resets a service that is not up. Only a person resets the number of deaths, or an agent could
 * restart it without end.
 */
function resetStage(service: Service, isPersons: boolean): Service {
  if (service.stage.at === 'up') return service;
  return isPersons
    ? {...without(service, 'deaths'), stage: {at: 'down'}, starts: []}
    : {...service, stage: {at: 'down'}};
}

import {without} from '../../base/index.ts';
import type {EventOf} from '../event.ts';
import type {Service} from '../service.ts';
import type {State} from '../state.ts';
import {cameTooLate, changeService, type Fit, type Handlers} from './change.ts';
import {declare} from './house.ts';

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

export const service: Handlers<ServiceEvent> = {
  'service-declared': (state, {spec}) => ({...state, services: declare(state, [spec])}),

  'service-wanted': (state, event) =>
    changeService(state, event.service, (wanted) => ({
      ...ground(wanted, event.by === 'person'),
      desire: 'wanted',
      wantedBy: event.by,
    })),

  'service-stopped': (state, event) =>
    changeService(state, event.service, (stopped) => ({
      ...ground(stopped, event.by === undefined),
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

type Up = Extract<Service['stage'], {readonly at: 'up'}>;

function changeUp(
  state: State,
  event: EventOf<'service-observed' | 'port-taken'>,
  change: (stage: Up) => Service['stage'],
): Fit<State> {
  return changeService(state, event.service, (up) =>
    up.stage.at === 'up' ? {...up, stage: change(up.stage)} : cameTooLate(event, up.stage.at),
  );
}

/** What is not up begins again from the ground when somebody speaks of it. Only a person's word forgets how often it died: an agent could go on for ever. */
function ground(service: Service, isPersons: boolean): Service {
  if (service.stage.at === 'up') return service;
  return isPersons
    ? {...without(service, 'deaths'), stage: {at: 'down'}, starts: []}
    : {...service, stage: {at: 'down'}};
}

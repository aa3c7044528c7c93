import type {Happening} from '../event.ts';
import type {Service} from '../service.ts';
import {liveSessionsOf, sessionOf} from '../select/find.ts';
import {readyDeadlineOf, readyLimit, recentStarts, restartLimit} from '../select/service-starts.ts';
import type {State} from '../state.ts';
import {askSession} from './ask-session.ts';

/** Restarts wait longer each time. */
const backOff = {first: 500, most: 30_000};
/** One that always dies a little later than the limit on starts looks is given up, too: so many deaths in a row, none after so long a life. */
const deathLimit = {deaths: 10, steady: 10 * 60_000};
/** A service that exits with this says that starting it again is no use (as in s6). */
const permanentFailure = 125;

export function followService(state: State, service: Service, at: number): Happening | undefined {
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
      return start(state, name);
    case 'backing-off':
      return at >= stage.until ? start(state, name) : undefined;
    case 'up': {
      const life = sessionOf(state, stage.session)?.life;
      if (life?.at === 'exited' || life?.at === 'lost')
        return followDeath(service, life.at === 'exited' ? life.code : null, life.when);
      const deadline = readyDeadlineOf(state, service);
      return deadline !== undefined && at >= deadline
        ? {type: 'service-failed', service: name, why: {kind: 'not-ready', limit: readyLimit}}
        : undefined;
    }

    case 'failed':
    case 'foreign-port':
      return undefined;
  }
}

/** Only once the process before it is gone: two of them would fight for the port. */
function start(state: State, name: string): Happening | undefined {
  const isBusy = liveSessionsOf(state).some(
    ({purpose}) => purpose.for === 'service' && purpose.service === name,
  );
  return isBusy ? undefined : askSession(state, {for: 'service', service: name});
}

function followDeath(service: Service, code: number | null, when: number): Happening {
  const {
    spec: {name},
    starts,
  } = service;
  if (code === permanentFailure)
    return {type: 'service-failed', service: name, why: {kind: 'permanent', code}};
  const recent = recentStarts(service, when);
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

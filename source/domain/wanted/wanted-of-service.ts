import type {Effect} from '../effect.ts';
import type {Service} from '../service.ts';
import {sessionOf} from '../select/find.ts';
import type {State} from '../state.ts';

/** A service that is up is watched; one that backs off has its moment waited for. */
export function wantedOfService(state: State, {spec: {name}, desire, stage}: Service): Effect[] {
  if (desire !== 'wanted') return [];
  if (stage.at === 'backing-off') return [{key: `service/${name}/back-off/${stage.until}`, do: 'wait', until: stage.until}];
  if (stage.at !== 'up' || sessionOf(state, stage.session)?.life.at !== 'running') return [];
  return [{key: `service/${name}/watch/${stage.session}`, do: 'watch-service', service: name, session: stage.session}];
}

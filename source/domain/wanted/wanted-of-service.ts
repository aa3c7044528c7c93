import type {Effect} from '../effect.ts';
import type {Service} from '../service.ts';
import {sessionOf} from '../select/find.ts';
import {readyDeadlineOf} from '../select/service-starts.ts';
import type {State} from '../state.ts';

/** A service that is up is watched; one that backs off has its moment waited for. */
export function wantedOfService(state: State, service: Service): Effect[] {
  const {
    spec: {name},
    desire,
    stage,
  } = service;
  if (desire !== 'wanted') return [];
  if (stage.at === 'backing-off')
    return [{key: `service/${name}/back-off/${stage.until}`, do: 'wait', until: stage.until}];
  if (stage.at !== 'up' || sessionOf(state, stage.session)?.life.at !== 'running') return [];
  const deadline = readyDeadlineOf(state, service);
  return [
    {
      key: `service/${name}/watch/${stage.session}`,
      do: 'watch-service',
      service: name,
      session: stage.session,
    },
    ...(deadline === undefined
      ? []
      : [
          {
            key: `service/${name}/ready/${stage.session}/${deadline}`,
            do: 'wait' as const,
            until: deadline,
          },
        ]),
  ];
}

import {
  decide,
  emptyState,
  evolve,
  wanted,
  type Command,
  type Decision,
  type Effect,
  type Event,
  type Observation,
  type State,
  type Wish,
} from '../../../source/domain/index.ts';

/** The pure core with a journal in memory: what the daemon is, without a world. */
export type House = {
  state: State;
  time: number;
  readonly events: Event[];
};

export function createHouse(events: readonly Event[] = [], time = 0): House {
  return {state: events.reduce(evolve, emptyState), time, events: [...events]};
}

export function send(house: House, command: Command): Decision {
  const decision = decide(house.state, command);
  for (const event of decision.events) {
    house.events.push(event);
    house.state = evolve(house.state, event);
  }

  return decision;
}

/** A person says something. */
export function wish(house: House, wanted: Wish): Decision {
  house.time += 1000;
  return send(house, {...wanted, at: house.time, by: {kind: 'person', client: 'ada'}});
}

/** The world tells something. */
export function report(house: House, saw: Observation, effect?: string): Decision {
  house.time += 1000;
  return send(house, {
    type: 'report',
    at: house.time,
    saw,
    ...(effect === undefined ? {} : {effect}),
  });
}

/** Reports the result of the one wanted effect of that kind. */
export function conclude(house: House, kind: Effect['do'], saw: Observation): Decision {
  const effects = wanted(house.state).filter((effect) => effect.do === kind);
  if (effects.length !== 1)
    throw new Error(
      `expected one wanted ${kind}, got ${effects.map(({key}) => key).join(', ') || 'none'} among ${wantedKeys(house).join(', ')}`,
    );
  return report(house, saw, effects[0]!.key);
}

export function wantedKeys(house: House): string[] {
  return wanted(house.state).map(({key}) => key);
}

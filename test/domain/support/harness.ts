import {
  type Command,
  decide,
  type Decision,
  type Effect,
  emptyState,
  type Event,
  evolve,
  type Observation,
  type State,
  type UserCommand,
  wanted,
} from '../../../source/domain/index.ts';

/** The pure core with a journal in memory: a daemon without effects. */
export type Harness = {
  state: State;
  time: number;
  readonly events: Event[];
};

export function createHarness(events: readonly Event[] = [], time = 0): Harness {
  return {state: events.reduce(evolve, emptyState), time, events: [...events]};
}

export function send(harness: Harness, command: Command): Decision {
  const decision = decide(harness.state, command);
  for (const event of decision.events) {
    harness.events.push(event);
    harness.state = evolve(harness.state, event);
  }

  return decision;
}

/** Sends a command of a person. */
export function userCommand(harness: Harness, wanted: UserCommand): Decision {
  harness.time += 1000;
  return send(harness, {...wanted, at: harness.time, by: {kind: 'person', client: 'ada'}});
}

/** Sends an observation. */
export function report(harness: Harness, saw: Observation, effect?: string): Decision {
  harness.time += 1000;
  return send(harness, {
    type: 'report',
    at: harness.time,
    saw,
    ...(effect === undefined ? {} : {effect}),
  });
}

/** Reports the result of the one wanted effect of that kind. */
export function conclude(harness: Harness, kind: Effect['do'], saw: Observation): Decision {
  const effects = wanted(harness.state).filter((effect) => effect.do === kind);
  if (effects.length !== 1)
    throw new Error(
      `expected one wanted ${kind}, got ${effects.map(({key}) => key).join(', ') || 'none'} among ${wantedKeys(harness).join(', ')}`,
    );
  return report(harness, saw, effects[0]!.key);
}

export function wantedKeys(harness: Harness): string[] {
  return wanted(harness.state).map(({key}) => key);
}

import {evolve, wanted, type Command, type Effect} from '../../../source/domain/index.ts';
import type {Random} from '../../support/random.ts';
import {send, type House} from './house.ts';
import {assertInvariants} from './invariants.ts';
import {nextWish, type Person} from './person.ts';
import {perform, type World} from './world.ts';

/** Sends a command and looks at every event of it. Gives back why it was refused, if it was. */
export function tell(house: House, command: Command): string | undefined {
  const before = house.state;
  const decision = send(house, command);
  let state = before;
  for (const event of decision.events) {
    const after = evolve(state, event);
    assertInvariants(state, event, after);
    state = after;
  }

  return decision.refused;
}

/** Lets the world do one wanted thing. Gives back whether there was one that it could do. */
export function step(house: House, world: World, random?: Random): boolean {
  const effects = wanted(house.state);
  // Time passes only when nothing else can happen.
  const ordered = [
    ...shuffled(
      effects.filter(({do: kind}) => kind !== 'wait'),
      random,
    ),
    ...effects.filter(({do: kind}) => kind === 'wait'),
  ];
  for (const effect of ordered) {
    const sight = perform(world, house.state, effect);
    if (sight === undefined) continue;
    house.time = effect.do === 'wait' ? Math.max(house.time + 1, effect.until) : house.time + 1;
    const refused = tell(house, {
      type: 'report',
      at: house.time,
      saw: sight.saw,
      ...(sight.isNamed ? {effect: effect.key} : {}),
    });
    if (refused !== undefined)
      throw new Error(`${effect.key} reported ${sight.saw.type} and was refused: ${refused}`);
    return true;
  }

  return false;
}

/** Person and world go on until neither has anything to do. */
export function settle(house: House, world: World, person: Person, most = 4000): number {
  for (let steps = 0; steps < most; steps++) {
    if (step(house, world)) continue;
    const wish = nextWish(person, house.state);
    if (wish === undefined) return steps;
    house.time += 1;
    const refused = tell(house, {...wish, at: house.time, by: {kind: 'person', client: 'ada'}});
    if (refused !== undefined)
      throw new Error(`the person's ${JSON.stringify(wish)} was refused: ${refused}`);
  }

  throw new Error(
    `not settled after ${most} steps; wanted: ${wanted(house.state)
      .map(({key}) => key)
      .join(', ')}`,
  );
}

function shuffled(effects: Effect[], random: Random | undefined): Effect[] {
  if (random === undefined || effects.length < 2) return effects;
  const start = random.below(effects.length);
  return [...effects.slice(start), ...effects.slice(0, start)];
}

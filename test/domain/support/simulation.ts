import {type Command, type Effect, evolve, wanted} from '../../../source/domain/index.ts';
import type {Random} from '../../support/random.ts';
import {type Harness, send} from './harness.ts';
import {assertInvariants} from './invariants.ts';
import {nextCommand, type SimulatedUser} from './simulated-user.ts';
import {simulateEffect, type EffectSimulator} from './simulated-effects.ts';

/**
 * Sends a command and checks the invariants after each of its events. Returns the reason if it was
 * refused.
 */
export function sendChecked(harness: Harness, command: Command): string | undefined {
  const before = harness.state;
  const decision = send(harness, command);
  let state = before;
  for (const event of decision.events) {
    const after = evolve(state, event);
    assertInvariants(state, event, after);
    state = after;
  }

  return decision.refused;
}

/** Performs one wanted effect. Returns whether there was one to perform. */
export function step(harness: Harness, simulator: EffectSimulator, random?: Random): boolean {
  const effects = wanted(harness.state);
  // Time passes only when nothing else can happen.
  const ordered = [
    ...shuffled(
      effects.filter(({do: kind}) => kind !== 'wait'),
      random,
    ),
    ...effects.filter(({do: kind}) => kind === 'wait'),
  ];
  for (const effect of ordered) {
    const sight = simulateEffect(simulator, harness.state, effect);
    if (sight === undefined) continue;
    harness.time =
      effect.do === 'wait' ? Math.max(harness.time + 1, effect.until) : harness.time + 1;
    const rejected = sendChecked(harness, {
      type: 'report',
      at: harness.time,
      saw: sight.saw,
      ...(sight.isNamed ? {effect: effect.key} : {}),
    });
    if (rejected !== undefined)
      throw new Error(`${effect.key} reported ${sight.saw.type} and was refused: ${rejected}`);
    return true;
  }

  return false;
}

/** Performs effects and sends commands of the user until neither has anything to do. */
export function settle(
  harness: Harness,
  simulator: EffectSimulator,
  user: SimulatedUser,
  max = 4000,
): number {
  for (let steps = 0; steps < max; steps++) {
    if (step(harness, simulator)) continue;
    const command = nextCommand(user, harness.state);
    if (command === undefined) return steps;
    harness.time += 1;
    const rejected = sendChecked(harness, {
      ...command,
      at: harness.time,
      by: {kind: 'person', client: 'ada'},
    });
    if (rejected !== undefined)
      throw new Error(`the person's ${JSON.stringify(command)} was refused: ${rejected}`);
  }

  throw new Error(
    `not settled after ${max} steps; wanted: ${wanted(harness.state)
      .map(({key}) => key)
      .join(', ')}`,
  );
}

function shuffled(effects: Effect[], random: Random | undefined): Effect[] {
  if (random === undefined || effects.length < 2) return effects;
  const start = random.below(effects.length);
  return [...effects.slice(start), ...effects.slice(0, start)];
}

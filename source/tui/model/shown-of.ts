import {runOf, type State} from '../../domain/index.ts';
import {isOpen} from './is-open.ts';
import type {Model} from './model.ts';

/**
 * What a deciding key would decide on now. When it changes without the person's doing, such keys wait a moment: nobody
 * approves what they have not seen.
 */
export function shownOf(model: Model, state: State): string {
  const {screen, asking, need, run, subject, selected} = model;
  if (asking !== undefined) return `asking/${JSON.stringify(asking.yes)}`;
  switch (screen) {
    case 'plan': {
      const stage = run === undefined ? undefined : runOf(state, run)?.stage;
      return stage?.at === 'reviewing'
        ? `plan/${stage.proposal.hash}/${stage.ground.rules.hash}/${stage.ground.base}`
        : `plan/${stage?.at ?? ''}`;
    }

    case 'needs':
      return need === undefined ? 'needs' : `need/${need.id}/${isOpen(need, state)}`;
    case 'review': {
      const of = run === undefined ? undefined : runOf(state, run);
      return `review/${subject ?? ''}/${of?.head ?? ''}/${of?.stage.at ?? ''}`;
    }

    case 'workers':
      return `workers/${selected}`;
    default:
      return screen;
  }
}

/** Long enough to take the finger back, too short to be waited for. */
export const graceMs = 700;

export function isInGrace({changedAt}: Model, now: number): boolean {
  return now - changedAt < graceMs;
}

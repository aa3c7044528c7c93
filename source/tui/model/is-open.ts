import {needsOf, type Need, type State} from '../../domain/index.ts';

/** Whether it still waits for the person. */
export function isOpen(need: Need, state: State): boolean {
  return needsOf(state).some(({id}) => id === need.id);
}

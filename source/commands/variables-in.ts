import type {Surroundings} from './surroundings.ts';

/** The variables that are set, as a program is started with them. */
export function variablesIn({env}: Pick<Surroundings, 'env'>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/**
 * The nouns, and what follows from what: decide, evolve, wanted, selectors.
 *
 * Not here: clocks, randomness, promises, Node, or wording for people.
 */
export type {Plan, PlannedTask, RejectedAlternative} from './plan.ts';
export {failureCodeOf} from './rules.ts';
export type {Check, Rule, Rules, Tooth} from './rules.ts';

import {commandMutations} from './commands.ts';
import {evolveAndWantedMutations} from './evolve-and-wanted.ts';
import type {Mutation} from './mutation.ts';
import {nextEventMutations} from './next-events.ts';
import {reportMutations} from './reports.ts';
import {securityAndAbsenceMutations} from './security-and-absence.ts';
import {selectorMutations} from './selectors.ts';
import {turnMutations} from './turns.ts';
import {variantMutations} from './variants.ts';

/** Every mutation that `npm run mutate` plants. */
export const mutations: readonly Mutation[] = [
  ...commandMutations,
  ...evolveAndWantedMutations,
  ...nextEventMutations,
  ...reportMutations,
  ...securityAndAbsenceMutations,
  ...selectorMutations,
  ...turnMutations,
  ...variantMutations,
];

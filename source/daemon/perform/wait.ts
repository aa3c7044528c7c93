import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {pauseFor} from '../pause-for.ts';

/** Timers of the kernel reach no further than this. */
const longest = 2 ** 31 - 1;

export function wait({now}: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'wait') return;
    for (let left = effect.until - now(); left > 0; left = effect.until - now()) {
      await pauseFor(Math.min(left, longest), signal);
      if (signal.aborted) return;
    }

    await report({type: 'time-passed'});
  };
}

import type {After} from '../../../source/app/app-contract.ts';

/** A manual clock. */
export type Clock = {
  readonly now: () => number;
  readonly after: After;
  /** Advances the time and runs due callbacks in order. */
  readonly pass: (ms: number) => void;
  /** How many timers are pending. */
  readonly waiting: () => number;
};

export function createClock(): Clock {
  let now = 1000;
  let waiting: {readonly at: number; readonly call: () => void}[] = [];
  return {
    now: () => now,
    after(ms, call) {
      const one = {at: now + ms, call};
      waiting = [...waiting, one];
      return () => {
        waiting = waiting.filter((other) => other !== one);
      };
    },
    pass(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = waiting.filter(({at}) => at <= end).sort((one, other) => one.at - other.at);
        if (next === undefined) break;
        waiting = waiting.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.call();
      }

      now = end;
    },
    waiting: () => waiting.length,
  };
}

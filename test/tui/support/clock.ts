import type {After} from '../../../source/tui/seam.ts';

/** A clock that stands still until it is told to go. */
export type Clock = {
  readonly now: () => number;
  readonly after: After;
  /** Goes on, calling back what is due on the way, in its order. */
  readonly pass: (ms: number) => void;
  /** How many are waited for. */
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

import type {After} from '../seam.ts';

export type Limited<T> = {readonly ask: (value: T) => void; readonly close: () => void};

/** Does something at most once in so many ms; of what is asked for in between, the last counts. */
export function limitRate<T>({
  ms,
  now,
  after,
  act,
}: {
  readonly ms: number;
  readonly now: () => number;
  readonly after: After;
  readonly act: (value: T) => void;
}): Limited<T> {
  let last = Number.NEGATIVE_INFINITY;
  let waiting: {readonly value: T} | undefined;
  let cancel = (): void => undefined;

  const run = (value: T): void => {
    last = now();
    waiting = undefined;
    act(value);
  };

  return {
    ask(value) {
      // A clock that was set back must not hold things up for ever.
      const passed = Math.abs(now() - last);
      if (waiting === undefined && passed >= ms) {
        run(value);
        return;
      }

      const isScheduled = waiting !== undefined;
      waiting = {value};
      if (isScheduled) return;
      cancel = after(ms - passed, () => {
        if (waiting !== undefined) run(waiting.value);
      });
    },
    close() {
      cancel();
      waiting = undefined;
    },
  };
}

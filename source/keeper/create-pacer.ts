export type Pacer<T> = {
  /** Passes the value on: at once after a rest, else when the interval is over. A newer one takes the place of one that waits. */
  readonly next: (value: T) => void;
  readonly close: () => void;
};

export function createPacer<T extends object>(
  interval: number,
  pass: (value: T) => void,
): Pacer<T> {
  let latest: T | undefined;
  let timer: NodeJS.Timeout | undefined;

  const step = (): void => {
    timer = undefined;
    if (latest === undefined) return;
    const value = latest;
    latest = undefined;
    timer = setTimeout(step, interval);
    pass(value);
  };

  return {
    next: (value) => {
      latest = value;
      if (timer === undefined) step();
    },
    close: () => {
      clearTimeout(timer);
    },
  };
}

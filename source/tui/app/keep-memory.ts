import {isSame} from '../../base/index.ts';
import type {After} from '../seam.ts';

export type KeptMemory = {
  readonly mayHaveChanged: () => void;
  /** Writes what was not written yet. */
  readonly close: () => void;
};

/** Keeps where the person is, also for the day on which the app is killed: a second after it changed, and when the app is left. */
export function keepMemory({
  memory,
  after,
  memoryOf,
}: {
  readonly memory: {readonly write: (value: unknown) => void};
  readonly after: After;
  readonly memoryOf: () => unknown;
}): KeptMemory {
  let written: unknown;
  let isWaiting = false;
  let cancel = (): void => undefined;

  const write = (): void => {
    isWaiting = false;
    const value = memoryOf();
    if (value === undefined || isSame(value, written)) return;
    written = value;
    memory.write(value);
  };

  return {
    mayHaveChanged() {
      if (isWaiting) return;
      isWaiting = true;
      cancel = after(1000, write);
    },
    close() {
      cancel();
      write();
    },
  };
}

import {clearTimeout, setTimeout} from 'node:timers';
import {writeWhole} from '../files/index.ts';

export type ActivityFile = {
  /** What it is to say from now on. */
  readonly update: (activity: object, isUrgent?: boolean) => void;
  /** Writes what has not been written yet; nothing is written after it. */
  readonly close: () => void;
};

/** Whoever watches looks twice a second. */
const usualEveryMs = 500;

/** Leaves what the agent is doing, whole or not at all, and not more often than somebody looks. That it cannot stops nobody: the outcome says it, too. */
export function createActivityFile(file: string, everyMs = usualEveryMs): ActivityFile {
  let latest = '';
  let written = '';
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    timer = undefined;
    if (latest === written) return;
    written = latest;
    try {
      writeWhole(file, latest);
    } catch {
      // The next one may be.
    }
  };

  return {
    update: (activity, isUrgent = false) => {
      latest = `${JSON.stringify(activity)}\n`;
      if (isUrgent) {
        clearTimeout(timer);
        write();
      } else {
        timer ??= setTimeout(write, everyMs);
      }
    },
    close: () => {
      clearTimeout(timer);
      write();
    },
  };
}

import type {Screen} from '../../terminal/index.ts';
import type {After} from '../app-contract.ts';

/** Holds back frames that a program has not finished (synchronized updates). */
export type UpdateHold = {
  /** Whether the program is inside a synchronized update. */
  readonly isUnfinished: (screen: Screen) => boolean;
  readonly close: () => void;
};

/** After this, the program is taken to have forgotten the end. */
const maxHoldMs = 150;

export function createUpdateHold({
  now,
  after,
  onTimeout,
}: {
  readonly now: () => number;
  readonly after: After;
  readonly onTimeout: () => void;
}): UpdateHold {
  let heldSince: number | undefined;
  let stopHolding = (): void => undefined;
  return {
    isUnfinished({modes}) {
      if (!modes.synchronizedOutput) {
        stopHolding();
        heldSince = undefined;
        return false;
      }

      if (heldSince === undefined) {
        heldSince = now();
        stopHolding = after(maxHoldMs, onTimeout);
      }

      return now() - heldSince < maxHoldMs;
    },
    close() {
      stopHolding();
    },
  };
}

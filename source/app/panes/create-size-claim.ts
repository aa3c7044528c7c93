import type {After} from '../app-contract.ts';
import {isSameSize} from '../../protocol/index.ts';
import type {Size} from '../render/frame.ts';

/** Gives the session of a pane the size of the pane, without resizing it more than necessary. */
export type SizeClaim = {
  /** The size of the pane. */
  readonly size: () => Size;
  /** The pane has another size. The session gets it once the layout has settled. */
  readonly change: (size: Size) => void;
  /** The pane is connected or has the focus: the session gets its size, once that has settled. */
  readonly claim: () => void;
  /** The person begins to type: the session gets this size now, whatever other clients did. */
  readonly claimNow: () => void;
  /** The person types: the same if another client has given the session another size. */
  readonly typed: () => void;
  /** The session has this size now. */
  readonly report: (size: Size) => void;
  readonly close: () => void;
};

export type SizeClaimOptions = {
  readonly size: Size;
  readonly after: After;
  readonly send: (size: Size) => void;
};

/**
 * A layout that has not changed for this long has settled, in milliseconds. Each resize makes a
 * program draw its whole interface again.
 */
export const settleMs = 80;

export function createSizeClaim({size: first, after, send}: SizeClaimOptions): SizeClaim {
  let size = first;
  let isSettled = false;
  /** The size of the session; undefined while it is unknown or a claim is on its way. */
  let reported: Size | undefined;

  const claimNow = (): void => {
    cancel();
    isSettled = true;
    reported = undefined;
    send(size);
  };

  const settle = (): (() => void) => after(settleMs, claimNow);

  let cancel = settle();

  return {
    size: () => size,
    change(next) {
      if (isSameSize(next, size)) return;
      size = next;
      isSettled = false;
      cancel();
      cancel = settle();
    },
    claim() {
      if (isSettled) claimNow();
    },
    claimNow,
    typed() {
      const isOther = reported !== undefined && !isSameSize(reported, size);
      if (isOther || !isSettled) claimNow();
    },
    report(next) {
      reported = next;
    },
    close() {
      cancel();
    },
  };
}

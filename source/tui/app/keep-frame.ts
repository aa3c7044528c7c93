import type {Cells} from '../../terminal/index.ts';
import type {ColourDepth} from '../render/colour-depth.ts';
import {frameText} from '../render/frame-text.ts';
import type {After, KeptFrame} from '../seam.ts';

export type FrameKeeping = {
  readonly mayHaveChanged: () => void;
  /** Keeps the last one. */
  readonly close: () => void;
};

export type FrameKeepingOptions = {
  readonly keep: (frame: KeptFrame) => void;
  readonly shown: () => Cells | undefined;
  readonly depth: ColourDepth;
  readonly after: After;
};

/**
 * Keeps what the terminal shows for the next start, which paints it before anything is loaded: when the app is left, and for the
 * day on which it is killed, some seconds after something changed. While nothing changes, nothing is written.
 */
export function keepFrame({keep, shown, depth, after}: FrameKeepingOptions): FrameKeeping {
  let kept = '';
  let isWaiting = false;
  let wait = firstWait;
  let cancel = (): void => undefined;

  const write = (): void => {
    isWaiting = false;
    const cells = shown();
    if (cells === undefined) return;
    const text = frameText(cells, depth);
    if (text === kept) return;
    kept = text;
    wait = laterWait;
    keep({columns: cells.columns, rows: cells.rows, text});
  };

  return {
    mayHaveChanged() {
      if (isWaiting) return;
      isWaiting = true;
      cancel = after(wait, write);
    },
    close() {
      cancel();
      write();
    },
  };
}

const firstWait = 1000;
const laterWait = 10_000;

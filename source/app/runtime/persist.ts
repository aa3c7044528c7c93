import type {Cells} from '../../terminal/index.ts';
import type {ColourDepth} from '../render/colour.ts';
import type {After, CachedFrame, DefaultColours} from '../app-contract.ts';
import {createDiffWriter} from '../render/create-diff-writer.ts';
import {isSame} from '../../shared/index.ts';

/** Saves something from time to time, so that it survives when the app is killed. */
export type DelayedSave = {
  readonly mayHaveChanged: () => void;
  /** Saves what was not saved yet. */
  readonly close: () => void;
};

export type PersistFrameOptions = {
  readonly save: (frame: CachedFrame) => void;
  readonly shown: () => Cells | undefined;
  readonly depth: ColourDepth;
  readonly after: After;
  readonly colours: () => DefaultColours | undefined;
};

/** Caches the frame for the next start, which paints it before anything is loaded. */
export function persistFrame({
  save,
  shown,
  depth,
  after,
  colours,
}: PersistFrameOptions): DelayedSave {
  let saved = '';
  return createDelayedSave(
    after,
    () => {
      const cells = shown();
      const text = cells === undefined ? '' : formatFrame(cells, depth, colours());
      if (cells !== undefined && text !== saved) {
        saved = text;
        save({columns: cells.columns, rows: cells.rows, text});
      }

      return saved === '' ? firstFrameMs : laterFrameMs;
    },
    firstFrameMs,
  );
}

const firstFrameMs = 1000;
const laterFrameMs = 10_000;

/**
 * The escape sequences that draw a frame on a terminal of its size. Its last row says that it is
 * from the last visit.
 */
export function formatFrame(cells: Cells, depth: ColourDepth, colours?: DefaultColours): string {
  let text = '';
  const writer = createDiffWriter({
    write: (drawn) => {
      text += drawn;
    },
    depth,
  });
  writer.setDefaultColours(colours);
  writer.draw({cells});
  return `${text}\u001B[${cells.rows};1H\u001B[2m as you left it\u001B[m\u001B[K`;
}

/** Saves where the person is and what they wrote. */
export function persistUiState({
  uiState,
  after,
  toUiState,
}: {
  readonly uiState: {readonly write: (value: unknown) => void};
  readonly after: After;
  readonly toUiState: () => unknown;
}): DelayedSave {
  let saved: unknown;
  return createDelayedSave(
    after,
    () => {
      const value = toUiState();
      if (value !== undefined && !isSame(value, saved)) {
        saved = value;
        uiState.write(value);
      }

      return uiStateMs;
    },
    uiStateMs,
  );
}

const uiStateMs = 1000;

/**
 * Calls `save` some time after the first change, and on close. `save` returns the delay for the
 * next change.
 */
function createDelayedSave(after: After, save: () => number, firstMs: number): DelayedSave {
  let isWaiting = false;
  let delayMs = firstMs;
  let cancel = (): void => undefined;

  const run = (): void => {
    isWaiting = false;
    delayMs = save();
  };

  return {
    mayHaveChanged() {
      if (isWaiting) return;
      isWaiting = true;
      cancel = after(delayMs, run);
    },
    close() {
      cancel();
      run();
    },
  };
}

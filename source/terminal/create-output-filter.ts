import {type Mark, createTracker} from './create-tracker.ts';
import type {Modes} from './modes.ts';
import {blankSequence} from './reset-sequence.ts';

export type OutputFilter = {
  /** What of these bytes, and of what was cut off before them, may be written to a person's terminal. */
  readonly write: (bytes: Uint8Array) => Uint8Array;
  /** A picture of the screen was written; what follows is the stream itself, from this place on. */
  readonly adopt: (mark: Mark) => void;
  /** How the person's terminal has been set by what was written. */
  readonly modes: () => Modes;
  readonly bells: () => number;
};

/**
 * Stands between a session and a person's own terminal: lets through text, colours, cursor movement, erasing, scrolling and the
 * allowed modes. Everything else, every OSC and every query above all, is dropped: what a program may do to its screen, it may not
 * do to the person's clipboard, title, keyboard or history.
 */
export function createOutputFilter(): OutputFilter {
  let output = '';
  const encoder = new TextEncoder();
  const tracker = createTracker({
    target: {
      draw(text) {
        output += text;
      },
      // A full reset would also undo what the person has set up; blank is what the program wants.
      escape: (body) => (body === 'c' ? blankSequence : undefined),
      // The lines above the screen are the person's.
      sequence: (name, numbers) =>
        (name === 'J' || name === '?J') && numbers === '3' ? '' : undefined,
    },
  });
  return {
    write(bytes) {
      output = '';
      tracker.write(bytes);
      return encoder.encode(output);
    },
    adopt: tracker.adopt,
    modes: () => tracker.state().modes,
    bells: () => tracker.state().bells,
  };
}

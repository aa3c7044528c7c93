import {createTracker, type Mark} from './create-tracker.ts';
import {blankSequence, type Modes} from './modes.ts';

export type OutputFilter = {
  /**
   * The part of these bytes, and of what was cut off before them, that may be written to a person's
   * terminal.
   */
  readonly write: (bytes: Uint8Array) => Uint8Array;
  /** A picture of the screen was written; the stream continues from this mark. */
  readonly adopt: (mark: Mark) => void;
  /** The modes that the output has set on the person's terminal. */
  readonly modes: () => Modes;
  readonly bells: () => number;
};

/**
 * Filters a session's output for a person's own terminal: text, colours, cursor movement, erasing,
 * scrolling and the allowed modes pass. Everything else is dropped, above all every OSC and every
 * query: a program may change its screen, but not the person's clipboard, title, keyboard or
 * history.
 */
export function createOutputFilter(): OutputFilter {
  let output = '';
  const encoder = new TextEncoder();
  const tracker = createTracker({
    target: {
      draw(text) {
        output += text;
      },
      // A full reset would also undo the person's own settings; the program only wants a blank
      // screen.
      escape: (body) => (body === 'c' ? blankSequence : undefined),
      // The scrollback belongs to the person.
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

import type {Token} from '../input/key.ts';
import {addColour, noColours, type TerminalColours} from '../theme/terminal-colours.ts';

export type ColoursQuery = {
  /** Asks once for each time that the terminal was entered. */
  readonly ask: () => void;
  /** The terminal was entered: it may be another one, and is asked again. */
  readonly reset: () => void;
  readonly handle: (token: Extract<Token, {readonly type: 'answer'}>) => void;
  /** Whether the end of the replies has not come yet. */
  readonly isPending: () => boolean;
};

export type ColoursQueryOptions = {
  readonly send: () => void;
  readonly now: () => number;
  readonly onColours: (colours: TerminalColours) => void;
};

/**
 * Collects the colours of the terminal. Nothing waits for them: what came before the reply to DA1
 * counts, and a terminal that never replies changes nothing.
 */
export function createColoursQuery({send, now, onColours}: ColoursQueryOptions): ColoursQuery {
  let at: 'idle' | 'asked' | 'answered' = 'idle';
  let askedAt = Number.NEGATIVE_INFINITY;
  let colours = noColours;
  const ask = (): void => {
    at = 'asked';
    askedAt = now();
    colours = noColours;
    send();
  };

  return {
    ask() {
      if (at === 'idle') ask();
    },
    reset() {
      at = 'idle';
    },
    handle(token) {
      if (token.about === 'scheme' && at === 'answered') ask();
      if (at !== 'asked') return;
      if (token.about === 'colour') colours = addColour(colours, token.colour);
      if (token.about !== 'attributes') return;
      at = 'answered';
      onColours(colours);
    },
    isPending: () => at === 'asked' && now() - askedAt < maxPendingMs,
  };
}

/** After this time no reply is expected any more. */
const maxPendingMs = 2000;

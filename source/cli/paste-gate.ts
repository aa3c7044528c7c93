import {Buffer} from 'node:buffer';

export type PasteGateOptions = {
  readonly press: (bytes: Uint8Array) => void;
  /** Takes a whole paste, with the brackets around it. False if it is to be passed on. */
  readonly take: (paste: {readonly text: string; readonly bytes: Uint8Array}) => boolean;
  /** Whether a paste that was taken has not been typed yet. */
  readonly isPending: () => boolean;
};

export type PasteGate = {
  /** Passes keys on at once and in order; holds a bracketed paste until its end came. */
  readonly press: (bytes: Uint8Array) => void;
  /** A paste that was taken has been typed: what came after it follows. */
  readonly settled: () => void;
  /** Resolves when nothing is held any more. */
  readonly drained: () => Promise<void>;
  readonly close: () => void;
};

const start = Buffer.from('\u001B[200~');
const end = Buffer.from('\u001B[201~');
/** A longer paste is no list of files. */
const maxHeldBytes = 64 * 1024;
/** A paste whose end does not come is passed on as it is. */
const endMs = 1000;

/** Finds the pastes in what a person types. A program asks for brackets, or there are none. */
export function createPasteGate({press, take, isPending}: PasteGateOptions): PasteGate {
  let held: Buffer = Buffer.alloc(0);
  let timer: NodeJS.Timeout | undefined;
  let waiting: (() => void)[] = [];

  const passOn = (): void => {
    const bytes = held;
    held = Buffer.alloc(0);
    if (bytes.length > 0) press(bytes);
  };

  const advance = (): void => {
    clearTimeout(timer);
    while (held.length > 0 && !isPending()) {
      const from = held.indexOf(start);
      if (from === -1) {
        passOn();
        break;
      }

      if (from > 0) press(held.subarray(0, from));
      held = held.subarray(from);
      const to = held.indexOf(end);
      if (to === -1) {
        if (held.length > maxHeldBytes) passOn();
        else timer = setTimeout(passOn, endMs);
        break;
      }

      const bytes = held.subarray(0, to + end.length);
      held = held.subarray(bytes.length);
      const text = bytes.subarray(start.length, to).toString('utf8');
      if (!take({text, bytes})) press(bytes);
    }

    if (isPending()) return;
    for (const drained of waiting) drained();
    waiting = [];
  };

  return {
    press(bytes) {
      held = Buffer.concat([held, bytes]);
      advance();
    },
    settled: advance,
    drained: () =>
      isPending() ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve(),
    close: () => {
      clearTimeout(timer);
    },
  };
}

import type {Modes} from '../../terminal/index.ts';
import type {TerminalDevice} from '../seam.ts';
import {mouseOff, releaseSequence, takeSequence} from './terminal-sequences.ts';

/** The person's terminal while it is ours. */
export type HeldTerminal = {
  readonly isHeld: () => boolean;
  readonly take: () => void;
  /** Gives it back as it was. May be called at any time and more than once. */
  readonly release: () => void;
  /** How keys and the pointer are to be sent from now on. */
  readonly listenAs: (wanted: Listening) => void;
  /** The terminal has said that it knows the newer form of keys. */
  readonly useModernKeys: () => void;
};

export type Listening = {
  readonly mouse: Modes['mouseTracking'];
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
};

/** `isTaken`: it was taken for us already, by whoever painted the last frame. */
export function holdTerminal(
  terminal: TerminalDevice,
  heard: (bytes: Uint8Array) => void,
  isTaken = false,
): HeldTerminal {
  let isHeld = false;
  let isReady = isTaken;
  let isModern = false;
  let listening = quiet;
  let stopListening = (): void => undefined;

  return {
    isHeld: () => isHeld,
    take() {
      if (isHeld) return;
      isHeld = true;
      isModern = false;
      listening = quiet;
      if (!isReady) terminal.raw(true);
      stopListening = terminal.onInput(heard);
      if (!isReady) terminal.write(takeSequence);
      isReady = false;
    },
    release() {
      if (!isHeld) return;
      isHeld = false;
      stopListening();
      try {
        terminal.write(`${isModern ? '\u001B[<u' : ''}${releaseSequence}`);
      } finally {
        terminal.raw(false);
      }
    },
    listenAs(wanted) {
      if (!isHeld) return;
      const text = changeSequence(listening, wanted);
      listening = wanted;
      if (text !== '') terminal.write(text);
    },
    useModernKeys() {
      if (!isHeld || isModern) return;
      isModern = true;
      // Only what cannot be told apart otherwise: Escape, Shift+Enter, Ctrl+I.
      terminal.write('\u001B[>1u');
    },
  };
}

const quiet: Listening = {mouse: 'off', applicationCursorKeys: false, applicationKeypad: false};

const trackingNumbers = {click: 1000, drag: 1002, motion: 1003} as const;

function changeSequence(before: Listening, wanted: Listening): string {
  const mouse =
    before.mouse === wanted.mouse
      ? ''
      : `${before.mouse === 'off' ? '' : mouseOff}${wanted.mouse === 'off' ? '' : `\u001B[?${trackingNumbers[wanted.mouse]}h\u001B[?1006h`}`;
  const cursorKeys =
    before.applicationCursorKeys === wanted.applicationCursorKeys
      ? ''
      : wanted.applicationCursorKeys
        ? '\u001B[?1h'
        : '\u001B[?1l';
  const keypad =
    before.applicationKeypad === wanted.applicationKeypad
      ? ''
      : wanted.applicationKeypad
        ? '\u001B='
        : '\u001B>';
  return `${mouse}${cursorKeys}${keypad}`;
}

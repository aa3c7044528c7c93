import type {Modes} from '../../terminal/index.ts';
import type {TerminalDevice} from '../seam.ts';

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

export function holdTerminal(terminal: TerminalDevice, heard: (bytes: Uint8Array) => void): HeldTerminal {
  let isHeld = false;
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
      terminal.raw(true);
      stopListening = terminal.onInput(heard);
      terminal.write(takeSequence);
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

/** The alternate screen, no wrapping, no cursor; pastes in brackets, focus; and whether it knows the newer form of keys. */
const takeSequence = '\u001B[?1049h\u001B[?7l\u001B[?25l\u001B[?2004h\u001B[?1004h\u001B[?u';

const mouseOff = '\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l';

const releaseSequence = `\u001B[?2026l\u001B[m${mouseOff}\u001B[?1004l\u001B[?2004l\u001B[?1l\u001B>\u001B[0 q\u001B[?7h\u001B[?25h\u001B[?1049l`;

const trackingNumbers = {click: 1000, drag: 1002, motion: 1003} as const;

function changeSequence(before: Listening, wanted: Listening): string {
  const mouse = before.mouse === wanted.mouse ? '' : `${before.mouse === 'off' ? '' : mouseOff}${wanted.mouse === 'off' ? '' : `\u001B[?${trackingNumbers[wanted.mouse]}h\u001B[?1006h`}`;
  const cursorKeys = before.applicationCursorKeys === wanted.applicationCursorKeys ? '' : wanted.applicationCursorKeys ? '\u001B[?1h' : '\u001B[?1l';
  const keypad = before.applicationKeypad === wanted.applicationKeypad ? '' : wanted.applicationKeypad ? '\u001B=' : '\u001B>';
  return `${mouse}${cursorKeys}${keypad}`;
}

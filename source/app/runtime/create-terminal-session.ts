import {type Modes, sanitizeLine} from '../../terminal/index.ts';
import type {Signal, TerminalDevice} from '../app-contract.ts';
import {coloursQuery, schemeReportsOff, schemeReportsOn} from '../theme/terminal-colours.ts';

/**
 * Alternate screen, no wrapping, no cursor, bracketed paste, focus reports; and a query for the
 * kitty keyboard protocol.
 */
export const enterSequence =
  '\u001B[?1049h\u001B[?7l\u001B[?25l\u001B[?2004h\u001B[?1004h\u001B[?u';

export const mouseOffSequence = '\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1006l';

export const leaveSequence = `\u001B[?2026l\u001B[m${mouseOffSequence}\u001B[?1004l\u001B[?2004l\u001B[?1l\u001B>\u001B[0 q\u001B[?7h\u001B[?25h\u001B[?1049l`;

/**
 * Whether a cached frame contains only characters, colours and cursor positions. It comes from a
 * file, so it is validated before it is written to a terminal.
 */
export function isFrameText(text: string): boolean {
  return drawingOnly.test(text);
}

const drawingOnly = /^(?:[^\0-\u001F\u007F-\u009F]|\u001B\[(?:[\d:;]*[HJKCm]|\?2026[hl]|\?25l))*$/;

/**
 * Sets the clipboard by OSC 52, where the terminal allows it. Longer text is cut, because terminals
 * reject it.
 */
export function clipboardSequence(text: string): string {
  const bytes = new TextEncoder().encode(text).subarray(0, maxClipboardBytes);
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return `\u001B]52;c;${btoa(binary)}\u0007`;
}

const maxClipboardBytes = 74_994;

/** Saves the title of the window on the terminal's own stack, and brings it back. */
const saveTitle = '\u001B[22;2t';
const restoreTitle = '\u001B[23;2t';

/** OSC 2: the title of the window, without the name of its icon. */
function titleSequence(title: string): string {
  return `\u001B]2;${sanitizeLine(title)}\u001B\\`;
}

/** Enters and leaves the terminal of the person. */
export type TerminalSession = {
  readonly isActive: () => boolean;
  readonly enter: () => void;
  /** Restores the terminal. May be called at any time and more than once. */
  readonly leave: () => void;
  /** Sets how the terminal reports keys and the mouse. */
  readonly setInputModes: (wanted: InputModes) => void;
  /** Called when the terminal has reported that it supports the kitty keyboard protocol. */
  readonly useModernKeys: () => void;
  /** Asks for the colours, and to be notified when the system goes dark or light. */
  readonly askColours: () => void;
  /** Sets the title of the window, if it is another one. Leaving brings back the one before. */
  readonly setTitle: (title: string) => void;
};

export type InputModes = {
  readonly mouse: Modes['mouseTracking'];
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
};

/** `isEntered`: the launcher entered the terminal already, when it painted the cached frame. */
export function createTerminalSession(
  terminal: TerminalDevice,
  onInput: (bytes: Uint8Array) => void,
  isEntered = false,
): TerminalSession {
  let isActive = false;
  let isReady = isEntered;
  let isModern = false;
  let reportsScheme = false;
  let modes = defaultModes;
  let title: string | undefined;
  let stopListening = (): void => undefined;

  return {
    isActive: () => isActive,
    enter() {
      if (isActive) return;
      isActive = true;
      isModern = false;
      reportsScheme = false;
      modes = defaultModes;
      title = undefined;
      if (!isReady) terminal.raw(true);
      stopListening = terminal.onInput(onInput);
      if (!isReady) terminal.write(enterSequence);
      isReady = false;
    },
    leave() {
      if (!isActive) return;
      isActive = false;
      stopListening();
      try {
        terminal.write(
          [
            isModern ? '\u001B[<u' : '',
            reportsScheme ? schemeReportsOff : '',
            title === undefined ? '' : restoreTitle,
            leaveSequence,
          ].join(''),
        );
      } finally {
        terminal.raw(false);
      }
    },
    setInputModes(wanted) {
      if (!isActive) return;
      const text = formatModeChange(modes, wanted);
      modes = wanted;
      if (text !== '') terminal.write(text);
    },
    useModernKeys() {
      if (!isActive || isModern) return;
      isModern = true;
      // Disambiguates Escape, Shift+Enter and Ctrl+I.
      terminal.write('\u001B[>1u');
    },
    askColours() {
      if (!isActive) return;
      terminal.write(`${reportsScheme ? '' : schemeReportsOn}${coloursQuery}`);
      reportsScheme = true;
    },
    setTitle(wanted) {
      if (!isActive || wanted === title) return;
      terminal.write(`${title === undefined ? saveTitle : ''}${titleSequence(wanted)}`);
      title = wanted;
    },
  };
}

const defaultModes: InputModes = {
  mouse: 'off',
  applicationCursorKeys: false,
  applicationKeypad: false,
};

const trackingNumbers = {click: 1000, drag: 1002, motion: 1003} as const;

function formatModeChange(before: InputModes, wanted: InputModes): string {
  const mouse = before.mouse === wanted.mouse ? '' : formatMouseChange(before.mouse, wanted.mouse);
  const cursorKeys = wanted.applicationCursorKeys ? '\u001B[?1h' : '\u001B[?1l';
  const keypad = wanted.applicationKeypad ? '\u001B=' : '\u001B>';
  return [
    mouse,
    before.applicationCursorKeys === wanted.applicationCursorKeys ? '' : cursorKeys,
    before.applicationKeypad === wanted.applicationKeypad ? '' : keypad,
  ].join('');
}

function formatMouseChange(before: InputModes['mouse'], wanted: InputModes['mouse']): string {
  const off = before === 'off' ? '' : mouseOffSequence;
  return wanted === 'off' ? off : `${off}\u001B[?${trackingNumbers[wanted]}h\u001B[?1006h`;
}

/** As in shells: 128 plus the number of the signal. */
export function toExitCode(signal: Exclude<Signal, 'exit' | 'SIGTSTP' | 'SIGCONT'>): number {
  return {SIGHUP: 129, SIGINT: 130, SIGTERM: 143}[signal];
}

/** Whether an error means that the terminal is gone: its window was closed, or nobody reads it. */
export function isTerminalGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'EIO' || code === 'ERR_STREAM_DESTROYED' || code === 'ENXIO';
}

/**
 * Resets every mode that the allow-list lets a program set. Alternate scrolling stays: its default
 * differs between terminals.
 */
const modesOff =
  '\u001B[m\u001B(B\u001B)B\u000F\u001B[4l\u001B[?1l\u001B[?6l\u001B[?7h\u001B[?12l\u001B[?25h\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1004l\u001B[?1005l\u001B[?1006l\u001B[?1015l\u001B[?2004l\u001B[?2026l\u001B>\u001B[0 ' +
  'q\u001B[r';

/** Blanks a terminal of unknown state: normal screen, every mode off, the cursor in the corner. */
export const blankSequence = `\u001B[?1047l${modesOff}\u001B[H\u001B[2J`;

/**
 * Restores the person's terminal: every mode off, and the cursor on a new line below the output.
 */
export function resetSequence({alternateScreen}: Pick<Modes, 'alternateScreen'>): string {
  return `${alternateScreen ? '\u001B[?1049l' : ''}${modesOff}\u001B[9999;1H\r\n`;
}

/** The terminal modes that a session's program has set. */
export type Modes = {
  readonly alternateScreen: boolean;
  readonly applicationCursorKeys: boolean;
  readonly applicationKeypad: boolean;
  readonly autoWrap: boolean;
  readonly bracketedPaste: boolean;
  readonly cursorBlink: boolean;
  /**
   * As DECSCUSR numbers it: 0 the terminal's own, 1–2 block, 3–4 underline, 5–6 bar; odd numbers
   * blink.
   */
  readonly cursorShape: number;
  readonly cursorVisible: boolean;
  readonly focusReporting: boolean;
  readonly insert: boolean;
  readonly mouseEncoding: 'default' | 'utf8' | 'sgr' | 'urxvt';
  readonly mouseTracking: 'off' | 'click' | 'drag' | 'motion';
  readonly origin: boolean;
  /** A frame is being drawn: the present screen is incomplete. */
  readonly synchronizedOutput: boolean;
};

export const initialModes: Modes = {
  alternateScreen: false,
  applicationCursorKeys: false,
  applicationKeypad: false,
  autoWrap: true,
  bracketedPaste: false,
  cursorBlink: false,
  cursorShape: 0,
  cursorVisible: true,
  focusReporting: false,
  insert: false,
  mouseEncoding: 'default',
  mouseTracking: 'off',
  origin: false,
  synchronizedOutput: false,
};

/**
 * The modes after `CSI ! p`: it resets text and keyboard modes, not the mouse, paste or the
 * alternate screen.
 */
export function softReset(modes: Modes): Modes {
  const {applicationCursorKeys, applicationKeypad, autoWrap, cursorVisible, insert, origin} =
    initialModes;
  return {
    ...modes,
    applicationCursorKeys,
    applicationKeypad,
    autoWrap,
    cursorVisible,
    insert,
    origin,
  };
}

/** The modes after `CSI ? number h` or `l`; unchanged for an unknown number. */
export function withPrivateMode(modes: Modes, number: string, isOn: boolean): Modes {
  const change = privateModes[number]?.(isOn);
  return change === undefined ? modes : {...modes, ...change};
}

/** Whether a private mode is set; `undefined` for an unknown number. */
export function isPrivateModeSet(modes: Modes, number: string): boolean | undefined {
  const change = Object.entries(privateModes[number]?.(true) ?? {});
  if (change.length === 0) return undefined;
  return change.every(([name, value]) => modes[name as keyof Modes] === value);
}

/**
 * The sequence from the initial modes to these. Not here: the alternate screen and origin mode,
 * which move the cursor.
 */
export function modesSequence(modes: Modes): string {
  const set = Object.keys(privateModes).filter(
    (number) => !placing.has(number) && isChanged(modes, number),
  );
  return [
    ...set.map(
      (number) => `\u001B[?${number}${isPrivateModeSet(modes, number) === true ? 'h' : 'l'}`,
    ),
    modes.insert ? '\u001B[4h' : '',
    modes.applicationKeypad ? '\u001B=' : '',
    modes.cursorShape === 0 ? '' : `\u001B[${modes.cursorShape} q`,
  ].join('');
}

const placing = new Set(['6', '47', '1047', '1049']);

function isChanged(modes: Modes, number: string): boolean {
  return isPrivateModeSet(modes, number) !== isPrivateModeSet(initialModes, number);
}

const privateModes: Readonly<Record<string, (isOn: boolean) => Partial<Modes>>> = {
  1: (isOn) => ({applicationCursorKeys: isOn}),
  6: (isOn) => ({origin: isOn}),
  7: (isOn) => ({autoWrap: isOn}),
  12: (isOn) => ({cursorBlink: isOn}),
  25: (isOn) => ({cursorVisible: isOn}),
  47: (isOn) => ({alternateScreen: isOn}),
  1000: (isOn) => ({mouseTracking: isOn ? 'click' : 'off'}),
  1002: (isOn) => ({mouseTracking: isOn ? 'drag' : 'off'}),
  1003: (isOn) => ({mouseTracking: isOn ? 'motion' : 'off'}),
  1004: (isOn) => ({focusReporting: isOn}),
  1005: (isOn) => ({mouseEncoding: isOn ? 'utf8' : 'default'}),
  1006: (isOn) => ({mouseEncoding: isOn ? 'sgr' : 'default'}),
  1015: (isOn) => ({mouseEncoding: isOn ? 'urxvt' : 'default'}),
  1047: (isOn) => ({alternateScreen: isOn}),
  1049: (isOn) => ({alternateScreen: isOn}),
  2004: (isOn) => ({bracketedPaste: isOn}),
  2026: (isOn) => ({synchronizedOutput: isOn}),
};

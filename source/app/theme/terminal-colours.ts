/** Colours that the terminal has reported, as `#rrggbb`. */
export type TerminalColours = {
  readonly foreground?: string;
  readonly background?: string;
  /** By their numbers, 0 to 15. */
  readonly palette: Readonly<Partial<Record<number, string>>>;
};

export const noColours: TerminalColours = {palette: {}};

/**
 * Asks for the text colour, the background and the sixteen colours, then for the device attributes:
 * every terminal answers those, so their answer says that no more colours come.
 */
export const coloursQuery = [
  '\u001B]10;?\u001B\\',
  '\u001B]11;?\u001B\\',
  ...Array.from({length: 16}, (_, number) => `\u001B]4;${number};?\u001B\\`),
  '\u001B[c',
].join('');

/** Reports of changes between dark and light (DEC 2031), and their end. */
export const schemeReportsOn = '\u001B[?2031h';
export const schemeReportsOff = '\u001B[?2031l';

/** One colour that the terminal reported. */
export type ColourAnswer = {
  readonly of: 'foreground' | 'background' | number;
  readonly colour: string;
};

/** Reads `10;rgb:ffff/ffff/ffff`, the text of an OSC. Undefined if it is about something else. */
export function parseColourAnswer(text: string): ColourAnswer | undefined {
  const [, dynamic, number, value = ''] = /^(?:(1[01])|4;(\d{1,2}));(.{1,40})$/.exec(text) ?? [];
  const colour = parseColour(value);
  if (colour === undefined) return undefined;
  if (dynamic !== undefined) return {of: dynamic === '10' ? 'foreground' : 'background', colour};
  return Number(number) < 16 ? {of: Number(number), colour} : undefined;
}

export function addColour(colours: TerminalColours, {of, colour}: ColourAnswer): TerminalColours {
  return typeof of === 'number'
    ? {...colours, palette: {...colours.palette, [of]: colour}}
    : {...colours, [of]: colour};
}

/** `rgb:` and `rgba:` with one to four digits each, or `#` as X11 writes it. */
function parseColour(value: string): string | undefined {
  const [, ...parts] =
    /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(value) ??
    /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(value) ??
    /^#([\da-f]{4})([\da-f]{4})([\da-f]{4})$/i.exec(value) ??
    [];
  return parts.length === 3 ? `#${parts.map(toByte).join('')}` : undefined;
}

/** A part as two digits: `f`, `ff`, `fff` and `ffff` are all the whole of it. */
function toByte(part: string): string {
  const share = Number.parseInt(part, 16) / (16 ** part.length - 1);
  return Math.round(share * 255)
    .toString(16)
    .padStart(2, '0');
}

import {bold, dim, inverse, italic, type Style, underlined} from '../../source/terminal/cells.ts';

/** The colours of a terminal: its own two, those of the window, and the sixteen. */
export type TerminalColours = {
  readonly foreground: string;
  readonly background: string;
  readonly sixteen: readonly string[];
};

/** The style of a cell for SVG. Without a colour, the terminal's own is used. */
export type Paint = {
  readonly foreground?: string;
  readonly background?: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly isDim: boolean;
};

export function toPaint(
  {foreground: front, background: back}: Style,
  colours: TerminalColours,
): Paint {
  const isInverse = (front & inverse) !== 0;
  const [own, behind] = [toColour(front, colours), toColour(back, colours)];
  const foreground = isInverse ? (behind ?? colours.background) : own;
  const background = isInverse ? (own ?? colours.foreground) : behind;
  return {
    ...(foreground !== undefined && {foreground}),
    // What has the colour of the window needs no rectangle.
    ...(background !== undefined && background !== colours.background && {background}),
    isBold: (front & bold) !== 0,
    isItalic: (back & italic) !== 0,
    isUnderlined: (front & underlined) !== 0,
    isDim: (back & dim) !== 0,
  };
}

const steps = [0, 95, 135, 175, 215, 255];

function toColour(unit: number, {sixteen}: TerminalColours): string | undefined {
  const value = unit & 0xff_ffff;
  switch ((unit >> 24) & 3) {
    case 1:
      return sixteen[value & 15];
    case 2:
      return (value & 255) < 16 ? sixteen[value & 255] : ofCube(value & 255);
    case 3:
      return hex(value >> 16, (value >> 8) & 255, value & 255);
    default:
      return undefined;
  }
}

function ofCube(value: number): string {
  if (value >= 232) {
    const grey = 8 + (value - 232) * 10;
    return hex(grey, grey, grey);
  }

  const at = value - 16;
  return hex(
    steps[Math.floor(at / 36)] ?? 0,
    steps[Math.floor(at / 6) % 6] ?? 0,
    steps[at % 6] ?? 0,
  );
}

function hex(...parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

/** The colours of a terminal that shows the dark and the light theme of the app. */
export const terminals = {
  dark: {
    foreground: '#ece8df',
    background: '#12131c',
    sixteen: [
      '#232639',
      '#ff8f86',
      '#93d9a3',
      '#f6c670',
      '#82cdf8',
      '#c4a7f5',
      '#8fdcd8',
      '#b3b5c6',
      '#7f849d',
      '#ffaaa3',
      '#b3e6bf',
      '#fad795',
      '#a8dcfa',
      '#d6c2f8',
      '#b3e8e5',
      '#ece8df',
    ],
  },
  light: {
    foreground: '#1d1f2b',
    background: '#fbfaf7',
    sixteen: [
      '#1d1f2b',
      '#b3261e',
      '#1d6b33',
      '#7a5200',
      '#0b5a8f',
      '#6a3fb5',
      '#0a6663',
      '#555a70',
      '#6b7088',
      '#8f1d17',
      '#155226',
      '#5f4000',
      '#08466f',
      '#523090',
      '#084f4d',
      '#3a3d4d',
    ],
  },
} as const satisfies Readonly<Record<string, TerminalColours>>;

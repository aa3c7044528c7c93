import type {Style} from '../../source/terminal/index.ts';

/** The style of a cell for SVG. Without a colour, that of the paper is used. */
export type Paint = {
  readonly foreground?: string;
  readonly background?: string;
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
  readonly opacity: number;
};

export const paper = {foreground: '#c8ccd4', background: '#16181d'};

const sixteen = [
  '#2b2f38',
  '#e06c75',
  '#98c379',
  '#e5c07b',
  '#61afef',
  '#c678dd',
  '#56b6c2',
  '#c8ccd4',
  '#7f8694',
  '#f08a92',
  '#b5dd97',
  '#f2d49b',
  '#8cc8ff',
  '#dba1ec',
  '#7fd3de',
  '#ffffff',
] as const;
const steps = [0, 95, 135, 175, 215, 255];

export function toPaint({foreground: front, background: back}: Style): Paint {
  const isInverse = (front & 0x400_0000) !== 0;
  const [own, behind] = [toColour(front), toColour(back)];
  const foreground = isInverse ? (behind ?? paper.background) : own;
  const background = isInverse ? (own ?? paper.foreground) : behind;
  return {
    ...(foreground !== undefined && {foreground}),
    ...(background !== undefined && {background}),
    isBold: (front & 0x800_0000) !== 0,
    isItalic: (back & 0x400_0000) !== 0,
    isUnderlined: (front & 0x1000_0000) !== 0,
    opacity: (back & 0x800_0000) === 0 ? 1 : 0.65,
  };
}

function toColour(unit: number): string | undefined {
  const value = unit & 0xff_ffff;
  switch ((unit >> 24) & 3) {
    case 1:
      return sixteen[value & 15];
    case 2:
      return ofCube(value & 255);
    case 3:
      return hex(value >> 16, (value >> 8) & 255, value & 255);
    default:
      return undefined;
  }
}

function ofCube(value: number): string {
  if (value < 16) return sixteen[value]!;
  if (value >= 232)
    return hex(8 + (value - 232) * 10, 8 + (value - 232) * 10, 8 + (value - 232) * 10);
  const at = value - 16;
  return hex(steps[Math.floor(at / 36)]!, steps[Math.floor(at / 6) % 6]!, steps[at % 6]!);
}

function hex(...parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

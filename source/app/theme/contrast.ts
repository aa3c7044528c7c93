/** The contrast ratio of two colours (`#rrggbb`) as WCAG 2 defines it, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/** The colour at this share of the way from one colour to another. */
export function mix(from: string, to: string, share: number): string {
  const target = toParts(to);
  return toHex(toParts(from).map((part, index) => part + ((target[index] ?? 0) - part) * share));
}

/**
 * The colour, moved in steps of a hundredth towards another one until it is right. If no step is,
 * the other colour itself: the best that can be had.
 */
export function moveUntil(
  colour: string,
  towards: string,
  isRight: (colour: string) => boolean,
): string {
  for (let step = 0; step < 100; step++) {
    const moved = mix(colour, towards, step / 100);
    if (isRight(moved)) return moved;
  }

  return towards;
}

/** Whether white is easier to read on it than black. */
export function isDark(background: string): boolean {
  return contrast(white, background) >= contrast(black, background);
}

export const white = '#ffffff';
export const black = '#000000';

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = toParts(colour).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function toParts(colour: string): readonly number[] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}

function toHex(parts: readonly number[]): string {
  return `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

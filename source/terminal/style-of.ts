import {type Cells, underlineShift, wordsPerCell} from './cells.ts';

/** How something is drawn: the words 1 and 2 of a cell, and the style of its underline. */
export type Style = {
  readonly foreground: number;
  readonly background: number;
  readonly underline: number;
};

export function styleOf({words}: Cells, index: number): Style {
  const at = index * wordsPerCell;
  return {
    foreground: words[at + 1] ?? 0,
    background: words[at + 2] ?? 0,
    underline: ((words[at] ?? 0) >> underlineShift) & 7,
  };
}

/** The SGR sequence that sets this style, whatever was set before. */
export function styleSequence({foreground, background, underline}: Style): string {
  const codes = [
    (foreground & bold) === 0 ? '' : ';1',
    (background & dim) === 0 ? '' : ';2',
    (background & italic) === 0 ? '' : ';3',
    (foreground & underlined) === 0 ? '' : underline > 1 ? `;4:${underline}` : ';4',
    (foreground & blink) === 0 ? '' : ';5',
    (foreground & inverse) === 0 ? '' : ';7',
    (foreground & invisible) === 0 ? '' : ';8',
    (foreground & strike) === 0 ? '' : ';9',
    (background & overline) === 0 ? '' : ';53',
    colourCodes(foreground, 30),
    colourCodes(background, 40),
  ].join('');
  return codes === '' ? '\u001B[m' : `\u001B[0${codes}m`;
}

const inverse = 0x400_0000;
const bold = 0x800_0000;
const underlined = 0x1000_0000;
const blink = 0x2000_0000;
const invisible = 0x4000_0000;
const strike = 0x8000_0000;
const italic = 0x400_0000;
const dim = 0x800_0000;
const overline = 0x4000_0000;

function colourCodes(word: number, base: number): string {
  const value = word & 0xff_ffff;
  switch ((word >> 24) & 3) {
    case 1:
      return `;${value < 8 ? base + value : base + 52 + value}`;
    case 2:
      return `;${base + 8};5;${value}`;
    case 3:
      return `;${base + 8};2;${value >> 16};${(value >> 8) & 0xff};${value & 0xff}`;
    default:
      return '';
  }
}

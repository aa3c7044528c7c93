import type {Modes} from './modes.ts';

/** Every mode that the allow-list lets a program set, back to what terminals begin with. Alternate scrolling stays: it differs between them. */
const modesOff =
  '\u001B[m\u001B(B\u001B)B\u000F\u001B[4l\u001B[?1l\u001B[?6l\u001B[?7h\u001B[?12l\u001B[?25h\u001B[?1000l\u001B[?1002l\u001B[?1003l\u001B[?1004l\u001B[?1005l\u001B[?1006l\u001B[?1015l\u001B[?2004l\u001B[?2026l\u001B>\u001B[0 q\u001B[r';

/** Makes a terminal blank whose state is not known: its first screen, every mode off, the cursor in the corner. */
export const blankSequence = `\u001B[?1047l${modesOff}\u001B[H\u001B[2J`;

/** What to write when a person's terminal is theirs again: every mode off, and the cursor on a new line below what was drawn. */
export function resetSequence({alternateScreen}: Pick<Modes, 'alternateScreen'>): string {
  return `${alternateScreen ? '\u001B[?1049l' : ''}${modesOff}\u001B[9999;1H\r\n`;
}

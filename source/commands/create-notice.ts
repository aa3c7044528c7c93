import {cutLine, sanitizeText} from '../base/index.ts';
import type {Size} from '../protocol/index.ts';

export type NoticeOptions = {
  readonly session: string;
  /** Why nobody reads what is typed, and what can be done instead; nothing if it is read. */
  readonly unread: string | undefined;
  /** The key that leaves, by its name in the settings. */
  readonly leave: string;
  readonly size: Size;
  readonly out: (text: string) => void;
};

/** The last row of the person's terminal, where it is said that keys do nothing. Where keys are read there is none, and nothing is written. */
export type Notice = {
  /** What is left for the session. */
  readonly inside: () => Size;
  readonly show: () => void;
  readonly resize: (size: Size) => void;
  /** The session asks for something: keys reach it. */
  readonly asks: () => void;
  /** Keys were thrown away. */
  readonly refused: (words: string) => void;
  /** What is said once the terminal is the person's again. */
  readonly last: () => string;
  readonly close: () => void;
};

export function createNotice({
  session,
  unread,
  leave,
  size: firstSize,
  out,
}: NoticeOptions): Notice {
  let size = firstSize;
  let words = `${leave.replace(/^ctrl-/, 'Ctrl-')} leaves. ${unread?.split('\n', 1)[0]?.replace(/ Instead:$/, '') ?? ''}`;
  let said = '';
  /** The row is kept out of what scrolls; the cursor stays where the session has it. */
  const draw = (): void => {
    if (unread === undefined) return;
    const text = cutLine(` ${sanitizeText(words).replaceAll(/\s+/g, ' ')}`, size.columns);
    out(
      `\u001B7\u001B[1;${size.rows - 1}r\u001B[${size.rows};1H\u001B[0;7m${text}\u001B[K\u001B[0m\u001B8`,
    );
  };

  return {
    inside: () =>
      unread === undefined ? size : {columns: size.columns, rows: Math.max(1, size.rows - 1)},
    show: draw,
    resize(next) {
      size = next;
      draw();
    },
    asks() {
      words = `${session} asks: what you type reaches it.`;
      said = '';
      draw();
    },
    refused(given) {
      words = given.split('\n', 1)[0] ?? '';
      said = `\nWhat you typed was not passed on. ${sanitizeText(given)}`;
      draw();
      out('\u0007');
    },
    last: () => said,
    close() {
      if (unread !== undefined) out('\u001B7\u001B[r\u001B8');
    },
  };
}

import {Buffer} from 'node:buffer';
import type {TerminalSize, TypingAnswer} from '../protocol/index.ts';
import {errorText, cutLine, sanitizeText} from '../shared/index.ts';

export type KeyGateOptions = {
  /** Whether typed keys would be read now. */
  readonly ask: () => Promise<TypingAnswer>;
  readonly press: (bytes: Uint8Array) => void;
  /** Keys were dropped. */
  readonly rejected: (text: string) => void;
};

export type KeyGate = {
  readonly press: (bytes: Uint8Array) => void;
  /** Resolves when all typed keys were passed on or dropped. */
  readonly decided: () => Promise<void>;
};

/**
 * Guards a session that reads its terminal only when it asks for something. Keys are passed on in
 * order if the session asks at that moment, and dropped otherwise: held back, they would answer a
 * later question.
 */
export function createKeyGate({ask, press, rejected}: KeyGateOptions): KeyGate {
  let held: Uint8Array[] = [];
  let asking: Promise<void> | undefined;

  const decide = async (): Promise<void> => {
    while (held.length > 0) {
      const answer = await ask().catch((error: unknown): TypingAnswer => ({
        isRead: false,
        words: `Orchestra cannot tell whether it reads what you type: ${errorText(error)}`,
      }));
      const bytes = Buffer.concat(held);
      held = [];
      if (answer.isRead) press(bytes);
      else rejected(answer.words);
    }

    asking = undefined;
  };

  return {
    press(bytes) {
      if (bytes.length === 0) return;
      held.push(bytes);
      asking ??= decide();
    },
    decided: () => asking ?? Promise.resolve(),
  };
}

export type NoticeOptions = {
  readonly session: string;
  /** Why typed keys are not read, and what to do instead; `undefined` if they are read. */
  readonly unread: string | undefined;
  /** The leave key, by its name in the settings. */
  readonly leave: string;
  readonly size: TerminalSize;
  readonly out: (text: string) => void;
};

/**
 * The last row of the person's terminal, which says that keys have no effect. Absent if keys are
 * read.
 */
type AttachNotice = {
  /** The size that is left for the session. */
  readonly inside: () => TerminalSize;
  readonly show: () => void;
  readonly resize: (size: TerminalSize) => void;
  /** The session asks for something, so keys reach it. */
  readonly asks: () => void;
  /** Keys were dropped. */
  readonly rejected: (text: string) => void;
  /** The message after the terminal was restored. */
  readonly last: () => string;
  readonly close: () => void;
};

export function createNotice({
  session,
  unread,
  leave,
  size: firstSize,
  out,
}: NoticeOptions): AttachNotice {
  let size = firstSize;
  let message =
    `${leave.replace(/^ctrl-/, 'Ctrl-')} leaves. ` +
    (unread?.split('\n', 1)[0]?.replace(/ Instead:$/, '') ?? '');
  let output = '';
  /** The row is excluded from scrolling; the cursor stays where the session put it. */
  const draw = (): void => {
    if (unread === undefined) return;
    const text = cutLine(` ${sanitizeText(message).replaceAll(/\s+/g, ' ')}`, size.columns);
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
      message = `${session} asks. What you type reaches it.`;
      output = '';
      draw();
    },
    rejected(given) {
      message = given.split('\n', 1)[0] ?? '';
      output = `\nWhat you typed was not passed on. ${sanitizeText(given)}`;
      draw();
      out('\u0007');
    },
    last: () => output,
    close() {
      if (unread !== undefined) out('\u001B7\u001B[r\u001B8');
    },
  };
}

import {Buffer} from 'node:buffer';
import type {TypingAnswer} from '../protocol/index.ts';

export type KeyGateOptions = {
  /** Whether what is typed would be read now. */
  readonly ask: () => Promise<TypingAnswer>;
  readonly press: (bytes: Uint8Array) => void;
  /** Keys were thrown away. */
  readonly refused: (words: string) => void;
};

export type KeyGate = {
  readonly press: (bytes: Uint8Array) => void;
  /** What was typed so far is passed on or thrown away. */
  readonly decided: () => Promise<void>;
};

/**
 * Stands before a session that reads its terminal only when it asks for something. What is typed is passed on, in its order, if
 * the session asks at that moment, and else thrown away: kept, it would answer what is asked later.
 */
export function createKeyGate({ask, press, refused}: KeyGateOptions): KeyGate {
  let held: Uint8Array[] = [];
  let asking: Promise<void> | undefined;

  const decide = async (): Promise<void> => {
    while (held.length > 0) {
      const answer = await ask().catch((error: unknown): TypingAnswer => ({
        isRead: false,
        words: `Nobody can say whether it reads what you type: ${error instanceof Error ? error.message : String(error)}`,
      }));
      const bytes = Buffer.concat(held);
      held = [];
      if (answer.isRead) press(bytes);
      else refused(answer.words);
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

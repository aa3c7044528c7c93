import path from 'node:path';
import {clearInterval, setInterval} from 'node:timers';
import {closeSync, existsSync, fsyncSync, openSync, readdirSync} from 'node:fs';
import {tryReadText, tryWriteFile} from '../files/index.ts';
import {
  inboxFiles,
  type InboxMessage,
  type InboxResult,
  parseInboxMessage,
  parseInboxName,
} from '../agents/index.ts';

/** The messages of a person to the agent of this session. */
export type Inbox = {
  /** The oldest message that was not begun. */
  readonly next: () => InboxMessage | undefined;
  /** Records durably that the message is about to reach the agent. False if it was before. */
  readonly begin: (number: number) => boolean;
  readonly finish: (number: number, how: InboxResult) => void;
  /** Calls `onChange` regularly until it is stopped. */
  readonly watch: (onChange: () => void) => () => void;
};

const lookMs = 200;
const maxMessageBytes = 256 * 1024;

/** Without a directory there are never messages. */
export function createInbox(directory: string | undefined): Inbox {
  const isThere = (name: string): boolean =>
    directory !== undefined && existsSync(path.join(directory, name));
  const read = (number: number): InboxMessage | undefined => {
    const text =
      directory === undefined
        ? undefined
        : tryReadText(path.join(directory, inboxFiles.asked(number)), {maxBytes: maxMessageBytes});
    return text === undefined ? undefined : parseInboxMessage(number, text);
  };

  return {
    next: () => {
      const numbers = listNumbers(directory)
        .filter((number) => !isThere(inboxFiles.begun(number)))
        .toSorted((a, b) => a - b);
      for (const number of numbers) {
        const message = read(number);
        if (message !== undefined) return message;
      }

      return undefined;
    },
    begin: (number) =>
      directory !== undefined && createDurably(directory, inboxFiles.begun(number)),
    finish: (number, how) => {
      if (directory === undefined) return;
      tryWriteFile(path.join(directory, inboxFiles.done(number)), `${JSON.stringify({how})}\n`);
    },
    watch: (onChange) => {
      if (directory === undefined) return () => undefined;
      const timer = setInterval(onChange, lookMs);
      return () => {
        clearInterval(timer);
      };
    },
  };
}

function listNumbers(directory: string | undefined): number[] {
  try {
    return directory === undefined
      ? []
      : readdirSync(directory).flatMap((name) => parseInboxName(name) ?? []);
  } catch {
    return [];
  }
}

function createDurably(directory: string, name: string): boolean {
  try {
    for (const [place, flags] of [
      [path.join(directory, name), 'wx'],
      [directory, 'r'],
    ] as const) {
      const opened = openSync(place, flags, 0o600);
      fsyncSync(opened);
      closeSync(opened);
    }

    return true;
  } catch {
    return false;
  }
}

import type {Writable} from 'node:stream';
import {clearTimeout, setTimeout} from 'node:timers';
import {type AgentChannel, formatInboxMessage, type StreamEvent} from '../agents/index.ts';
import type {Inbox} from './create-inbox.ts';
import type {Printer} from './create-printer.ts';

/** The standard input of an agent that reads messages while it works. */
export type Channel = {
  /** Writes the prompt. */
  readonly open: (input: Writable) => void;
  /** Writes messages that have come, as long as the agent reads. */
  readonly onMail: () => void;
  readonly onEvent: (event: StreamEvent) => void;
  readonly close: () => void;
};

type Unread = {readonly text: string; readonly number: number};

export type ChannelOptions = {
  readonly channel: AgentChannel;
  readonly prompt: string;
  readonly inbox: Inbox;
  readonly printer: Printer;
  /** How long an agent that is at rest may leave a message unread. @default 15000 */
  readonly unreadMs?: number;
};

/**
 * Writes the prompt and then each message of the person as soon as it comes; the agent reads it at
 * its next step. Its input ends when it has ended its turn and read everything. A message counts as
 * delivered when the agent says that it has read it: of one that it never reads, it stays unknown
 * whether it arrived.
 */
export function createChannel({
  channel,
  prompt,
  inbox,
  printer,
  unreadMs = 15_000,
}: ChannelOptions): Channel {
  let input: Writable | undefined;
  let unread: readonly Unread[] = [];
  let isAtRest = false;
  let timer: NodeJS.Timeout | undefined;
  const write = (text: string): void => {
    input?.write(`${channel.format(text)}\n`);
  };

  const end = (): void => {
    clearTimeout(timer);
    input?.end();
    input = undefined;
  };

  const onMail = (): void => {
    for (
      let message = inbox.next();
      input !== undefined && message !== undefined;
      message = inbox.next()
    ) {
      if (!inbox.begin(message.number)) return;
      printer.print(`Message from you: ${message.text}`, 'dim');
      const text = formatInboxMessage(message.text);
      unread = [...unread, {text: toPlain(text), number: message.number}];
      write(text);
    }
  };

  const onRest = (): void => {
    onMail();
    clearTimeout(timer);
    if (!isAtRest || input === undefined) return;
    if (unread.length === 0) end();
    else timer = setTimeout(end, unreadMs);
  };

  return {
    open: (opened) => {
      input = opened;
      write(prompt);
    },
    onMail,
    onEvent: (event) => {
      if (event.type === 'read') {
        isAtRest = false;
        clearTimeout(timer);
        const read = toPlain(event.text);
        for (const {text, number} of unread)
          if (read.includes(text)) inbox.finish(number, 'channel');
        unread = unread.filter(({text}) => !read.includes(text));
      } else if (event.type === 'turn-ended') {
        isAtRest = true;
        onRest();
      }
    },
    close: () => {
      clearTimeout(timer);
      input = undefined;
    },
  };
}

/** The agent may say it with other white space than it was given. */
function toPlain(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

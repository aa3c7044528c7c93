import {readExit} from '../daemon/index.ts';
import {isKeeperGone, type KeeperLink, readLog} from '../keeper/index.ts';
import type {ExitRecord, KeeperReply} from '../protocol/index.ts';
import {connectByTicket, type Ticket} from './ticket.ts';

/** How a session ended; `lost` if its keeper is gone and left no record of it. */
export type SessionEnd = ExitRecord | 'lost';

export type FollowedSession = Pick<KeeperLink, 'welcome' | 'press' | 'resize' | 'close'> & {
  /** Asks for the output from this offset on. */
  readonly attach: (from: number) => Promise<void>;
  /** Resolves after the last output; never after `close`. */
  readonly ended: Promise<SessionEnd>;
};

export type FollowListeners = {
  readonly output: (offset: number, bytes: Uint8Array) => void;
  readonly news?: (reply: KeeperReply) => void;
};

/**
 * Follows a session to its end. The program and its keeper may end at any moment, also while this
 * client connects: what the keeper no longer sends is read from the files that it left.
 */
export async function followSession(
  session: string,
  ticket: Ticket,
  {output, news}: FollowListeners,
): Promise<FollowedSession> {
  /** The offset of the first byte that did not arrive; undefined before `attach`. */
  let next: number | undefined;
  let isOver = false;
  const ended = Promise.withResolvers<SessionEnd>();
  const link = await connectByTicket(session, ticket, {
    output: (offset, bytes) => {
      next = offset + bytes.length;
      output(offset, bytes);
    },
    news: (reply) => {
      news?.(reply);
      if (reply.type !== 'exit') return;
      isOver = true;
      ended.resolve(reply);
    },
  });
  void link.ended.then(() => {
    if (isOver) return;
    if (next !== undefined)
      for (const {offset, bytes} of readLog(ticket.directory, next)) output(offset, bytes);
    ended.resolve(readExit(ticket.directory) ?? 'lost');
  });
  return {
    welcome: link.welcome,
    press: link.press,
    resize: link.resize,
    close: () => {
      isOver = true;
      link.close();
    },
    attach: async (from) => {
      next = from;
      try {
        await link.ask({type: 'attach', from});
      } catch (error) {
        if (!isKeeperGone(error)) throw error;
      }
    },
    ended: ended.promise,
  };
}

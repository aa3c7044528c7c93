import {Buffer} from 'node:buffer';
import {existsSync} from 'node:fs';
import path from 'node:path';
import type {LiveState} from '../../client/index.ts';
import {takeLock} from '../../daemon/index.ts';
import {readExtent, readLog, readTimes} from '../../keeper/index.ts';
import {sessionFiles} from '../../protocol/index.ts';
import {catchUp, checkpointOf} from '../../terminal/index.ts';
import type {OpenPane, PaneSource} from '../../tui/index.ts';
import {answersLockOf, useTicket, type Ticket} from '../ticket.ts';

/**
 * A live pane talks to the keeper itself: a busy daemon cannot be felt, and a dead one is not missed. Of a session that
 * has ended the last screen is shown.
 */
export function createOpenPane(ask: () => LiveState['ask']): OpenPane {
  return async (session, size, on) => {
    const ticket = (await ask()({about: 'ticket', session, size})) as Ticket;
    if (!ticket.isLive) return endedPane(ticket, size);
    try {
      return await livePane(session, ticket, size, on);
    } catch (error) {
      // A check of half a second may well have ended since the daemon wrote the ticket.
      if (isOver(ticket)) return endedPane(ticket, size);
      throw error;
    }
  };
}

async function livePane(
  session: string,
  ticket: Ticket,
  size: Parameters<OpenPane>[1],
  on: Parameters<OpenPane>[2],
): Promise<PaneSource> {
  const link = await useTicket(session, ticket, {
    output: (_offset, bytes) => {
      on.bytes(bytes);
    },
    news: (reply) => {
      if (reply.type === 'exit')
        on.ended(
          reply.signal === null ? `exit ${reply.code ?? 'unknown'}` : `ended by ${reply.signal}`,
        );
    },
  });
  void link.ended.then(() => {
    on.ended('its keeper is gone');
  });
  const screen =
    ticket.screen ??
    (await import('../draw-late.ts')).drawLate(ticket.directory, link.welcome, size);
  link.resize(size.columns, size.rows);
  await link.ask({type: 'attach', from: screen.offset});
  // Of several who are attached, one answers what the program asks its terminal.
  const lock = await takeLock(answersLockOf(ticket));
  return {
    snapshot: Buffer.from(screen.picture),
    write: (bytes) => {
      link.press(bytes);
    },
    resize: ({columns, rows}) => {
      link.resize(columns, rows);
    },
    ...(lock === undefined
      ? {}
      : {
          reply: (bytes: Uint8Array) => {
            link.press(bytes);
          },
        }),
    close: () => {
      link.close();
      void lock?.release();
    },
  };
}

/** Its end is written down, or its keeper took the socket away when it went home. */
function isOver({directory, socket}: Ticket): boolean {
  return existsSync(path.join(directory, sessionFiles.exit)) || !existsSync(socket);
}

function endedPane({directory}: Ticket, size: Parameters<OpenPane>[1]): PaneSource {
  return {
    snapshot: lastScreenOf(directory, size),
    write: () => undefined,
    resize: () => undefined,
    close: () => undefined,
  };
}

/** As the program drew it, then fitted to the pane: a short text on a tall screen would else end above the top of a small one. */
function lastScreenOf(directory: string, size: Parameters<OpenPane>[1]): Uint8Array {
  const {start, end} = readExtent(directory);
  const {columns, rows} = readTimes(directory).at(-1) ?? {columns: 80, rows: 24};
  const {screen} = catchUp({
    columns,
    rows,
    start,
    end,
    read: (from, to) => Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes)),
  });
  screen.resize(size.columns, size.rows);
  const {picture} = checkpointOf(screen);
  screen.close();
  return Buffer.from(picture);
}

import path from 'node:path';
import {Buffer} from 'node:buffer';
import {existsSync} from 'node:fs';
import type {LiveState} from '../../client/index.ts';
import {takeLock} from '../../daemon/index.ts';
import {readExtent, readLog, readTimes} from '../../keeper/index.ts';
import {sessionFiles} from '../../protocol/index.ts';
import {catchUp, toCheckpoint} from '../../terminal/index.ts';
import type {OpenPane, PaneSource} from '../../app/index.ts';
import {answersLockName, connectByTicket, type Ticket} from '../ticket.ts';

/**
 * A live pane connects to the keeper directly, so a busy or dead daemon has no effect on it. Of an
 * ended session the last screen is shown.
 */
export function createOpenPane(ask: () => LiveState['ask']): OpenPane {
  const readLastScreen = createLastScreenReader();
  const endedPane = ({directory}: Ticket, size: PaneSize): PaneSource => ({
    snapshot: readLastScreen(directory, size),
    write: () => undefined,
    resize: () => undefined,
    close: () => undefined,
  });
  return async (session, size, on) => {
    const ticket = (await ask()({about: 'ticket', session, size, own: true})) as Ticket;
    if (!ticket.isLive) return endedPane(ticket, size);
    try {
      return await livePane(session, ticket, on);
    } catch (error) {
      // A short session may have ended since the daemon wrote the ticket.
      if (isOver(ticket)) return endedPane(ticket, size);
      throw error;
    }
  };
}

type PaneSize = Parameters<OpenPane>[1];

async function livePane(
  session: string,
  ticket: Ticket,
  on: Parameters<OpenPane>[2],
): Promise<PaneSource> {
  const sizes: PaneSize[] = [];
  const link = await connectByTicket(session, ticket, {
    output: (_offset, bytes) => {
      on.bytes(bytes);
    },
    news: (reply) => {
      if (reply.type === 'resized') {
        sizes.push({columns: reply.columns, rows: reply.rows});
        on.resized({columns: reply.columns, rows: reply.rows});
      }

      if (reply.type === 'exit')
        on.ended(
          reply.signal === null ? `exit ${reply.code ?? 'unknown'}` : `ended by ${reply.signal}`,
        );
    },
  });
  void link.ended.then(() => {
    on.ended('its keeper is gone');
  });
  const own = {columns: link.welcome.columns, rows: link.welcome.rows};
  // It may have been resized since the daemon drew it.
  if (sizes.length === 0) on.resized(own);
  const screen =
    ticket.screen ??
    (await import('../render-snapshot.ts')).renderSnapshot(ticket.directory, link.welcome, own);
  await link.ask({type: 'attach', from: screen.offset});
  // Only one of several attached clients answers the program's terminal queries.
  const lock = await takeLock(answersLockName(ticket));
  return {
    snapshot: Buffer.from(screen.picture),
    size: {columns: screen.columns, rows: screen.rows},
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

/** Whether its exit is recorded, or its keeper removed the socket. */
function isOver({directory, socket}: Ticket): boolean {
  return existsSync(path.join(directory, sessionFiles.exit)) || !existsSync(socket);
}

/**
 * Reads the last screens of ended sessions. The latest are kept: a key that moves through the tasks
 * of a run opens a pane that was open before, and an emulator for it costs 2 ms.
 */
function createLastScreenReader(): (directory: string, size: PaneSize) => Uint8Array {
  const screens = new Map<string, Uint8Array>();
  return (directory, size) => {
    const extent = readExtent(directory);
    const name = `${directory} ${extent.start} ${extent.end} ${size.columns} ${size.rows}`;
    const screen = screens.get(name) ?? drawLastScreen(directory, extent, size);
    // The latest is last, the oldest goes.
    screens.delete(name);
    screens.set(name, screen);
    const [oldest] = screens.keys();
    if (screens.size > maxLastScreens && oldest !== undefined) screens.delete(oldest);
    return screen;
  };
}

/** More than fit on any screen, and a few kilobytes each. */
const maxLastScreens = 16;

/**
 * Drawn at the program's size, then fitted to the pane: otherwise a short text on a tall screen
 * would end above the top of a small pane.
 */
function drawLastScreen(
  directory: string,
  {start, end}: ReturnType<typeof readExtent>,
  size: PaneSize,
): Uint8Array {
  const {columns, rows} = readTimes(directory).at(-1) ?? {columns: 80, rows: 24};
  const {screen} = catchUp({
    columns,
    rows,
    start,
    end,
    read: (from, to) => Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes)),
  });
  screen.resize(size.columns, size.rows);
  const {picture} = toCheckpoint(screen);
  screen.close();
  return Buffer.from(picture);
}

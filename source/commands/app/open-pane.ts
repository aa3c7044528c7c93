import {Buffer} from 'node:buffer';
import type {LiveState} from '../../client/index.ts';
import {takeLock} from '../../daemon/index.ts';
import {readExtent, readLog, readTimes} from '../../keeper/index.ts';
import {catchUp, checkpointOf} from '../../terminal/index.ts';
import type {OpenPane} from '../../tui/index.ts';
import {useTicket, type Ticket} from '../ticket.ts';

/**
 * A live pane talks to the keeper itself: a busy daemon cannot be felt, and a dead one is not missed. Of a session that
 * has ended the last screen is shown.
 */
export function createOpenPane(ask: () => LiveState['ask']): OpenPane {
  return async (session, size, on) => {
    const ticket = (await ask()({about: 'ticket', session, size})) as Ticket;
    if (!ticket.isLive) return {snapshot: lastScreenOf(ticket.directory), write: () => undefined, resize: () => undefined, close: () => undefined};
    const link = await useTicket(session, ticket, {
      output: (_offset, bytes) => { on.bytes(bytes); },
      news: (reply) => {
        if (reply.type === 'exit') on.ended(reply.signal === null ? `exit ${reply.code ?? 'unknown'}` : `ended by ${reply.signal}`);
      },
    });
    void link.ended.then(() => { on.ended('its keeper is gone'); });
    const screen = ticket.screen ?? (await import('../draw-late.ts')).drawLate(ticket.directory, link.welcome, size);
    link.resize(size.columns, size.rows);
    await link.ask({type: 'attach', from: screen.offset});
    // Of several who are attached, one answers what the program asks its terminal.
    const lock = await takeLock(`\0orchestra-answers-${ticket.socket}`);
    return {
      snapshot: Buffer.from(screen.picture),
      write: (bytes) => { link.press(bytes); },
      resize: ({columns, rows}) => { link.resize(columns, rows); },
      ...(lock === undefined ? {} : {reply: (bytes: Uint8Array) => { link.press(bytes); }}),
      close: () => {
        link.close();
        void lock?.release();
      },
    };
  };
}

function lastScreenOf(directory: string): Uint8Array {
  const {start, end} = readExtent(directory);
  const {columns, rows} = readTimes(directory).at(-1) ?? {columns: 80, rows: 24};
  const {screen} = catchUp({columns, rows, start, end, read: (from, to) => Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes))});
  const {picture} = checkpointOf(screen);
  screen.close();
  return Buffer.from(picture);
}

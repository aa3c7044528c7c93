import {Buffer} from 'node:buffer';
import {takeLock} from '../daemon/index.ts';
import {connectKeeper, readLog, type KeeperLink} from '../keeper/index.ts';
import {catchUp, createOutputFilter, resetSequence, type Screen} from '../terminal/index.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Keyboard, Surroundings} from './surroundings.ts';
import {askTicket, type Ticket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

/** Ctrl-] as in telnet: hardly any program wants it. */
const leaveKey = 0x1d;

/** Lines above the screen that are written first, so that they can be scrolled back to. */
const history = 200;

/** Hands the person's terminal to a session: what is on its screen first, then every byte both ways, until Ctrl-]. */
export async function attach(session: string, surroundings: Surroundings): Promise<ExitCode> {
  const {keyboard, columns = 80, rows = 24} = surroundings;
  if (keyboard === undefined) throw new Impossible('attach needs a terminal; for its output alone: orchestra logs');
  return withDaemon(surroundings, async (daemon) => {
    const ticket = await askTicket(daemon, session);
    if (!ticket.isLive) throw new Impossible(`${session} has ended; its output: orchestra logs ${session}`);
    const end = await converse(ticket, {keyboard, columns, rows, surroundings});
    surroundings.err(end === 'left' ? `left ${session}; it goes on\n` : `${session} ended: ${end}\n`);
    return 0;
  });
}

type Place = {readonly keyboard: Keyboard; readonly columns: number; readonly rows: number; readonly surroundings: Surroundings};

async function converse(ticket: Ticket, {keyboard, columns, rows, surroundings}: Place): Promise<string> {
  const over = Promise.withResolvers<string>();
  const filter = createOutputFilter();
  let isLive = false;
  const link: KeeperLink = await connectKeeper(ticket, {
    output: (_offset, bytes) => {
      surroundings.write(filter.write(bytes));
      screen.write(bytes);
    },
    news: (reply) => {
      if (reply.type === 'exit') over.resolve(reply.signal ?? `exit ${reply.code ?? 'unknown'}`);
    },
  });
  // Of several who are attached, one answers what the program asks its terminal.
  const answering = await takeLock(`\0orchestra-answers-${ticket.socket}`);
  const screen = openScreen(ticket, link, {columns, rows}, (bytes) => {
    // What was asked in the past has been answered, or nobody waits for it any more.
    if (isLive && answering !== undefined) link.press(bytes);
  });
  isLive = true;
  // The size of whoever attached or resized last is the one that counts.
  link.resize(columns, rows);
  surroundings.write(filter.write(Buffer.from(screen.serialize({history}))));
  const hands = keyboard.take(
    (bytes) => {
      const leave = bytes.indexOf(leaveKey);
      link.press(leave === -1 ? bytes : bytes.subarray(0, leave));
      if (leave !== -1) over.resolve('left');
    },
    (newColumns, newRows) => {
      screen.resize(newColumns, newRows);
      link.resize(newColumns, newRows);
    },
  );
  try {
    await link.ask({type: 'attach', from: link.welcome.bytes});
    return await Promise.race([over.promise, link.ended.then(() => 'its keeper is gone')]);
  } finally {
    hands.release();
    surroundings.out(resetSequence(filter.modes()));
    link.close();
    screen.close();
    await answering?.release();
  }
}

/** The screen as it is now, drawn from the log. */
function openScreen({directory}: Ticket, {welcome}: KeeperLink, size: {readonly columns: number; readonly rows: number}, onReply: (bytes: Uint8Array) => void): Screen {
  const read = (from: number, to: number): Uint8Array => Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
  return catchUp({...size, read, start: welcome.bytes > welcome.head ? welcome.first : 0, end: welcome.bytes, onReply}).screen;
}

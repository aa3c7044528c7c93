import {constants} from 'node:os';
import {takeLock, type Lock} from '../daemon/index.ts';
import type {KeeperReply, TypingAnswer} from '../protocol/index.ts';
import {preferencesDirectory, readAccount, readPreferences} from '../settings/index.ts';
import {createOutputFilter, resetSequence} from '../terminal/index.ts';
import {createPresence, leaveKeyOf, type Presence} from '../tui/index.ts';
import type {Answering} from './create-answering.ts';
import {createKeyGate} from './create-key-gate.ts';
import {createNotice} from './create-notice.ts';
import {Impossible} from './here.ts';
import type {ExitCode, Keyboard, Surroundings} from './surroundings.ts';
import {answersLockOf, askTicket, useTicket, type Ticket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

type End = {readonly words: string; readonly code: ExitCode};

/**
 * Hands the person's terminal to a session: what is on its screen first, then every byte both ways, until the key that leaves. It ends
 * as the program does, if that ends meanwhile. What draws is loaded after the screen is there, or not at all.
 */
export async function attach(session: string, surroundings: Surroundings): Promise<ExitCode> {
  const {keyboard, columns = 80, rows = 24} = surroundings;
  if (keyboard === undefined)
    throw new Impossible('attach needs a terminal; for its output alone: orchestra logs');
  return withDaemon(surroundings, async (daemon) => {
    const ticket = await askTicket(daemon, session, {size: {columns, rows}});
    if (!ticket.isLive)
      throw new Impossible(`${session} has ended; its output: orchestra logs ${session}`);
    // The last row says why keys do nothing: the session has the others.
    const own =
      ticket.unread === undefined
        ? ticket
        : await askTicket(daemon, session, {size: {columns, rows: Math.max(1, rows - 1)}});
    const typing = (): Promise<TypingAnswer> =>
      daemon.ask({about: 'typing', session}) as Promise<TypingAnswer>;
    const {words, code} = await converse(session, own, {
      keyboard,
      columns,
      rows,
      surroundings,
      typing,
      presence: createPresence({
        now: Date.now,
        isKnown: false,
        tell: () => {
          daemon.ask({about: 'seen'}).catch(() => undefined);
        },
      }),
    });
    surroundings.err(`${words}\n`);
    return code;
  });
}

type Place = {
  readonly keyboard: Keyboard;
  readonly columns: number;
  readonly rows: number;
  readonly surroundings: Surroundings;
  /** Whether what is typed is read now. */ readonly typing: () => Promise<TypingAnswer>;
  readonly presence: Presence;
};

async function converse(
  session: string,
  ticket: Ticket,
  {keyboard, columns, rows, surroundings, typing, presence}: Place,
): Promise<End> {
  const over = Promise.withResolvers<End>();
  // Ctrl-] as in telnet, unless the person prefers another: hardly any program wants it.
  const {leave: leaveName} = readPreferences(
    preferencesDirectory(readAccount(surroundings.env), surroundings.env),
  );
  const leaveKey = leaveKeyOf(leaveName);
  const notice = createNotice({
    session,
    unread: ticket.unread,
    leave: leaveName,
    size: {columns, rows},
    out: surroundings.out,
  });
  const filter = createOutputFilter();
  let answering: Answering | undefined;
  /** What came before there was anybody to answer. */
  let unanswered: {readonly offset: number; readonly bytes: Uint8Array}[] | undefined = [];
  let size = notice.inside();
  let lock: Lock | undefined;
  const link = await useTicket(session, ticket, {
    output: (offset, bytes) => {
      surroundings.write(filter.write(bytes));
      answering?.write(offset, bytes);
      unanswered?.push({offset, bytes});
    },
    news: (reply) => {
      if (reply.type === 'exit') over.resolve(endOf(session, reply));
    },
  });
  const screen =
    ticket.screen ??
    (await import('./draw-late.ts')).drawLate(ticket.directory, link.welcome, size);
  // The size of whoever attached or resized last is the one that counts.
  link.resize(size.columns, size.rows);
  const gate = createKeyGate({
    ask: typing,
    press: (bytes) => {
      notice.asks();
      link.press(bytes);
    },
    refused: notice.refused,
  });
  const press = ticket.unread === undefined ? link.press : gate.press;
  const hands = keyboard.take(
    (bytes) => {
      presence.pressed();
      const leave = bytes.indexOf(leaveKey);
      press(leave === -1 ? bytes : bytes.subarray(0, leave));
      if (leave !== -1)
        void gate.decided().then(() => {
          over.resolve({words: `left ${session}; it goes on${notice.last()}`, code: 0});
        });
    },
    (newColumns, newRows) => {
      notice.resize({columns: newColumns, rows: newRows});
      size = notice.inside();
      answering?.resize(size.columns, size.rows);
      link.resize(size.columns, size.rows);
    },
  );
  try {
    // It was made of cells and of nothing else, so it needs no filter; what follows does. Keys that come before it are the program's already.
    surroundings.out(screen.picture);
    filter.adopt(screen);
    notice.show();
    // It may ask already, and then what was said of it is not so.
    if (ticket.unread !== undefined)
      void typing().then(
        ({isRead}) => {
          if (isRead) notice.asks();
        },
        () => undefined,
      );
    // From where the screen was drawn to, which may lie before the end: a sequence may be cut off there.
    await link.ask({type: 'attach', from: screen.offset});
    // Of several who are attached, one answers what the program asks its terminal.
    lock = await takeLock(answersLockOf(ticket));
    if (lock !== undefined) {
      const {createAnswering} = await import('./create-answering.ts');
      answering = createAnswering(screen, link.welcome.bytes, link.press);
      answering.resize(size.columns, size.rows);
      for (const {offset, bytes} of unanswered) answering.write(offset, bytes);
    }

    unanswered = undefined;
    return await Promise.race([
      over.promise,
      link.ended.then(() => ({words: `${session} ended: its keeper is gone`, code: 1})),
    ]);
  } finally {
    hands.release();
    notice.close();
    surroundings.out(resetSequence(filter.modes()));
    link.close();
    answering?.close();
    await lock?.release();
  }
}

/** As a shell has it: its exit status, or 128 and the number of the signal. */
function endOf(session: string, {code, signal}: Extract<KeeperReply, {type: 'exit'}>): End {
  const number =
    signal === null ? undefined : (constants.signals as Readonly<Record<string, number>>)[signal];
  return {
    words: `${session} ended: ${signal ?? `exit ${code ?? 'unknown'}`}`,
    code: code ?? (number === undefined ? 1 : 128 + number),
  };
}

import {constants} from 'node:os';
import {type Lock, takeLock} from '../daemon/index.ts';
import {isSameSize, type TerminalSize, type TypingAnswer} from '../protocol/index.ts';
import {preferencesDirectory, readAccount, readPreferences} from '../config/index.ts';
import {createOutputFilter, resetSequence} from '../terminal/index.ts';
import {
  afterTimeout,
  createFilePasting,
  createPresence,
  formatPaste,
  type Presence,
  toLeaveByte,
} from '../app/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import type {SessionId} from '../domain/index.ts';
import {sanitizeText} from '../shared/index.ts';
import {saveTemporarily} from './give-files.ts';
import {createPasteGate} from './paste-gate.ts';
import type {Answering} from './create-terminal-responder.ts';
import {createKeyGate, createNotice} from './key-gate.ts';
import {UsageError} from './repo-paths.ts';
import type {CliContext, ExitCode, Keyboard} from './cli-context.ts';
import {followSession, type SessionEnd} from './follow-session.ts';
import {answersLockName, askTicket, type Ticket} from './ticket.ts';
import {withDaemon} from './with-daemon.ts';

type End = {readonly text: string; readonly code: ExitCode};

/**
 * Connects the person's terminal to a session: its screen first, then every byte both ways, until
 * the leave key. If the program ends meanwhile, the exit code is the program's. The emulator is
 * loaded after the screen is shown, or not at all.
 */
export async function attach(session: string, cli: CliContext): Promise<ExitCode> {
  const {keyboard, columns = 80, rows = 24} = cli;
  if (keyboard === undefined)
    throw new UsageError('attach needs a terminal. To print the output only: orchestra logs');
  return withDaemon(cli, async (daemon, {root}) => {
    const ticket = await askTicket(daemon, session, {size: {columns, rows}});
    if (!ticket.isLive)
      throw new UsageError(`${session} has ended; its output: orchestra logs ${session}`);
    // The last row says why keys have no effect; the session has the others.
    const own =
      ticket.unread === undefined
        ? ticket
        : await askTicket(daemon, session, {size: {columns, rows: Math.max(1, rows - 1)}});
    const typing = (): Promise<TypingAnswer> =>
      daemon.ask({about: 'typing', session}) as Promise<TypingAnswer>;
    const {text, code} = await handleConnection(session, own, {
      keyboard,
      columns,
      rows,
      cli,
      typing,
      root,
      ask: daemon.ask,
      presence: createPresence({
        now: Date.now,
        isKnown: false,
        notify: () => {
          daemon.ask({about: 'seen'}).catch(() => undefined);
        },
      }),
    });
    cli.err(`${text}\n`);
    return code;
  });
}

type Place = {
  readonly keyboard: Keyboard;
  readonly columns: number;
  readonly rows: number;
  readonly cli: CliContext;
  /** Whether typed keys are read now. */ readonly typing: () => Promise<TypingAnswer>;
  readonly presence: Presence;
  /** The repository: no program in it is run. */
  readonly root: string;
  readonly ask: DaemonConnection['ask'];
};

async function handleConnection(
  session: string,
  ticket: Ticket,
  {keyboard, columns, rows, cli, typing, presence, root, ask}: Place,
): Promise<End> {
  const left = Promise.withResolvers<End>();
  // Ctrl-] as in telnet, unless the person chose another key; hardly any program uses it.
  const {leave: leaveName} = readPreferences(preferencesDirectory(readAccount(cli.env), cli.env));
  const leaveKey = toLeaveByte(leaveName);
  const notice = createNotice({
    session,
    unread: ticket.unread,
    leave: leaveName,
    size: {columns, rows},
    out: cli.out,
  });
  const filter = createOutputFilter();
  let answering: Answering | undefined;
  /** Queries that arrived before the responder was loaded. */
  let unanswered: {readonly offset: number; readonly bytes: Uint8Array}[] | undefined = [];
  let size = notice.inside();
  let lock: Lock | undefined;
  /** The size of the session; undefined while a request for ours is on its way. */
  let current: TerminalSize | undefined;
  const link = await followSession(session, ticket, {
    output: (offset, bytes) => {
      cli.write(filter.write(bytes));
      answering?.write(offset, bytes);
      unanswered?.push({offset, bytes});
    },
    news: (reply) => {
      if (reply.type === 'resized') current = reply;
    },
  });
  const screen =
    ticket.screen ??
    (await import('./render-snapshot.ts')).renderSnapshot(ticket.directory, link.welcome, size);
  // The size of the client that attached, resized or typed last is used.
  const claimSize = (): void => {
    current = undefined;
    link.resize(size.columns, size.rows);
  };
  const pressKeys = (bytes: Uint8Array): void => {
    if (current !== undefined && !isSameSize(current, size)) claimSize();
    link.press(bytes);
  };
  claimSize();
  const gate = createKeyGate({
    ask: typing,
    press: (bytes) => {
      notice.asks();
      pressKeys(bytes);
    },
    rejected: notice.rejected,
  });
  const press = ticket.unread === undefined ? pressKeys : gate.press;
  const pasted: string[] = [];
  const pasting = createFilePasting({
    options: {
      readClipboardImage: async () =>
        (await import('./read-clipboard.ts')).readClipboardImage(cli, root),
      saveTemporarily,
    },
    pane: () => ({write: press, modes: filter.modes}),
    ask,
    send: () => undefined,
    after: afterTimeout,
    happen: (event) => pasted.push(`\n${sanitizeText(formatPaste(event).text)}`),
    settled: () => {
      pasteGate.settled();
    },
  });
  const pasteGate = createPasteGate({
    press,
    take: (paste) => pasting.take(session as SessionId, paste),
    isPending: () => pasting.isPending(session as SessionId),
  });
  const hands = keyboard.take(
    (bytes) => {
      presence.pressed();
      const leave = bytes.indexOf(leaveKey);
      pasteGate.press(leave === -1 ? bytes : bytes.subarray(0, leave));
      if (leave === -1) return;
      void pasteGate
        .drained()
        .then(gate.decided)
        .then(() => {
          const more = `${notice.last()}${pasted.join('')}`;
          left.resolve({text: `left ${session}; it keeps running${more}`, code: 0});
        });
    },
    (newColumns, newRows) => {
      notice.resize({columns: newColumns, rows: newRows});
      size = notice.inside();
      answering?.resize(size.columns, size.rows);
      claimSize();
    },
  );
  try {
    // The picture was made from cells and needs no filter; the stream after it does. Keys typed
    // before it go to the program already.
    cli.out(screen.picture);
    filter.adopt(screen);
    notice.show();
    // It may be asking already, and then the notice is out of date.
    if (ticket.unread !== undefined)
      void typing().then(
        ({isRead}) => {
          if (isRead) notice.asks();
        },
        () => undefined,
      );
    // From the offset of the screen, which may be before the end: a sequence may be cut off there.
    await link.attach(screen.offset);
    // Only one of several attached clients answers the program's terminal queries.
    lock = await takeLock(answersLockName(ticket));
    if (lock !== undefined) {
      const {createTerminalResponder} = await import('./create-terminal-responder.ts');
      answering = createTerminalResponder(screen, link.welcome.bytes, link.press);
      answering.resize(size.columns, size.rows);
      for (const {offset, bytes} of unanswered) answering.write(offset, bytes);
    }

    unanswered = undefined;
    return await Promise.race([left.promise, link.ended.then((end) => toEnd(session, end))]);
  } finally {
    hands.release();
    pasteGate.close();
    notice.close();
    cli.out(resetSequence(filter.modes()));
    link.close();
    answering?.close();
    await lock?.release();
  }
}

/** The exit code as a shell reports it: its exit status, or 128 plus the signal number. */
function toEnd(session: string, end: SessionEnd): End {
  if (end === 'lost') return {text: `${session} ended: its keeper is gone`, code: 1};
  const {code, signal} = end;
  const number =
    signal === null ? undefined : (constants.signals as Readonly<Record<string, number>>)[signal];
  return {
    text: `${session} ended: ${signal ?? `exit ${code ?? 'unknown'}`}`,
    code: code ?? (number === undefined ? 1 : 128 + number),
  };
}

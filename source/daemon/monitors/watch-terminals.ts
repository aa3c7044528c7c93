import {errorText} from '../../shared/index.ts';
import {Buffer} from 'node:buffer';
import {connect} from 'node:net';
import {
  type Purpose,
  selectLiveSessions,
  type Session,
  type SessionId,
} from '../../domain/index.ts';
import {readEnd, readExtent, readLog} from '../../keeper/index.ts';
import {asksTerminal, catchUp, isStatusReport} from '../../terminal/index.ts';
import {connectToKeeper} from '../sessions/keeper-link.ts';
import {pauseFor} from '../engine/pacing.ts';
import {readTerminalSize} from '../sessions/session-screen.ts';
import type {DaemonClock, DaemonLog, SessionFiles, StateReader} from '../daemon-context.ts';

/**
 * Programs wait a few hundred milliseconds for an answer of their terminal. A quiet session is
 * checked less often.
 */
const rhythm = {lookMs: 150, idleMs: 500, quietMs: 5000, unchangedLooks: 6};
/**
 * A program that writes more than this between two checks is not waiting for an answer. Afterwards
 * only this much of the end is read.
 */
const maxBytes = 64 * 1024;
/** A query may be split between two reads. */
const maxQueryLength = 32;
/** How much output from before this daemon is searched for a status report. */
const pastBytes = 256 * 1024;

/** Sessions whose program may draw a screen. */
const drawn: ReadonlySet<Purpose['for']> = new Set(['person', 'takeover', 'attempt', 'plan']);

type Watched = {
  scanned: number;
  /** Where the log ended at the last check. */
  seen: number;
  changedAt: number;
};

/**
 * Answers terminal queries while nobody is attached: without answers some agents do not start, or
 * do not report their status. Adds sessions that report a status (OSC 7501) to `reporting`. Output
 * without a query is not parsed.
 */
export async function watchTerminals(
  context: StateReader & SessionFiles & DaemonClock & DaemonLog,
  reporting: Set<SessionId>,
  signal: AbortSignal,
): Promise<void> {
  const beganAt = context.now();
  const watched = new Map<SessionId, Watched>();
  for (let look = 0; !signal.aborted; look++) {
    const sessions = selectLiveSessions(context.state()).filter(
      ({life, purpose}) => life.at === 'running' && drawn.has(purpose.for),
    );
    for (const id of watched.keys()) {
      if (sessions.some((session) => session.id === id)) continue;
      watched.delete(id);
      reporting.delete(id);
    }

    for (const session of sessions) {
      const one = watched.get(session.id) ?? startWatching(context, session, beganAt, reporting);
      watched.set(session.id, one);
      if (look % rhythm.unchangedLooks !== 0 && context.now() - one.changedAt > rhythm.quietMs)
        continue;
      await answerQueries(context, session, one, reporting).catch((error: unknown) => {
        context.log(`${session.id}: ${errorText(error)}`);
      });
    }

    await pauseFor(sessions.length === 0 ? rhythm.idleMs : rhythm.lookMs, signal);
  }
}

/** Queries from before this daemon were answered, or their program no longer waits. */
function startWatching(
  {store, now}: SessionFiles & DaemonClock,
  {id, life}: Session,
  beganAt: number,
  reporting: Set<SessionId>,
): Watched {
  if (life.at === 'running' && life.since >= beganAt)
    return {scanned: 0, seen: 0, changedAt: now()};
  const directory = store.directoryOf(id);
  const {start, end} = readExtent(directory);
  if (isStatusReport(read(directory, Math.max(start, end - pastBytes), end))) reporting.add(id);
  return {scanned: end, seen: end, changedAt: now()};
}

async function answerQueries(
  context: SessionFiles & DaemonClock,
  {id}: Session,
  one: Watched,
  reporting: Set<SessionId>,
): Promise<void> {
  const directory = context.store.directoryOf(id);
  const {end} = readEnd(directory);
  if (end <= one.scanned) return;
  one.changedAt = context.now();
  const isFlood = end - one.seen > maxBytes;
  one.seen = end;
  if (isFlood) return;
  const {start} = readExtent(directory);
  const from = Math.max(start, one.scanned, end - maxBytes);
  const bytes = read(directory, Math.max(start, from - maxQueryLength), end);
  one.scanned = end;
  if (!reporting.has(id) && isStatusReport(bytes)) reporting.add(id);
  if (!asksTerminal(bytes) || (await isAttended(context.store.socketOf(id)))) return;
  const replies = repliesTo(context, id, {start, from, end});
  if (replies.length === 0) return;
  const link = await connectToKeeper(context, id);
  for (const reply of replies) link?.press(reply);
  link?.close();
}

/** Draws the screen up to the last check first, because a reply depends on the cursor position. */
function repliesTo(
  {store}: SessionFiles,
  id: SessionId,
  {start, from, end}: {readonly start: number; readonly from: number; readonly end: number},
): readonly Uint8Array[] {
  const directory = store.directoryOf(id);
  const replies: Uint8Array[] = [];
  const {columns, rows} = readTerminalSize(store, id);
  const {screen} = catchUp({
    columns,
    rows,
    start,
    end: from,
    read: (first, last) => read(directory, first, last),
    onReply: (reply) => {
      replies.push(reply);
    },
  });
  screen.write(read(directory, from, end), from);
  screen.close();
  return replies;
}

/** An attached client that answers queries holds this lock. */
function isAttended(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(`\0orchestra-answers-${socket}`);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => {
      resolve(false);
    });
  });
}

function read(directory: string, from: number, to: number): Buffer {
  return Buffer.concat([...readLog(directory, from, to)].map(({bytes}) => bytes));
}

import {Buffer} from 'node:buffer';
import {connect} from 'node:net';
import {liveSessionsOf, type Purpose, type Session, type SessionId} from '../domain/index.ts';
import {readEnd, readExtent, readLog} from '../keeper/index.ts';
import {asksTerminal, catchUp, tellsStatus} from '../terminal/index.ts';
import {meetKeeper} from './meet-keeper.ts';
import {pauseFor} from './pause-for.ts';
import {sizeOf} from './read-screen.ts';
import type {Workshop} from './workshop.ts';

/** Programs wait some hundred milliseconds for an answer of their terminal. One that has been still for a while is looked at less often. */
const rhythm = {lookMs: 150, idleMs: 500, stillMs: 5000, stillLooks: 6};
/** Who writes more than this between two looks is not waiting for an answer; once it is calm, so much of the end is read. */
const mostBytes = 64 * 1024;
/** A query may be cut in two. */
const longestQuery = 32;
/** For what a program said before there was anybody to listen. */
const pastBytes = 256 * 1024;

/** Those that run a program that may draw a screen. */
const drawn: ReadonlySet<Purpose['for']> = new Set(['person', 'takeover', 'attempt', 'plan']);

type Watched = {
  scanned: number;
  /** Where the log ended at the last look. */ seen: number;
  changedAt: number;
};

/**
 * Answers what programs ask their terminal while nobody is attached: without an answer agents do not start, or do not say what
 * they are doing. Adds those that say it, by OSC 7501, to `telling`. Nothing is parsed unless something is asked.
 */
export async function watchTerminals(
  workshop: Workshop,
  telling: Set<SessionId>,
  signal: AbortSignal,
): Promise<void> {
  const beganAt = workshop.now();
  const watched = new Map<SessionId, Watched>();
  for (let look = 0; !signal.aborted; look++) {
    const sessions = liveSessionsOf(workshop.state()).filter(
      ({life, purpose}) => life.at === 'running' && drawn.has(purpose.for),
    );
    for (const id of watched.keys()) {
      if (sessions.some((session) => session.id === id)) continue;
      watched.delete(id);
      telling.delete(id);
    }

    for (const session of sessions) {
      const one = watched.get(session.id) ?? begin(workshop, session, beganAt, telling);
      watched.set(session.id, one);
      if (look % rhythm.stillLooks !== 0 && workshop.now() - one.changedAt > rhythm.stillMs)
        continue;
      await listen(workshop, session, one, telling).catch((error: unknown) => {
        workshop.log(`${session.id}: ${error instanceof Error ? error.message : String(error)}`);
      });
    }

    await pauseFor(sessions.length === 0 ? rhythm.idleMs : rhythm.lookMs, signal);
  }
}

/** What was asked before this daemon began was answered, or nobody waits for it any more. */
function begin(
  {store, now}: Workshop,
  {id, life}: Session,
  beganAt: number,
  telling: Set<SessionId>,
): Watched {
  if (life.at === 'running' && life.since >= beganAt)
    return {scanned: 0, seen: 0, changedAt: now()};
  const directory = store.directoryOf(id);
  const {start, end} = readExtent(directory);
  if (tellsStatus(read(directory, Math.max(start, end - pastBytes), end))) telling.add(id);
  return {scanned: end, seen: end, changedAt: now()};
}

async function listen(
  workshop: Workshop,
  {id}: Session,
  one: Watched,
  telling: Set<SessionId>,
): Promise<void> {
  const directory = workshop.store.directoryOf(id);
  const {end} = readEnd(directory);
  if (end <= one.scanned) return;
  one.changedAt = workshop.now();
  const isFlood = end - one.seen > mostBytes;
  one.seen = end;
  if (isFlood) return;
  const {start} = readExtent(directory);
  const from = Math.max(start, one.scanned, end - mostBytes);
  const bytes = read(directory, Math.max(start, from - longestQuery), end);
  one.scanned = end;
  if (!telling.has(id) && tellsStatus(bytes)) telling.add(id);
  if (!asksTerminal(bytes) || (await isAttended(workshop.store.socketOf(id)))) return;
  const replies = repliesTo(workshop, id, {start, from, end});
  if (replies.length === 0) return;
  const link = await meetKeeper(workshop, id);
  for (const reply of replies) link?.press(reply);
  link?.close();
}

/** Drawn up to where it was looked at before, so that where the cursor stood when it was asked is known. */
function repliesTo(
  {store}: Workshop,
  id: SessionId,
  {start, from, end}: {readonly start: number; readonly from: number; readonly end: number},
): readonly Uint8Array[] {
  const directory = store.directoryOf(id);
  const replies: Uint8Array[] = [];
  const {columns, rows} = sizeOf(store, id);
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

/** Whoever is attached and answers holds a lock for it. */
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

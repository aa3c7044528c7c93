import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {isDeepStrictEqual} from 'node:util';
import {type Event, interruptionLimit} from '../../../../source/domain/index.ts';
import {readLog} from '../../../../source/keeper/index.ts';
import {cookieName} from '../../../../source/system/index.ts';
import {fingerprint} from './fingerprint.ts';
import {getKeys, getSequences, leftBehind, lookAfter} from './look-after.ts';
import {readWritten, type Written} from './read-written.ts';
import type {LoopFixture} from './loop-fixture.ts';

/** The eight invariants of faults section 4, as the printed table names them. */
export const invariants = {
  I1: 'each effect is done exactly once',
  I2: 'what is written is a prefix of a run without faults',
  I3: 'no worktree, branch, lock or half file that the journal does not know',
  I4: 'no process that the journal does not know',
  I5: "the person's branch and checkout are as the person left them",
  I6: 'the output of every session is there byte for byte',
  I7: 'recovery that is run twice changes nothing',
  I8: "before the approval nothing of the person's is changed",
} as const;

export type Invariant = keyof typeof invariants;

/** The result of a run without faults, to compare with. */
export type Usual = {
  /** How long it took; depends on the machine's load. */
  readonly ms: number;
  readonly tree: string;
  readonly done: readonly string[];
  /** The events by subject, in order. */
  readonly sequences: ReadonlyMap<string, readonly string[]>;
  /** The output of the sessions and their number, by purpose. */
  readonly outputs: ReadonlyMap<string, {readonly text: string; readonly count: number}>;
  readonly commits: string;
  /** The kinds of files that may exist in the daemon's directories. */
  readonly files: ReadonlySet<string>;
};

export type Watch = {
  /** While no daemon runs: checks everything that must hold at any moment. */
  readonly afterKill: () => void;
  /** The run is over. */
  readonly atEnd: (readyTree: string) => Promise<void>;
  /** After another daemon has run: compares the state before and after it. */
  readonly recovered: (before: string, after: string) => void;
  readonly looked: Readonly<Record<Invariant, number>>;
  readonly broken: readonly {readonly invariant: Invariant; readonly text: string}[];
};

/** Reads the journal's lines, git, /proc and files only. The daemon is never asked. */
export function createWatch(fixture: LoopFixture, usual: Usual): Watch {
  const looked: Record<Invariant, number> = {
    I1: 0,
    I2: 0,
    I3: 0,
    I4: 0,
    I5: 0,
    I6: 0,
    I7: 0,
    I8: 0,
  };
  const broken: {invariant: Invariant; text: string}[] = [];
  const before = {
    print: fingerprint(fixture),
    status: fixture.git('status', '--porcelain'),
    main: fixture.git('rev-parse', 'main').trim(),
  };
  const look = (invariant: Invariant, check: () => void): void => {
    looked[invariant] += 1;
    try {
      check();
    } catch (error) {
      notify(invariant, error);
    }
  };

  /** Reports each violation once, since later checks find it again. */
  const notify = (invariant: Invariant, error: unknown): void => {
    const text = (error instanceof Error ? error.message : String(error))
      .replaceAll(/\s+/g, ' ')
      .slice(0, 400);
    if (!broken.some((other) => other.invariant === invariant && other.text === text))
      broken.push({invariant, text});
  };

  const everywhere = (written: Written): void => {
    look('I1', () => {
      getKeys(written.events);
      assertRanOnce(fixture);
    });
    look('I2', () => {
      assertPrefix(getSequences(written.events), usual.sequences, unheardIn(fixture, written));
    });
    look('I4', () => {
      assertKnown(fixture, written);
    });
    look('I5', () => {
      assertMain(fixture, written, before);
    });
    look('I6', () => {
      assertOutputs(printedIn(fixture, written), usual.outputs, false);
    });
    if (!written.events.some(({type}) => type === 'plan-approved'))
      look('I8', () => {
        assert.equal(fingerprint(fixture), before.print);
      });
  };

  return {
    looked,
    broken,
    afterKill: () => {
      everywhere(readWritten(fixture));
    },
    atEnd: async (readyTree) => {
      const written = readWritten(fixture);
      everywhere(written);
      look('I1', () => {
        assert.equal(getCommits(fixture), usual.commits, 'commits');
        assertSessions(printedIn(fixture, written), usual.outputs);
      });
      look('I2', () => {
        const unheard = unheardIn(fixture, written);
        assert.deepEqual(
          getKeys(written.events),
          usual.done.filter((key) => !unheard.has(key)),
        );
        assert.equal(readyTree, usual.tree, 'the tree of the run');
        assert.deepEqual(
          parkedIn(written.events).filter(({isRight}) => !isRight),
          [],
          'set aside without three crashes',
        );
      });
      look('I6', () => {
        assertOutputs(printedIn(fixture, written), usual.outputs, true);
      });
      looked.I3 += 1;
      await lookAfter(fixture, before.status).catch((error: unknown) => {
        notify('I3', error);
      });
      look('I3', () => {
        assert.deepEqual(
          leftBehind(fixture).filter((name) => !usual.files.has(name)),
          [],
        );
      });
    },
    recovered: (first, second) => {
      look('I7', () => {
        assert.equal(second, first);
      });
    },
  };
}

type Printed = {
  /** The purpose of the session. */
  readonly purpose: string;
  readonly text: string;
  /**
   * Nothing of it had been read when its run was set aside: it is either taken up again, or stopped
   * and begun anew.
   */
  readonly isDoubtful: boolean;
};

/** The output of every session so far. */
export function printedIn(fixture: LoopFixture, {events}: Written): readonly Printed[] {
  const doubtful = unreadAtParking(events);
  return events.flatMap((event) =>
    event.type === 'session-asked'
      ? [
          {
            purpose: Object.values(event.purpose).join(' '),
            text: getOutput(fixture, event.session),
            isDoubtful: doubtful.has(event.session),
          },
        ]
      : [],
  );
}

function unreadAtParking(events: readonly Event[]): ReadonlySet<string> {
  const unread = new Map<string, string>();
  const doubtful = new Set<string>();
  const read = (by: string): void => {
    for (const [session, about] of unread) if (about === by) unread.delete(session);
  };
  for (const event of events) {
    if (event.type === 'session-asked' && event.purpose.for === 'plan')
      unread.set(event.session, event.purpose.run);
    if (event.type === 'session-asked' && 'task' in event.purpose)
      unread.set(event.session, event.purpose.task);
    if (
      event.type === 'session-asked' &&
      (event.purpose.for === 'baseline' || event.purpose.for === 'worktree-setup')
    )
      unread.set(event.session, `${event.purpose.run} base`);
    if (event.type === 'plan-received') read(event.run);
    if (event.type === 'baseline-checked') read(`${event.run} base`);
    if (
      event.type === 'agent-finished' ||
      event.type === 'attempt-paused' ||
      event.type === 'check-finished'
    )
      read(event.task);
    if (event.type === 'run-parked') for (const session of unread.keys()) doubtful.add(session);
  }

  return doubtful;
}

/**
 * Pauses that an agent asked for and that nobody put down: its run was set aside before its end was
 * known, and it was begun anew. A service that is still overloaded says so again; the pretend
 * agent, which remembers that it has said so, does not.
 */
export function unheardIn(fixture: LoopFixture, {events}: Written): ReadonlySet<string> {
  const received = new Set(getKeys(events));
  const keys = events.flatMap((event, index) => {
    if (event.type !== 'session-asked' || event.purpose.for !== 'attempt') return [];
    const {session, purpose} = event;
    const since = events.slice(index);
    const parked = since.findIndex(({type}) => type === 'run-parked');
    const isEndKnown = since
      .slice(0, Math.max(0, parked))
      .some((later) => later.type === 'session-exited' && later.session === session);
    const isBegunAnew =
      parked !== -1 &&
      since
        .slice(parked)
        .some(
          (later) => later.type === 'session-asked' && isDeepStrictEqual(later.purpose, purpose),
        );
    return !isEndKnown && isBegunAnew && fixture.outcomeOf(session).includes('"at":"unavailable"')
      ? [`attempt-paused ${purpose.task} ${purpose.attempt}`]
      : [];
  });
  return new Set(keys.filter((key) => !received.has(key)));
}

/** Message and changes of every commit that is not a merge. */
export function getCommits(fixture: LoopFixture): string {
  return fixture
    .git('log', '--no-merges', '--format=%x00%s', '--name-only', 'orchestra/r1', '--')
    .split('\0')
    .map((text) => text.trim())
    .toSorted()
    .join('\n\n');
}

/**
 * For each time that a run was parked: whether its effect was really started three times and never
 * finished.
 */
export function parkedIn(
  events: readonly Event[],
): readonly {readonly effect: string; readonly isRight: boolean}[] {
  return events.flatMap((event, index) => {
    if (event.type !== 'run-parked' || event.why.kind !== 'crashing') return [];
    const {effect, times} = event.why;
    const since = events.slice(0, index).findLastIndex(({type}) => type === 'run-resumed') + 1;
    const begun = events
      .slice(since, index)
      .filter((earlier) => earlier.type === 'effect-begun' && earlier.effect === effect).length;
    return [{effect, isRight: begun === times && times === interruptionLimit}];
  });
}

/** Each started program records the name of its session. */
function assertRanOnce({home, current}: LoopFixture): void {
  const exchange = path.join(current().stateDirectory, 'exchange');
  const confined = existsSync(exchange)
    ? readdirSync(exchange).map((name) => path.join(exchange, name, 'tmp', 'ran'))
    : [];
  const ran = [path.join(home, 'ran'), ...confined]
    .flatMap((file) => toText(file).split('\n'))
    .filter((line) => line !== '');
  assert.deepEqual(
    ran.filter((cookie, index) => ran.indexOf(cookie) !== index),
    [],
    'programs that ran twice',
  );
}

function assertPrefix(
  found: ReadonlyMap<string, readonly string[]>,
  usual: ReadonlyMap<string, readonly string[]>,
  unheard: ReadonlySet<string>,
): void {
  for (const [about, keys] of found)
    assert.deepEqual(
      keys,
      usual
        .get(about)
        ?.filter((key) => !unheard.has(key))
        .slice(0, keys.length),
      `what happened to ${about}`,
    );
}

/**
 * Processes have the name of their session in their environment; a keeper, which hides its own, has
 * open files in its directory.
 */
function assertKnown(fixture: LoopFixture, {events}: Written): void {
  const known = new Set<string>(
    events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : [])),
  );
  const journal =
    events.flatMap((event) => (event.type === 'daemon-started' ? (event.journal ?? []) : []))[0] ??
    'none';
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => getSessionName(pid, fixture.home, journal) ?? []);
  assert.deepEqual(
    found.filter((session) => !known.has(session)),
    [],
    'sessions that nobody asked for',
  );
}

function getSessionName(pid: string, home: string, journal: string): string | undefined {
  const env = toText(`/proc/${pid}/environ`);
  const cookie = new RegExp(`(?:^|\\0)${cookieName}=${journal}-(?<session>s\\d+)\\0`).exec(env)
    ?.groups?.['session'];
  if (cookie !== undefined) return cookie;
  try {
    const output = readlinkSync(`/proc/${pid}/fd/1`);
    return output.startsWith(home)
      ? new RegExp(`/sessions/${journal}-(?<session>s\\d+)/keeper\\.log`).exec(output)?.groups?.[
          'session'
        ]
      : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The person's branch must not move before the accept; then it is at the old or the accepted
 * commit.
 */
function assertMain(
  fixture: LoopFixture,
  {events}: Written,
  before: {readonly status: string; readonly main: string},
): void {
  const asked = events.flatMap((event) => (event.type === 'accept-asked' ? [event.commit] : []));
  const isHome = events.some(({type}) => type === 'run-accepted');
  const main = fixture.git('rev-parse', 'main').trim();
  if (isHome) assert.equal(main, asked.at(-1), 'the branch after acceptance');
  else assert.ok([before.main, ...asked].includes(main), `the branch is at ${main}`);
  // During the accept its files are being written.
  if (asked.length === 0 || isHome)
    assert.equal(
      fixture.git('--no-optional-locks', 'status', '--porcelain'),
      before.status,
      'the checkout',
    );
}

function assertOutputs(
  printed: readonly Printed[],
  usual: Usual['outputs'],
  isOver: boolean,
): void {
  for (const {purpose, text, isDoubtful} of printed) {
    const expected = usual.get(purpose)?.text ?? '';
    assert.equal(
      text,
      isOver && !isDoubtful ? expected : expected.slice(0, text.length),
      `the output of ${purpose}`,
    );
  }
}

/** As many sessions as usual for each purpose; more only where a parked run was resumed. */
function assertSessions(printed: readonly Printed[], usual: Usual['outputs']): void {
  for (const purpose of new Set([...printed.map(({purpose: found}) => found), ...usual.keys()])) {
    const own = printed.filter(({purpose: found}) => found === purpose);
    const certain = own.filter(({isDoubtful}) => !isDoubtful).length;
    const count = usual.get(purpose)?.count ?? 0;
    assert.ok(
      certain <= count && count <= own.length,
      `${own.length} sessions for ${purpose}, ${certain} of them certain, but usually ${count}`,
    );
  }
}

function getOutput(fixture: LoopFixture, session: string): string {
  try {
    return Buffer.concat(
      [...readLog(fixture.directoryOf(session))].map(({bytes}) => bytes),
    ).toString('utf8');
  } catch {
    // The session has no directory yet.
    return '';
  }
}

function toText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

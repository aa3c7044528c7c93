import assert from 'node:assert/strict';
import {existsSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import path from 'node:path';
import {interruptionLimit, type Event} from '../../../../source/domain/index.ts';
import {readLog} from '../../../../source/keeper/index.ts';
import {cookieName} from '../../../../source/machine/index.ts';
import {fingerprint} from './fingerprint.ts';
import {keysOf, leftBehind, lookAfter, sequencesOf} from './look-after.ts';
import {readWritten, type Written} from './read-written.ts';
import type {Stage} from './stage.ts';

/** The eight of faults section 4, in the words of the table that is printed. */
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

/** A run without faults, to compare with. */
export type Usual = {
  /** How long it took: machines are busy in different ways. */
  readonly ms: number;
  readonly tree: string;
  readonly done: readonly string[];
  /** By task, or whatever else it is about: what happened to it, in its order. */
  readonly sequences: ReadonlyMap<string, readonly string[]>;
  /** What each session printed, by what it was for, and how many there were for that. */
  readonly outputs: ReadonlyMap<string, {readonly text: string; readonly count: number}>;
  readonly commits: string;
  /** Kinds of files that may lie in our own directories. */
  readonly files: ReadonlySet<string>;
};

export type Watch = {
  /** No daemon runs: looks at all that must hold at any moment. */
  readonly afterKill: () => void;
  /** The run is over. */
  readonly atEnd: (readyTree: string) => Promise<void>;
  /** Another daemon has come and gone since: what was there before it, and after. */
  readonly recovered: (before: string, after: string) => void;
  readonly looked: Readonly<Record<Invariant, number>>;
  readonly broken: readonly {readonly invariant: Invariant; readonly words: string}[];
};

/** Looks from the outside only: the journal's own lines, git, /proc, files. The daemon is never asked. */
export function createWatch(stage: Stage, usual: Usual): Watch {
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
  const broken: {invariant: Invariant; words: string}[] = [];
  const before = {
    print: fingerprint(stage),
    status: stage.git('status', '--porcelain'),
    main: stage.git('rev-parse', 'main').trim(),
  };
  const look = (invariant: Invariant, check: () => void): void => {
    looked[invariant] += 1;
    try {
      check();
    } catch (error) {
      tell(invariant, error);
    }
  };

  /** Once: what is wrong stays wrong at every later look. */
  const tell = (invariant: Invariant, error: unknown): void => {
    const words = (error instanceof Error ? error.message : String(error))
      .replaceAll(/\s+/g, ' ')
      .slice(0, 400);
    if (!broken.some((other) => other.invariant === invariant && other.words === words))
      broken.push({invariant, words});
  };

  const everywhere = (written: Written): void => {
    look('I1', () => {
      keysOf(written.events);
      assertRanOnce(stage);
    });
    look('I2', () => {
      assertPrefix(sequencesOf(written.events), usual.sequences);
    });
    look('I4', () => {
      assertKnown(stage, written);
    });
    look('I5', () => {
      assertMain(stage, written, before);
    });
    look('I6', () => {
      assertOutputs(printedIn(stage, written), usual.outputs, false);
    });
    if (!written.events.some(({type}) => type === 'plan-approved'))
      look('I8', () => {
        assert.equal(fingerprint(stage), before.print);
      });
  };

  return {
    looked,
    broken,
    afterKill: () => {
      everywhere(readWritten(stage));
    },
    atEnd: async (readyTree) => {
      const written = readWritten(stage);
      everywhere(written);
      look('I1', () => {
        assert.equal(commitsOf(stage), usual.commits, 'commits');
        assertSessions(printedIn(stage, written), usual.outputs);
      });
      look('I2', () => {
        assert.deepEqual(keysOf(written.events), usual.done);
        assert.equal(readyTree, usual.tree, 'the tree of the run');
        assert.deepEqual(
          parkedIn(written.events).filter(({isRight}) => !isRight),
          [],
          'set aside without three crashes',
        );
      });
      look('I6', () => {
        assertOutputs(printedIn(stage, written), usual.outputs, true);
      });
      looked.I3 += 1;
      await lookAfter(stage, before.status).catch((error: unknown) => {
        tell('I3', error);
      });
      look('I3', () => {
        assert.deepEqual(
          leftBehind(stage).filter((name) => !usual.files.has(name)),
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
  /** What the session is for. */
  readonly purpose: string;
  readonly text: string;
  /** Nothing of it had been read when its run was set aside: it is either taken up again, or stopped and begun anew. */
  readonly isDoubtful: boolean;
};

/** What every session printed so far. */
export function printedIn(stage: Stage, {events}: Written): readonly Printed[] {
  const doubtful = unreadAtParking(events);
  return events.flatMap((event) =>
    event.type === 'session-asked'
      ? [
          {
            purpose: Object.values(event.purpose).join(' '),
            text: outputOf(stage, event.session),
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

/** Every commit that is not a merge, by what it says and what it changes. */
export function commitsOf(stage: Stage): string {
  return stage
    .git('log', '--no-merges', '--format=%x00%s', '--name-only', 'orchestra/r1', '--')
    .split('\0')
    .map((text) => text.trim())
    .toSorted()
    .join('\n\n');
}

/** For each time that a run was set aside: whether the effect that it names was really begun three times since, and never ended. */
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

/** A program that was started writes down the name of its session. */
function assertRanOnce({home, here}: Stage): void {
  const exchange = path.join(here().stateDirectory, 'exchange');
  const confined = existsSync(exchange)
    ? readdirSync(exchange).map((name) => path.join(exchange, name, 'tmp', 'ran'))
    : [];
  const ran = [path.join(home, 'ran'), ...confined]
    .flatMap((file) => textOf(file).split('\n'))
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
): void {
  for (const [about, keys] of found)
    assert.deepEqual(keys, usual.get(about)?.slice(0, keys.length), `what happened to ${about}`);
}

/** Processes carry the name of their session; a keeper, which hides its own environment, writes into its directory. */
function assertKnown(stage: Stage, {events}: Written): void {
  const known = new Set<string>(
    events.flatMap((event) => (event.type === 'session-asked' ? [event.session] : [])),
  );
  const journal =
    events.flatMap((event) => (event.type === 'daemon-started' ? (event.journal ?? []) : []))[0] ??
    'none';
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => sessionNameOf(pid, stage.home, journal) ?? []);
  assert.deepEqual(
    found.filter((session) => !known.has(session)),
    [],
    'sessions that nobody asked for',
  );
}

function sessionNameOf(pid: string, home: string, journal: string): string | undefined {
  const env = textOf(`/proc/${pid}/environ`);
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

/** Until a person accepts it is where it was; then it is there or at what was accepted. */
function assertMain(
  stage: Stage,
  {events}: Written,
  before: {readonly status: string; readonly main: string},
): void {
  const asked = events.flatMap((event) => (event.type === 'accept-asked' ? [event.commit] : []));
  const isHome = events.some(({type}) => type === 'run-accepted');
  const main = stage.git('rev-parse', 'main').trim();
  if (isHome) assert.equal(main, asked.at(-1), 'the branch after acceptance');
  else assert.ok([before.main, ...asked].includes(main), `the branch is at ${main}`);
  // While it is brought home its files are on their way.
  if (asked.length === 0 || isHome)
    assert.equal(
      stage.git('--no-optional-locks', 'status', '--porcelain'),
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

/** As many as usual for each purpose; more only where the law of three crashes made somebody begin anew. */
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

function outputOf(stage: Stage, session: string): string {
  try {
    return Buffer.concat([...readLog(stage.directoryOf(session))].map(({bytes}) => bytes)).toString(
      'utf8',
    );
  } catch {
    // It has no directory yet.
    return '';
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

import {setTimeout as pass} from 'node:timers/promises';
import {runOf, wanted} from '../../../../source/domain/index.ts';
import {end} from '../../support/place.ts';
import type {Usual, Watch} from './invariants.ts';
import type {Lives} from './play-through.ts';
import {playWatched, type Watched} from './play-watched.ts';
import {readWritten} from './read-written.ts';
import type {Stage} from './stage.ts';
import type {Newborn} from './start-daemon.ts';

export type Kill = {
  /** What the daemon was at: it replays, it takes up what lives and what was begun, or it works as ever. */
  readonly phase: 'replaying' | 'recovering' | 'working';
  /** Where the run stood. */
  readonly stage: string;
  /** Effects that were begun and had not ended. */
  readonly inFlight: readonly string[];
};

export type Campaign = {
  readonly runs: readonly Watched[];
  /** At a moment of any kind. */
  readonly random: readonly Kill[];
  /** While it recovered from the kill before. */
  readonly nested: readonly Kill[];
};

export type Wishes = {
  readonly random: number;
  readonly nested: number;
  /** In one run. */
  readonly most: number;
  readonly chance: () => number;
  readonly told?: (words: string) => void;
};

/** How long after the first word of a daemon a kill still meets its recovery. */
const recoveryMs = 250;

/** How long a daemon lives at most, from its lock on, as a share of a whole run: most live much shorter, and the run gets on all the same. */
const longestLife = 1 / 12;

/** Plays whole runs in which one daemon after the other is killed, until there were so many kills. */
export async function killOften(
  open: () => Promise<Stage>,
  usual: Usual,
  wishes: Wishes,
): Promise<Campaign> {
  const [random, nested]: [Kill[], Kill[]] = [[], []];
  const runs: Watched[] = [];
  while (random.length < wishes.random || nested.length < wishes.nested) {
    const before = random.length + nested.length;
    const watched = await playWatched(open, usual, (stage, watch) =>
      livesOf(stage, watch, {random, nested}, wishes, usual.ms * longestLife),
    );
    runs.push(watched);
    wishes.told?.(
      `run ${runs.length}: ${random.length} random, ${nested.length} during recovery, ${watched.parked} parked${watched.broken.map(({invariant, words}) => `\n  ${invariant} ${words}`).join('')}`,
    );
    if (random.length + nested.length === before) throw new Error('a run went by without a kill');
  }

  return {runs, random, nested};
}

/** Each daemon is killed, every fourth while it recovers from the kill before, as long as more are wished for. */
function livesOf(
  stage: Stage,
  watch: Watch,
  {random, nested}: {readonly random: Kill[]; readonly nested: Kill[]},
  wishes: Wishes,
  lifeMs: number,
): Lives {
  let [count, started] = [0, 0];
  let pending: {readonly isNested: boolean; readonly at: number} | undefined;
  return {
    born: (daemon) => {
      started = startsIn(stage);
      if (
        count >= wishes.most ||
        (random.length >= wishes.random && nested.length >= wishes.nested)
      )
        return;
      const isNested =
        count > 0 &&
        (random.length >= wishes.random ||
          (nested.length < wishes.nested && wishes.chance() < 0.25));
      // Short lives are the more likely ones: replay is short, and what comes first is met too seldom by an even spread.
      void killAfter(stage, daemon, wishes.chance() ** 2 * (isNested ? recoveryMs : lifeMs)).then(
        (at) => {
          pending = at === undefined ? undefined : {isNested, at};
        },
      );
    },
    died: () => {
      if (pending === undefined) return;
      const kill = killOf(stage, started, pending.at);
      // One that came after recovery was over is one of the others.
      (pending.isNested && kill.phase !== 'working' ? nested : random).push(kill);
      count += 1;
      pending = undefined;
      watch.afterKill();
    },
  };
}

/** From the moment on at which it is the one daemon. Gives when it was killed; nothing when it ended by itself. */
async function killAfter(
  stage: Stage,
  daemon: Newborn,
  delay: number,
): Promise<number | undefined> {
  while (!daemon.hasLock()) {
    if (daemon.isOver()) return undefined;
    await pass(1);
  }

  await pass(delay);
  if (daemon.isOver()) return undefined;
  end(daemon.pid, stage.home);
  return Date.now();
}

function killOf(stage: Stage, startsBefore: number, at: number): Kill {
  const {events, state} = readWritten(stage);
  const starts = events.filter(({type}) => type === 'daemon-started');
  const since = starts.length > startsBefore ? at - (starts.at(-1)?.at ?? 0) : undefined;
  const open = new Map(wanted(state).map((effect) => [effect.key, effect.do]));
  return {
    phase: since === undefined ? 'replaying' : since < recoveryMs ? 'recovering' : 'working',
    stage: runOf(state, 'r1')?.stage.at ?? 'asking',
    inFlight: state.begun.flatMap((key) => open.get(key) ?? []),
  };
}

function startsIn(stage: Stage): number {
  return readWritten(stage).events.filter(({type}) => type === 'daemon-started').length;
}

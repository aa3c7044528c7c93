import {setTimeout as pass} from 'node:timers/promises';
import {selectRun, wanted} from '../../../../source/domain/index.ts';
import {end} from '../../../daemon/support/daemon-fixture.ts';
import type {Usual, Watch} from './invariants.ts';
import type {Lives} from './run-to-end.ts';
import {runWatched, type Watched} from './run-watched.ts';
import {readWritten} from './read-written.ts';
import type {LoopFixture} from './loop-fixture.ts';
import type {Newborn} from './start-daemon.ts';

export type Kill = {
  /** What the daemon was doing: replaying, recovering sessions and effects, or working normally. */
  readonly phase: 'replaying' | 'recovering' | 'working';
  /** The stage of the run. */
  readonly stage: string;
  /** Effects that were started and not finished. */
  readonly inFlight: readonly string[];
};

export type Campaign = {
  readonly runs: readonly Watched[];
  /** Kills at a random moment. */
  readonly random: readonly Kill[];
  /** Kills during the recovery from an earlier kill. */
  readonly nested: readonly Kill[];
};

export type KillOptions = {
  readonly random: number;
  readonly nested: number;
  /** In one run. */
  readonly max: number;
  readonly chance: () => number;
  readonly notified?: (text: string) => void;
};

/** How long after its first log line a daemon still recovers. */
const recoveryMs = 250;

/**
 * The longest life of a daemon, from its lock on, as a share of a whole run. Most live much
 * shorter.
 */
const maxLifeShare = 1 / 12;

/** Plays whole runs and kills one daemon after the other, until the number of kills is reached. */
export async function killOften(
  open: () => Promise<LoopFixture>,
  usual: Usual,
  options: KillOptions,
): Promise<Campaign> {
  const [random, nested]: [Kill[], Kill[]] = [[], []];
  const runs: Watched[] = [];
  while (random.length < options.random || nested.length < options.nested) {
    const before = random.length + nested.length;
    const watched = await runWatched(open, usual, (fixture, watch) =>
      getLives(fixture, watch, {random, nested}, options, usual.ms * maxLifeShare),
    );
    runs.push(watched);
    options.notified?.(
      `run ${runs.length}: ${random.length} random, ${nested.length} during recovery, ${watched.parked} parked${watched.broken.map(({invariant, text}) => `\n  ${invariant} ${text}`).join('')}`,
    );
    if (random.length + nested.length === before) throw new Error('a run went by without a kill');
  }

  return {runs, random, nested};
}

/** Kills each daemon, every fourth during recovery, until the number of kills is reached. */
function getLives(
  fixture: LoopFixture,
  watch: Watch,
  {random, nested}: {readonly random: Kill[]; readonly nested: Kill[]},
  options: KillOptions,
  lifeMs: number,
): Lives {
  let [count, started] = [0, 0];
  let pending: {readonly isNested: boolean; readonly at: number} | undefined;
  return {
    born: (daemon) => {
      started = startsIn(fixture);
      if (
        count >= options.max ||
        (random.length >= options.random && nested.length >= options.nested)
      )
        return;
      const isNested =
        count > 0 &&
        (random.length >= options.random ||
          (nested.length < options.nested && options.chance() < 0.25));
      // Short lives are more likely: replay is short, and an even distribution would rarely hit it.
      void killAfter(
        fixture,
        daemon,
        options.chance() ** 2 * (isNested ? recoveryMs : lifeMs),
      ).then((at) => {
        pending = at === undefined ? undefined : {isNested, at};
      });
    },
    died: () => {
      if (pending === undefined) return;
      const kill = getKill(fixture, started, pending.at);
      // A kill after the recovery counts as a normal one.
      (pending.isNested && kill.phase !== 'working' ? nested : random).push(kill);
      count += 1;
      pending = undefined;
      watch.afterKill();
    },
  };
}

/**
 * Kills the daemon some time after it took the lock. Returns when; undefined if it ended by itself.
 */
async function killAfter(
  fixture: LoopFixture,
  daemon: Newborn,
  delay: number,
): Promise<number | undefined> {
  while (!daemon.hasLock()) {
    if (daemon.isOver()) return undefined;
    await pass(1);
  }

  await pass(delay);
  if (daemon.isOver()) return undefined;
  end(daemon.pid, fixture.home);
  return Date.now();
}

function getKill(fixture: LoopFixture, startsBefore: number, at: number): Kill {
  const {events, state} = readWritten(fixture);
  const starts = events.filter(({type}) => type === 'daemon-started');
  const since = starts.length > startsBefore ? at - (starts.at(-1)?.at ?? 0) : undefined;
  const open = new Map(wanted(state).map((effect) => [effect.key, effect.do]));
  return {
    phase: toPhase(since),
    stage: selectRun(state, 'r1')?.stage.at ?? 'asking',
    inFlight: state.begun.flatMap((key) => open.get(key) ?? []),
  };
}

function startsIn(fixture: LoopFixture): number {
  return readWritten(fixture).events.filter(({type}) => type === 'daemon-started').length;
}

function toPhase(sinceStart: number | undefined): Kill['phase'] {
  if (sinceStart === undefined) return 'replaying';
  return sinceStart < recoveryMs ? 'recovering' : 'working';
}

import {eventually} from '../../../support/eventually.ts';
import {end, isRunning} from '../../../daemon/support/daemon-fixture.ts';
import {createWatch, type Invariant, parkedIn, type Usual, type Watch} from './invariants.ts';
import {leftBehind} from './look-after.ts';
import {type Lives, runToEnd} from './run-to-end.ts';
import {readWritten} from './read-written.ts';
import type {LoopFixture} from './loop-fixture.ts';
import {startDaemon} from './start-daemon.ts';

/** The result of a run whose daemons were killed. `end` is broken if it did not complete. */
export type Watched = {
  /** How often the run was parked after three crashes in one effect, and resumed. */
  readonly parked: number;
  readonly killedAtRest: number;
  readonly looked: Watch['looked'];
  readonly broken: readonly {readonly invariant: Invariant | 'end'; readonly text: string}[];
};

/**
 * Plays one run to its end. `live` decides what happens to its daemons and reports each kill to the
 * watch.
 */
export async function runWatched(
  open: () => Promise<LoopFixture>,
  usual: Usual,
  live: (fixture: LoopFixture, watch: Watch) => Lives,
): Promise<Watched> {
  const loopFixture = await open();
  const watch = createWatch(loopFixture, usual);
  try {
    const {readyTree} = await runToEnd(loopFixture, live(loopFixture, watch));
    await watch.atEnd(readyTree);
    const killedAtRest = await recoverTwice(loopFixture, watch);
    return {
      parked: parkedIn(readWritten(loopFixture).events).length,
      killedAtRest,
      looked: watch.looked,
      broken: watch.broken,
    };
  } catch (error) {
    return {
      parked: 0,
      killedAtRest: 0,
      looked: watch.looked,
      broken: [
        ...watch.broken,
        {invariant: 'end', text: error instanceof Error ? error.message : String(error)},
      ],
    };
  } finally {
    await loopFixture.close();
  }
}

/** After the run: kills the daemon twice, and each next one must find nothing to do. */
async function recoverTwice(fixture: LoopFixture, watch: Watch): Promise<number> {
  const first = await fixture.daemonPid();
  if (first !== undefined) await getEnd(fixture, first);
  const before = getRest(fixture);
  for (let time = 0; time < 2; time++) {
    const {pid} = startDaemon(fixture, '');
    await eventually('it is ready', async () => (await fixture.daemonPid()) === pid);
    await eventually(
      'it has read the project',
      () => readWritten(fixture).events.at(-1)?.type === 'project-read',
    );
    await getEnd(fixture, pid);
    watch.recovered(before, getRest(fixture));
  }

  return first === undefined ? 2 : 3;
}

async function getEnd(fixture: LoopFixture, pid: number): Promise<void> {
  end(pid, fixture.home);
  await eventually('it is gone', () => !isRunning(pid));
}

/** Everything that a daemon can change. */
function getRest(fixture: LoopFixture): string {
  const events = readWritten(fixture).events.filter(
    ({type}) => type !== 'daemon-started' && type !== 'project-read',
  );
  return JSON.stringify([
    events.length,
    fixture.git('for-each-ref'),
    fixture.git('worktree', 'list', '--porcelain'),
    fixture.git('status', '--porcelain', '--ignored'),
    leftBehind(fixture),
  ]);
}

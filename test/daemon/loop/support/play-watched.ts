import {eventually} from '../../../support/eventually.ts';
import {end, isRunning} from '../../support/place.ts';
import {createWatch, parkedIn, type Invariant, type Usual, type Watch} from './invariants.ts';
import {leftBehind} from './look-after.ts';
import {playThrough, type Lives} from './play-through.ts';
import {readWritten} from './read-written.ts';
import type {Stage} from './stage.ts';
import {startDaemon} from './start-daemon.ts';

/** What came of a run in which daemons were killed. `end` is broken when it did not come to its end at all. */
export type Watched = {
  /** Set aside by the law of three crashes in one effect, resumed by the person, and gone on. */
  readonly parked: number;
  readonly killedAtRest: number;
  readonly looked: Watch['looked'];
  readonly broken: readonly {readonly invariant: Invariant | 'end'; readonly words: string}[];
};

/** Plays one run to its end; `live` says what happens to its daemons. Whoever kills one tells the watch. */
export async function playWatched(
  open: () => Promise<Stage>,
  usual: Usual,
  live: (stage: Stage, watch: Watch) => Lives,
): Promise<Watched> {
  const stage = await open();
  const watch = createWatch(stage, usual);
  try {
    const {readyTree} = await playThrough(stage, live(stage, watch));
    await watch.atEnd(readyTree);
    const killedAtRest = await recoverTwice(stage, watch);
    return {
      parked: parkedIn(readWritten(stage).events).length,
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
        {invariant: 'end', words: error instanceof Error ? error.message : String(error)},
      ],
    };
  } finally {
    await stage.close();
  }
}

/** All is over. It is killed, and the next one finds nothing to do; and once more. */
async function recoverTwice(stage: Stage, watch: Watch): Promise<number> {
  const first = await stage.daemonPid();
  if (first !== undefined) await endOf(stage, first);
  const before = restOf(stage);
  for (let time = 0; time < 2; time++) {
    const {pid} = startDaemon(stage, '');
    await eventually('it is ready', async () => (await stage.daemonPid()) === pid);
    await eventually(
      'it has read the project',
      () => readWritten(stage).events.at(-1)?.type === 'project-read',
    );
    await endOf(stage, pid);
    watch.recovered(before, restOf(stage));
  }

  return first === undefined ? 2 : 3;
}

async function endOf(stage: Stage, pid: number): Promise<void> {
  end(pid, stage.home);
  await eventually('it is gone', () => !isRunning(pid));
}

/** Everything that a daemon could change. */
function restOf(stage: Stage): string {
  const events = readWritten(stage).events.filter(
    ({type}) => type !== 'daemon-started' && type !== 'project-read',
  );
  return JSON.stringify([
    events.length,
    stage.git('for-each-ref'),
    stage.git('worktree', 'list', '--porcelain'),
    stage.git('status', '--porcelain', '--ignored'),
    leftBehind(stage),
  ]);
}

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {end} from '../../support/place.ts';
import {openFourTasks} from './four-tasks.ts';
import {doneOnce, lookAfter} from './look-after.ts';
import {playThrough, type Lives} from './play-through.ts';
import {isCounted} from './points.ts';
import type {Stage} from './stage.ts';

/** A run without faults, to compare with. */
export type Usual = {readonly tree: string; readonly done: readonly string[]};

export type Sweep = {
  readonly runs: number;
  /** At which the daemon was killed; for random kills how often. */
  readonly killed: readonly string[];
  readonly resumed: number;
  readonly problems: readonly string[];
};

export async function playUsually(): Promise<Usual> {
  const stage = await openFourTasks();
  try {
    const {readyTree} = await playThrough(stage);
    await lookAfter(stage);
    return {tree: readyTree, done: doneOnce(stage)};
  } finally {
    await stage.close();
  }
}

/** Kills the daemon at each of the points, as many in one run as its law allows, until all were met or a run meets none. */
export async function sweepPoints(points: readonly string[], usual: Usual): Promise<Sweep> {
  const left = new Set(points);
  const killed: string[] = [];
  const problems: string[] = [];
  let [runs, resumed] = [0, 0];
  for (let met = 1; left.size > 0 && met > 0; runs++) {
    const before = killed.length;
    const stage = await openFourTasks();
    const counted = new Map<string, number>();
    const mayKill = (point: string): boolean => !isCounted(point) || (counted.get(kindOf(point)) ?? 0) < 2;
    const lives: Lives = {
      failpoints: () => [...left].filter(mayKill).map((point) => `${point}=kill9`).join(';') || 'none=off',
      died: () => {
        const point = lastPointOf(stage);
        if (point === undefined || !left.delete(point)) return;
        killed.push(point);
        if (isCounted(point)) counted.set(kindOf(point), (counted.get(kindOf(point)) ?? 0) + 1);
      },
    };
    resumed += await checked(stage, lives, usual, problems, () => killed.slice(before).join(' '));
    met = killed.length - before;
  }

  return {runs, killed, resumed, problems: [...problems, ...[...left].map((point) => `${point} was never met`)]};
}

/** Kills the daemon at random moments of its life; every third time again while the next one is just beginning. */
export async function sweepRandomly(kills: number, usual: Usual, random: () => number, most = 25): Promise<Sweep> {
  const problems: string[] = [];
  const killed: string[] = [];
  let [runs, resumed] = [0, 0];
  while (killed.length < kills) {
    const stage = await openFourTasks();
    const before = killed.length;
    let timer: NodeJS.Timeout | undefined;
    const lives: Lives = {
      died: () => { clearTimeout(timer); },
      born: (pid) => {
        if (killed.length >= kills || killed.length - before >= most) return;
        const isNested = killed.length % 3 === 2;
        const after = random() * (isNested ? 150 : 1500);
        timer = setTimeout(() => {
          killed.push(`${isNested ? 'nested ' : ''}${Math.round(after)} ms`);
          end(pid, stage.home);
        }, after);
      },
    };
    resumed += await checked(stage, lives, usual, problems, () => `${killed.length - before} kills`);
    clearTimeout(timer);
    runs += 1;
    if (killed.length === before) problems.push('a run went by without a kill');
  }

  return {runs, killed, resumed, problems};
}

/** Plays the run to its end and looks at what came of it from the outside. */
async function checked(stage: Stage, lives: Lives, usual: Usual, problems: string[], told: () => string): Promise<number> {
  try {
    const {readyTree, resumed} = await playThrough(stage, lives);
    assert.equal(readyTree, usual.tree, 'the tree of the run');
    assert.deepEqual(doneOnce(stage), usual.done);
    await lookAfter(stage);
    return resumed;
  } catch (error) {
    problems.push(`${error instanceof Error ? error.message : String(error)} (after ${told()})`);
    return 0;
  } finally {
    await stage.close();
  }
}

function kindOf(point: string): string {
  return point.split('.', 1)[0] ?? '';
}

/** The daemon logs every point that it reaches; the last one before its end is where it was killed. */
function lastPointOf(stage: Stage): string | undefined {
  try {
    const lines = readFileSync(path.join(stage.here().stateDirectory, 'daemon.log'), 'utf8').trimEnd().split('\n');
    return /(?<point>[a-z-]+\.(?:before|after)[a-z-]*)$/.exec(lines.at(-1) ?? '')?.groups?.['point'];
  } catch {
    return undefined;
  }
}

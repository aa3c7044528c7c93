import {readFileSync} from 'node:fs';
import path from 'node:path';
import type {Usual} from './invariants.ts';
import {playWatched, type Watched} from './play-watched.ts';
import {isCounted} from './points.ts';
import type {Stage} from './stage.ts';

export type Sweep = {
  readonly runs: readonly Watched[];
  /** At which the daemon was killed. */
  readonly killed: readonly string[];
  readonly neverMet: readonly string[];
};

/** Kills the daemon at each of the points, as many in one run as its law allows, until all were met or a run meets none. */
export async function sweepPoints(
  open: () => Promise<Stage>,
  points: readonly string[],
  usual: Usual,
  told: (words: string) => void = () => undefined,
): Promise<Sweep> {
  const left = new Set(points);
  const killed: string[] = [];
  const runs: Watched[] = [];
  for (let met = 1; left.size > 0 && met > 0;) {
    const before = killed.length;
    const counted = new Map<string, number>();
    const mayKill = (point: string): boolean =>
      !isCounted(point) || (counted.get(kindOf(point)) ?? 0) < 2;
    const watched = await playWatched(open, usual, (stage, watch) => ({
      failpoints: () =>
        [...left]
          .filter(mayKill)
          .map((point) => `${point}=kill9`)
          .join(';') || 'none=off',
      died: () => {
        const point = lastPointOf(stage);
        if (point === undefined || !left.delete(point)) return;
        killed.push(point);
        if (isCounted(point)) counted.set(kindOf(point), (counted.get(kindOf(point)) ?? 0) + 1);
        watch.afterKill();
      },
    }));
    runs.push(watched);
    met = killed.length - before;
    told(
      `run ${runs.length}: ${killed.length} of ${points.length} points${watched.broken.map(({invariant, words}) => `\n  ${invariant} ${words}`).join('')}`,
    );
  }

  return {runs, killed, neverMet: [...left]};
}

function kindOf(point: string): string {
  return point.split('.', 1)[0] ?? '';
}

/** The daemon logs every point that it reaches; the last one before its end is where it was killed. */
function lastPointOf(stage: Stage): string | undefined {
  try {
    const lines = readFileSync(path.join(stage.here().stateDirectory, 'daemon.log'), 'utf8')
      .trimEnd()
      .split('\n');
    return /(?<point>[a-z-]+\.(?:before|after)[a-z-]*)$/.exec(lines.at(-1) ?? '')?.groups?.[
      'point'
    ];
  } catch {
    return undefined;
  }
}

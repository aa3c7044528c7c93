import path from 'node:path';
import {readFileSync} from 'node:fs';
import type {Usual} from './invariants.ts';
import {runWatched, type Watched} from './run-watched.ts';
import {isCounted} from './points.ts';
import type {LoopFixture} from './loop-fixture.ts';

export type Sweep = {
  readonly runs: readonly Watched[];
  /** The points at which the daemon was killed. */
  readonly killed: readonly string[];
  readonly neverMet: readonly string[];
};

/**
 * Kills the daemon at each point, as many in one run as possible without parking it, until all were
 * reached or a run reaches none.
 */
export async function sweepPoints(
  open: () => Promise<LoopFixture>,
  points: readonly string[],
  usual: Usual,
  onProgress: (text: string) => void = () => undefined,
): Promise<Sweep> {
  const left = new Set(points);
  const killed: string[] = [];
  const runs: Watched[] = [];
  for (let met = 1; left.size > 0 && met > 0;) {
    const before = killed.length;
    const counted = new Map<string, number>();
    const mayKill = (point: string): boolean =>
      !isCounted(point) || (counted.get(getKind(point)) ?? 0) < 2;
    const watched = await runWatched(open, usual, (fixture, watch) => ({
      failpoints: () =>
        [...left]
          .filter(mayKill)
          .map((point) => `${point}=kill9`)
          .join(';') || 'none=off',
      died: () => {
        const point = getLastPoint(fixture);
        if (point === undefined || !left.delete(point)) return;
        killed.push(point);
        if (isCounted(point)) counted.set(getKind(point), (counted.get(getKind(point)) ?? 0) + 1);
        watch.afterKill();
      },
    }));
    runs.push(watched);
    met = killed.length - before;
    onProgress(
      `run ${runs.length}: ${killed.length} of ${points.length} points${watched.broken.map(({invariant, text}) => `\n  ${invariant} ${text}`).join('')}`,
    );
  }

  return {runs, killed, neverMet: [...left]};
}

function getKind(point: string): string {
  return point.split('.', 1)[0] ?? '';
}

/** The daemon logs every point that it reaches; it was killed at the last one. */
function getLastPoint(fixture: LoopFixture): string | undefined {
  try {
    const lines = readFileSync(path.join(fixture.current().stateDirectory, 'daemon.log'), 'utf8')
      .trimEnd()
      .split('\n');
    return /(?<point>[a-z-]+\.(?:before|after)[a-z-]*)$/.exec(lines.at(-1) ?? '')?.groups?.[
      'point'
    ];
  } catch {
    return undefined;
  }
}

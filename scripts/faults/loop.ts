import {allPoints} from '../../test/daemon/loop/support/points.ts';
import {playUsually, sweepPoints, sweepRandomly, type Sweep} from '../../test/daemon/loop/support/sweep.ts';
import type {Place} from '../../test/daemon/support/place.ts';
import type {Report} from './campaign/report.ts';

/** kill -9 of the daemon at every named point of every effect, and at random moments, over runs of four tasks. ORCHESTRA_KILLS says how many at random. */
export async function tryLoop(_place: Place, report: Report): Promise<void> {
  const usual = await playUsually();
  const named = await sweepPoints(allPoints, usual);
  report('a run goes on as if nothing had happened when the daemon is killed at a named point', allPoints.length, named.killed.length - broken(named), noteOf(named));
  const kills = Number(process.env['ORCHESTRA_KILLS'] ?? 100);
  const random = await sweepRandomly(kills, usual, Math.random);
  report('the same at random moments, every third time again while it recovers', random.killed.length, random.killed.length - broken(random), noteOf(random));
}

function broken({problems}: Sweep): number {
  return problems.filter((text) => !text.endsWith('was never met')).length;
}

function noteOf({runs, resumed, problems}: Sweep): string {
  return [`${runs} runs`, ...(resumed === 0 ? [] : [`${resumed} times a person resumed what three crashes had set aside`]), ...problems.slice(0, 3)].join('; ');
}

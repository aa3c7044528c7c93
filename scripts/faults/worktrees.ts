import {sweepMaking, type Swept} from '../../test/workspace/worktree/sweep.ts';
import {sweepRemoval} from '../../test/workspace/remove/sweep.ts';
import type {Place} from '../../test/daemon/support/place.ts';
import type {Report} from './campaign/report.ts';

const making = 250;
const removals = 100;

/** kill -9 of whoever makes or removes a worktree, with its git, at random moments; every third recovery is killed as well. */
export async function tryWorktrees(_place: Place, report: Report): Promise<void> {
  const made = await sweepMaking(making, Math.random, 300);
  report(
    'a worktree is made exactly once whatever is killed, no lock is left, the main checkout is untouched',
    made.tried,
    made.held,
    noteOf(made),
  );
  const removed = await sweepRemoval(removals, Math.random);
  report(
    'what was in a removed worktree is never lost',
    removed.tried,
    removed.held,
    noteOf(removed),
  );
}

function noteOf({reached, problems}: Swept): string {
  return [
    `killed at: ${Object.entries(reached)
      .map(([stage, count]) => `${stage} ${count}`)
      .join(', ')}`,
    ...problems.slice(0, 3),
  ].join('; ');
}

import {sweepMaking, type SweepResult} from '../../test/git/worktrees/sweep.ts';
import {sweepRemoval} from '../../test/git/removal/sweep.ts';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import type {Report} from './campaign/report.ts';

const making = 250;
const removals = 100;

/**
 * kill -9 of a process that makes or removes a worktree, with its git, at random times; every third
 * recovery is killed as well.
 */
export async function tryWorktrees(_fixture: DaemonFixture, report: Report): Promise<void> {
  const made = await sweepMaking(making, Math.random, 300);
  report(
    'a worktree is made exactly once whatever is killed, no lock is left, the main checkout is untouched',
    made.tried,
    made.held,
    getNote(made),
  );
  const removed = await sweepRemoval(removals, Math.random);
  report(
    'what was in a removed worktree is never lost',
    removed.tried,
    removed.held,
    getNote(removed),
  );
}

function getNote({reached, problems}: SweepResult): string {
  return [
    `killed at: ${Object.entries(reached)
      .map(([stage, count]) => `${stage} ${count}`)
      .join(', ')}`,
    ...problems.slice(0, 3),
  ].join('; ');
}

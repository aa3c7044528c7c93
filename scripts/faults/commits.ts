import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {createRandom} from '../../test/support/random.ts';
import {sweepCommits} from '../../test/git/commit/sweep.ts';
import type {Report} from './campaign/report.ts';

const kills = 150;

/** The short version is in `test/git/commit`. */
export async function tryCommits(_fixture: DaemonFixture, report: Report): Promise<void> {
  const {tried, held, midway, problems} = await sweepCommits(kills, createRandom('commits').next);
  report(
    'kill -9 while a change is captured and committed: one commit, the same one, no lock left',
    tried,
    held,
    [`${midway} of the kills came before the end`, ...problems.slice(0, 3)].join('; '),
  );
}

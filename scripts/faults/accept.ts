import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {createRandom} from '../../test/support/random.ts';
import {sweepAccepts} from '../../test/git/accept/sweep.ts';
import type {Report} from './campaign/report.ts';

const kills = 150;

/** The short version is in `test/git/accept`. */
export async function tryAccepts(_fixture: DaemonFixture, report: Report): Promise<void> {
  const {tried, held, midway, problems} = await sweepAccepts(kills, createRandom('accept').next);
  report(
    'kill -9 while a run is accepted into a checked-out branch: it is accepted once, with staged, edited and untracked files of the person untouched',
    tried,
    held,
    [`${midway} of the kills came before the end`, ...problems.slice(0, 3)].join('; '),
  );
}

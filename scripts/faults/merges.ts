import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {createRandom} from '../../test/support/random.ts';
import {sweepMerges} from '../../test/git/merge/sweep.ts';
import type {Report} from './campaign/report.ts';

const kills = 150;

/** The short version is in `test/git/merge`. */
export async function tryMerges(_fixture: DaemonFixture, report: Report): Promise<void> {
  const {tried, held, midway, problems} = await sweepMerges(kills, createRandom('merges').next);
  report(
    'kill -9 while a merge is built and published: one merge, the same one, no lock left',
    tried,
    held,
    [`${midway} of the kills came before the end`, ...problems.slice(0, 3)].join('; '),
  );
}

import type {Place} from '../../test/daemon/support/place.ts';
import {createRandom} from '../../test/support/random.ts';
import {sweepHomecomings} from '../../test/workspace/home/sweep.ts';
import type {Report} from './campaign/report.ts';

const kills = 150;

/** The short version is in `test/workspace/home`. */
export async function tryHomecomings(_place: Place, report: Report): Promise<void> {
  const {tried, held, midway, problems} = await sweepHomecomings(
    kills,
    createRandom('homecoming').next,
  );
  report(
    'kill -9 on the way into a checked-out branch: it arrives once, with staged, edited and untracked files of the person untouched',
    tried,
    held,
    [`${midway} of the kills came before the end`, ...problems.slice(0, 3)].join('; '),
  );
}

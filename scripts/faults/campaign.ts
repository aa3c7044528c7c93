// `node --import tsx scripts/faults/campaign.ts`: what the session layer promises, tried as often as it is promised. One line for each promise;
// exit 1 when one was not kept. `node --import tsx scripts/faults/campaign.ts ports kills` tries only these. The short versions are tests.
import process from 'node:process';
import {openPlace, type Place} from '../../test/daemon/support/place.ts';
import {tryClaims} from './campaign/claims.ts';
import {tryExits} from './campaign/exits.ts';
import {tryKeeperKills} from './campaign/keeper-kills.ts';
import {tryKills} from './campaign/kills.ts';
import {tryPorts} from './campaign/ports.ts';
import type {Report} from './campaign/report.ts';
import {tryCommits} from './commits.ts';
import {tryHomecomings} from './homecoming.ts';
import {tryMerges} from './merges.ts';
import {tryProperties} from './properties.ts';
import {tryAttacks} from './attacks.ts';
import {tryLoop} from './loop.ts';
import {tryUntouched} from './untouched.ts';
import {tryWorktrees} from './worktrees.ts';

const faults: Readonly<Record<string, (place: Place, report: Report) => Promise<void>>> = {
  kills: tryKills,
  keepers: tryKeeperKills,
  exits: tryExits,
  races: tryClaims,
  ports: tryPorts,
  worktrees: tryWorktrees,
  loop: tryLoop,
  attacks: tryAttacks,
  commits: tryCommits,
  untouched: tryUntouched,
  merges: tryMerges,
  homecoming: tryHomecomings,
  properties: tryProperties,
};

const asked = process.argv.slice(2).filter((name) => name !== 'sessions');
const unknown = asked.find((name) => !Object.hasOwn(faults, name));
if (unknown !== undefined)
  throw new Error(`there is no campaign "${unknown}"; there are ${Object.keys(faults).join(', ')}`);

for (const name of asked.length === 0 ? Object.keys(faults) : asked) {
  const place = openPlace();
  const begun = performance.now();
  const report: Report = (promise, tried, held, note = '') => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    process.stdout.write(
      `${held === tried ? 'held ' : 'BROKEN'} ${promise}: ${tried} tried, ${held} held${note === '' ? '' : ` (${note})`}, ${seconds} s\n`,
    );
    if (held !== tried) process.exitCode = 1;
  };
  try {
    await faults[name]!(place, report);
  } catch (error) {
    report(`${name} to its end`, 1, 0, error instanceof Error ? error.message : String(error));
  } finally {
    await place.close();
  }
}

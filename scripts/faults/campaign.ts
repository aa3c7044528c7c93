// `node --import tsx scripts/faults/campaign.ts`: tests the promises of orchestra under faults,
// many times each. Prints one line for each
// promise; exits with 1 when one was broken. With names (`campaign.ts ports kills`) it runs only
// these. Short versions are tests.
import process from 'node:process';
import {type DaemonFixture, openDaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import {tryClaims} from './campaign/claims.ts';
import {tryExits} from './campaign/exits.ts';
import {tryKeeperKills} from './campaign/keeper-kills.ts';
import {tryKills} from './campaign/kills.ts';
import {tryPorts} from './campaign/ports.ts';
import type {Report} from './campaign/report.ts';
import {tryCommits} from './commits.ts';
import {tryAccepts} from './accept.ts';
import {tryMerges} from './merges.ts';
import {tryProperties} from './properties.ts';
import {tryAttacks} from './attacks.ts';
import {tryInteractive} from './interactive.ts';
import {tryLoop} from './loop.ts';
import {tryUntouched} from './untouched.ts';
import {tryWorktrees} from './worktrees.ts';

const faults: Readonly<Record<string, (fixture: DaemonFixture, report: Report) => Promise<void>>> =
  {
    kills: tryKills,
    keepers: tryKeeperKills,
    exits: tryExits,
    races: tryClaims,
    ports: tryPorts,
    worktrees: tryWorktrees,
    loop: tryLoop,
    interactive: tryInteractive,
    attacks: tryAttacks,
    commits: tryCommits,
    untouched: tryUntouched,
    merges: tryMerges,
    accept: tryAccepts,
    properties: tryProperties,
  };

/** Earlier names of campaigns. */
const aliases: ReadonlyMap<string, string> = new Map([['homecoming', 'accept']]);

const asked = process.argv
  .slice(2)
  .filter((name) => name !== 'sessions')
  .map((name) => aliases.get(name) ?? name);
const unknown = asked.find((name) => !Object.hasOwn(faults, name));
if (unknown !== undefined)
  throw new Error(`there is no campaign "${unknown}"; there are ${Object.keys(faults).join(', ')}`);

for (const name of asked.length === 0 ? Object.keys(faults) : asked) {
  const fixture = openDaemonFixture();
  const begun = performance.now();
  const report: Report = (promise, tried, held, note = '') => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    process.stdout.write(
      `${held === tried ? 'held ' : 'BROKEN'} ${promise}: ${tried} tried, ${held} held${note === '' ? '' : ` (${note})`}, ${seconds} s\n`,
    );
    if (held !== tried) process.exitCode = 1;
  };
  try {
    await faults[name]!(fixture, report);
  } catch (error) {
    report(`${name} to its end`, 1, 0, error instanceof Error ? error.message : String(error));
  } finally {
    await fixture.close();
  }
}

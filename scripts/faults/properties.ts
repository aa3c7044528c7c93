import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {randomInt} from 'node:crypto';
import {globSync, readFileSync} from 'node:fs';
import type {DaemonFixture} from '../../test/daemon/support/daemon-fixture.ts';
import type {Report} from './campaign/report.ts';

/**
 * Runs every property test and the random histories with random seeds. `npm test` runs the same
 * files with one seed.
 */
export function tryProperties(_fixture: DaemonFixture, report: Report): Promise<void> {
  const seeds = Number(process.env['ORCHESTRA_SEEDS'] ?? 20);
  const files = globSync('test/**/*.test.ts').filter((file) =>
    /support\/property\.ts|FIRST_HISTORY/.test(readFileSync(file, 'utf8')),
  );
  const broken: string[] = [];
  for (let tried = 0; tried < seeds; tried++) {
    const seed = randomInt(1, 2 ** 31);
    const {status, stdout} = spawnSync(process.execPath, ['--import', 'tsx', '--test', ...files], {
      env: {...process.env, SEED: String(seed), FIRST_HISTORY: String(seed)},
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    });
    if (status === 0) continue;
    broken.push(`SEED=${seed}`);
    process.stdout.write(stdout.slice(stdout.indexOf('failing tests:')));
  }

  report(
    `whatever the seed, the properties hold (${files.length} files)`,
    seeds,
    seeds - broken.length,
    broken.join(', '),
  );
  return Promise.resolve();
}

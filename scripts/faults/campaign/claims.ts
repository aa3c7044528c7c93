import {
  type DaemonFixture,
  isRunning,
  processesIn,
} from '../../../test/daemon/support/daemon-fixture.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const rounds = 100;
const clients = 10;

/** Ten clients find no daemon and each starts one. */
export async function tryClaims(fixture: DaemonFixture, report: Report): Promise<void> {
  let [single, answered] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    const outcomes = await Promise.all(
      Array.from({length: clients}, () => fixture.launch('daemon', 'start')),
    );
    const pids = outcomes.flatMap(({code, out}) =>
      code === 0 ? (/pid (\d+)/.exec(out)?.[1] ?? []) : [],
    );
    answered += pids.length;
    if (new Set(pids).size === 1) single += 1;
    await eventually(
      'those that lost are gone',
      () => processesIn(fixture.home).filter(isRunning).length === 1,
      30_000,
    );
    await fixture.killDaemon(round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
  }

  report(`of ${clients} who race to start the daemon one wins`, rounds, single);
  report('and all reach it', rounds * clients, answered);
}

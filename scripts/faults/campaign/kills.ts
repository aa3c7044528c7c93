import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {type DaemonFixture, end, isRunning} from '../../../test/daemon/support/daemon-fixture.ts';
import {eventually} from '../../../test/support/eventually.ts';
import type {Report} from './report.ts';

const kills = 100;

/** Counts until the file `enough` exists, and prints every SIGHUP. */
const counter =
  'trap "echo hung up" HUP; i=0; while [ ! -e enough ]; do i=$((i+1)); echo "line $i"; sleep 0.003; done; echo "last $i"; exit 7';

/** kill -9 of the daemon at random times while a program writes. */
export async function tryKills(fixture: DaemonFixture, report: Report): Promise<void> {
  await fixture.start('sh', '-c', counter);
  const {pid: child} = await eventually('it runs', async () =>
    (await fixture.sessions()).find(({status}) => status === 'running'),
  );
  const gaps: number[] = [];
  let held = 0;
  for (let kill = 0; kill < kills; kill++) {
    await pass(Math.random() * 150);
    const pid = (await fixture.daemonPid())!;
    end(pid, fixture.home);
    await eventually('it is gone', () => !isRunning(pid));
    const begun = performance.now();
    const session = await fixture.sessionOf('s1');
    gaps.push(performance.now() - begun);
    if (session?.pid === child && session?.ended === undefined) held += 1;
  }

  writeFileSync(path.join(fixture.root, 'enough'), '');
  const {ended} = await fixture.endOf('s1');
  const output = fixture.outputOf('s1');
  const last = Number(/last (\d+)\r\n$/.exec(output)?.[1]);
  const expected = `${Array.from({length: last}, (_, index) => `line ${index + 1}\r\n`).join('')}last ${last}\r\n`;
  const sorted = gaps.toSorted((a, b) => a - b);
  report(
    'kill -9 of the daemon leaves the session alone',
    kills,
    held,
    `a new daemon answers after ${Math.round(sorted[kills / 2]!)} ms, at most ${Math.round(sorted.at(-1)!)} ms`,
  );
  report(
    'not a byte is lost or doubled, and nobody is hung up',
    1,
    output === expected ? 1 : 0,
    `${output.length} bytes`,
  );
  report('the exit status is right', 1, ended?.code === 7 ? 1 : 0);
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {explainPort, readProcessTree, type SessionRoot} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {freePort} from '../support/free-port.ts';
import {kernel, takeSample} from '../support/own-kernel.ts';
import {createTestProcesses} from '../support/test-processes.ts';

const program = path.join(import.meta.dirname, '../programs', 'serve.mjs');
const crowd = 300;
const rounds = 40;

/**
 * Times of each work in milliseconds, sorted. They take turns, so that what else the machine does
 * burdens all alike.
 */
async function measure(
  works: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<Record<string, number[]>> {
  const times = Object.fromEntries(
    Object.keys(works).map((title): [string, number[]] => [title, []]),
  );
  for (let round = 0; round < rounds; round += 1) {
    for (const [title, work] of Object.entries(works)) {
      const begun = performance.now();
      await work();
      times[title]!.push(performance.now() - begun);
    }
  }

  for (const list of Object.values(times)) list.sort((a, b) => a - b);
  return times;
}

test(`with ${crowd} processes more, a port costs a few passes over the process table, not one per process`, async (t) => {
  const [testProcesses, ourPort, foreignPort, nobodysPort] = [
    createTestProcesses(t),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const sessions: SessionRoot[] = [
    {id: 's1', cookie: testProcesses.cookie('s1')},
    {id: 's2', cookie: testProcesses.cookie('s2')},
  ];
  await testProcesses.start(['bash', '-c', `for i in {1..${crowd}}; do sleep 1000 & done; wait`], {
    cookie: sessions[1]!.cookie,
  });
  const ours = await testProcesses.start([process.execPath, program, `127.0.0.1:${ourPort}`], {
    cookie: sessions[0]!.cookie,
  });
  const foreign = await testProcesses.start([
    process.execPath,
    program,
    `127.0.0.1:${foreignPort}`,
  ]);
  await Promise.all([ours.line(), foreign.line()]);
  await eventually('the crowd is there', async () => {
    const tree = await readProcessTree(sessions[1]!, kernel);
    return (
      'value' in tree && tree.value.members.filter(({name}) => name === 'sleep').length === crowd
    );
  });
  const ask = (port: number, verdict: string) => async (): Promise<void> => {
    assert.equal((await explainPort(port, sessions, kernel)).verdict, verdict);
  };

  const times = await measure({
    'one pass': takeSample,
    ours: ask(ourPort, 'yes'),
    foreign: ask(foreignPort, 'no'),
    free: ask(nobodysPort, 'no'),
  });
  const at = (title: string, share: number): number => times[title]![Math.floor(rounds * share)]!;
  const passes = (title: string): number => at(title, 0.5) / at('one pass', 0.5);
  const lines = Object.keys(times).map(
    (title) =>
      `${title}: p50 ${at(title, 0.5).toFixed(1)} ms, p95 ${at(title, 0.95).toFixed(1)} ms, ${passes(title).toFixed(1)} passes`,
  );
  t.diagnostic(`${(await takeSample()).processes.length} processes; ${lines.join('; ')}`);
  for (const title of ['ours', 'foreign', 'free']) assert.ok(passes(title) < 15, lines.join('; '));
});

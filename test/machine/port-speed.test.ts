import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {explainPort, processesOf, type SessionRoot} from '../../source/machine/index.ts';
import {eventually} from '../support/eventually.ts';
import {freePort} from './support/free-port.ts';
import {kernel, takeSample} from './support/here.ts';
import {createYard} from './support/yard.ts';

const program = path.join(import.meta.dirname, 'programs', 'serve.mjs');
const crowd = 300;
const rounds = 40;

async function measure(work: () => Promise<unknown>): Promise<{readonly p50: number; readonly p95: number}> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }

  times.sort((a, b) => a - b);
  return {p50: times[Math.floor(rounds * 0.5)]!, p95: times[Math.floor(rounds * 0.95)]!};
}

test(`with ${crowd} processes more, a port costs a few passes over the process table, not one per process`, async (t) => {
  const [yard, ourPort, foreignPort, nobodysPort] = [createYard(t), await freePort(), await freePort(), await freePort()];
  const sessions: SessionRoot[] = [{id: 's1', cookie: yard.cookie('s1')}, {id: 's2', cookie: yard.cookie('s2')}];
  await yard.start(['bash', '-c', `for i in {1..${crowd}}; do sleep 1000 & done; wait`], {cookie: sessions[1]!.cookie});
  const ours = await yard.start([process.execPath, program, `127.0.0.1:${ourPort}`], {cookie: sessions[0]!.cookie});
  const foreign = await yard.start([process.execPath, program, `127.0.0.1:${foreignPort}`]);
  await Promise.all([ours.line(), foreign.line()]);
  await eventually('the crowd is there', async () => {
    const tree = await processesOf(sessions[1]!, kernel);
    return 'value' in tree && tree.value.members.filter(({name}) => name === 'sleep').length === crowd;
  });
  const {processes} = await takeSample();
  const scan = await measure(takeSample);
  const lines = [`${processes.length} processes: one pass p50 ${scan.p50.toFixed(1)} ms, p95 ${scan.p95.toFixed(1)} ms`];
  for (const [title, port, verdict] of [['ours', ourPort, 'yes'], ['foreign', foreignPort, 'no'], ['free', nobodysPort, 'no']] as const) {
    const answer = await measure(async () => {
      assert.equal((await explainPort(port, sessions, kernel)).verdict, verdict);
    });
    lines.push(`${title}: p50 ${answer.p50.toFixed(1)} ms, p95 ${answer.p95.toFixed(1)} ms, ${(answer.p50 / scan.p50).toFixed(1)} passes`);
    assert.ok(answer.p50 / scan.p50 < 15, lines.join('; '));
  }

  t.diagnostic(lines.join('; '));
});

import assert from 'node:assert/strict';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {connect, meet} from './support/client.ts';
import {
  exitOf,
  keep,
  keepHere,
  launchWithClient,
  logOf,
  metaOf,
  processesOf,
  release,
} from './support/kept.ts';

test('no signal but KILL changes anything for a running program', async (t) => {
  const kept = await keep(t, 'stty -echo; echo ready; read line; echo "<$line>"');
  const client = await launchWithClient(kept);
  await eventually('the program reads', () => client.output().toString() === 'ready\r\n');
  for (const signal of [
    'SIGHUP',
    'SIGINT',
    'SIGQUIT',
    'SIGUSR1',
    'SIGUSR2',
    'SIGPIPE',
    'SIGHUP',
  ] as const)
    process.kill(kept.pid, signal);
  client.ask({type: 'status'});
  assert.equal((await client.hear('status')).phase, 'running');
  client.type(1, 'still here\n');
  await client.hear('exit');
  assert.equal(client.output().toString(), 'ready\r\n<still here>\r\n');
  process.kill(kept.pid, 'SIGHUP');
  await release(kept, client);
  assert.equal(readFileSync(path.join(kept.directory, 'keeper.log'), 'utf8'), '');
});

test('after TERM the session goes on to its end, and the keeper then leaves without being released', async (t) => {
  const kept = await keep(t, 'stty -echo; echo ready; read line; echo "<$line>"; exit 4');
  const client = await launchWithClient(kept);
  await eventually('the program reads', () => client.output().toString() === 'ready\r\n');
  process.kill(kept.pid, 'SIGTERM');
  client.ask({type: 'status'});
  assert.equal((await client.hear('status')).phase, 'running');
  client.type(1, 'still here\n');
  assert.equal((await client.hear('exit')).code, 4);
  if (kept.process.exitCode === null) await once(kept.process, 'exit');
  assert.equal(existsSync(kept.launch.socket), false);
  assert.equal(exitOf(kept)?.code, 4);
  assert.equal(logOf(kept.directory).toString(), 'ready\r\n<still here>\r\n');
});

test('the keeper is not found under the name of node', async (t) => {
  const kept = await keep(t, 'true');
  assert.equal(readFileSync(`/proc/${kept.pid}/comm`, 'utf8'), 'orchestra-keepe\n');
  assert.equal(
    readFileSync(`/proc/${kept.pid}/cmdline`, 'utf8').replaceAll('\0', ''),
    'orchestra-keeper',
  );
  await release(kept, await meet(kept.launch));
});

test('kill -9 of the keeper hangs up its program; that it is lost can be told from what is left', async (t) => {
  const kept = await keep(
    t,
    'trap "echo hung-up > fate; exit" HUP; echo ready; while :; do sleep 0.01; done',
  );
  const client = await launchWithClient(kept);
  await eventually('the program runs', () => client.output().toString() === 'ready\r\n');
  const {child, went} = metaOf(kept);
  assert(child !== undefined && went !== undefined);
  process.kill(kept.pid, 'SIGKILL');
  await eventually(
    'the program has been hung up',
    () => existsSync(path.join(kept.directory, 'fate')) && processesOf(kept.launch).length === 0,
  );
  // The kernel closes what a killed process had open one by one, and the terminal may come long before the socket that listens.
  if (kept.process.signalCode === null) await once(kept.process, 'exit');
  assert.equal(exitOf(kept), undefined, 'no exit is made up');
  await assert.rejects(connect(kept.launch), {code: 'ECONNREFUSED'});
  assert.equal(logOf(kept.directory).toString(), 'ready\r\n');
});

test('the keeper stays after the exit, until it has waited long enough for its release', async (t) => {
  const patient = await keepHere(t, 'echo bye');
  const first = await launchWithClient(patient);
  await first.hear('exit');
  first.close();
  const second = await meet(patient.launch);
  second.ask({type: 'attach', from: 0});
  await second.hear('exit');
  assert.equal(second.output().toString(), 'bye\r\n');
  await release(patient, second);

  const hasty = await keepHere(t, 'echo bye', {patience: {release: 100}});
  const third = await launchWithClient(hasty);
  const {mono} = await third.hear('exit');
  await hasty.keeper.ended;
  const waited = Number(process.hrtime.bigint() - BigInt(mono)) / 1_000_000;
  assert(waited >= 99, `${waited} ms`);
  await eventually('the connection is closed', () => third.isClosed());
  assert.equal(existsSync(hasty.launch.socket), false);
});

test('a keeper is not released while its program runs', async (t) => {
  const kept = await keepHere(t, 'read line');
  const client = await launchWithClient(kept);
  client.ask({type: 'release'});
  assert.deepEqual(await client.hear('error'), {type: 'error', code: 'running', verb: 'release'});
  client.type(1, '\n');
  await client.hear('exit');
  await release(kept, client);
});

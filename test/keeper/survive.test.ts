import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {once} from 'node:events';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {eventually} from '../support/eventually.ts';
import {connect, meet} from './support/client.ts';
import {
  getExit,
  getLog,
  getMeta,
  getProcesses,
  launchWithClient,
  release,
  save,
  startKeeperFixture,
} from './support/keeper-fixture.ts';

test('no signal but KILL changes anything for a running program', async (t) => {
  const keeper = await save(t, 'stty -echo; echo ready; read line; echo "<$line>"');
  const client = await launchWithClient(keeper);
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
    process.kill(keeper.pid, signal);
  client.ask({type: 'status'});
  assert.equal((await client.onMessage('status')).phase, 'running');
  client.type(1, 'still here\n');
  await client.onMessage('exit');
  assert.equal(client.output().toString(), 'ready\r\n<still here>\r\n');
  process.kill(keeper.pid, 'SIGHUP');
  await release(keeper, client);
  assert.equal(readFileSync(path.join(keeper.directory, 'keeper.log'), 'utf8'), '');
});

test('after TERM the session goes on to its end, and the keeper then leaves without being released', async (t) => {
  const keeper = await save(t, 'stty -echo; echo ready; read line; echo "<$line>"; exit 4');
  const client = await launchWithClient(keeper);
  await eventually('the program reads', () => client.output().toString() === 'ready\r\n');
  process.kill(keeper.pid, 'SIGTERM');
  client.ask({type: 'status'});
  assert.equal((await client.onMessage('status')).phase, 'running');
  client.type(1, 'still here\n');
  assert.equal((await client.onMessage('exit')).code, 4);
  if (keeper.process.exitCode === null) await once(keeper.process, 'exit');
  assert.equal(existsSync(keeper.launch.socket), false);
  assert.equal(getExit(keeper)?.code, 4);
  assert.equal(getLog(keeper.directory).toString(), 'ready\r\n<still here>\r\n');
});

test('the keeper is not found under the name of node', async (t) => {
  const keeper = await save(t, 'true');
  assert.equal(readFileSync(`/proc/${keeper.pid}/comm`, 'utf8'), 'orchestra-keepe\n');
  assert.equal(
    readFileSync(`/proc/${keeper.pid}/cmdline`, 'utf8').replaceAll('\0', ''),
    'orchestra-keeper',
  );
  await release(keeper, await meet(keeper.launch));
});

test('kill -9 of the keeper hangs up its program; that it is lost can be told from what is left', async (t) => {
  const keeper = await save(
    t,
    'trap "echo hung-up > fate; exit" HUP; echo ready; while :; do sleep 0.01; done',
  );
  const client = await launchWithClient(keeper);
  await eventually('the program runs', () => client.output().toString() === 'ready\r\n');
  const {child, went} = getMeta(keeper);
  assert(child !== undefined && went !== undefined);
  process.kill(keeper.pid, 'SIGKILL');
  await eventually(
    'the program has been hung up',
    () =>
      existsSync(path.join(keeper.directory, 'fate')) && getProcesses(keeper.launch).length === 0,
  );
  // The kernel closes what a killed process had open one by one, and the terminal may come long
  // before the socket that listens.
  if (keeper.process.signalCode === null) await once(keeper.process, 'exit');
  assert.equal(getExit(keeper), undefined, 'no exit is made up');
  await assert.rejects(connect(keeper.launch), {code: 'ECONNREFUSED'});
  assert.equal(getLog(keeper.directory).toString(), 'ready\r\n');
});

test('the keeper stays after the exit, until it has waited long enough for its release', async (t) => {
  const patient = await startKeeperFixture(t, 'echo bye');
  const first = await launchWithClient(patient);
  await first.onMessage('exit');
  first.close();
  const second = await meet(patient.launch);
  second.ask({type: 'attach', from: 0});
  await second.onMessage('exit');
  assert.equal(second.output().toString(), 'bye\r\n');
  await release(patient, second);

  const hasty = await startKeeperFixture(t, 'echo bye', {timeouts: {release: 100}});
  const third = await launchWithClient(hasty);
  const {mono} = await third.onMessage('exit');
  await hasty.keeper.ended;
  const waited = Number(process.hrtime.bigint() - BigInt(mono)) / 1_000_000;
  assert(waited >= 99, `${waited} ms`);
  await eventually('the connection is closed', () => third.isClosed());
  assert.equal(existsSync(hasty.launch.socket), false);
});

test('a keeper is not released while its program runs', async (t) => {
  const keeper = await startKeeperFixture(t, 'read line');
  const client = await launchWithClient(keeper);
  client.ask({type: 'release'});
  assert.deepEqual(await client.onMessage('error'), {
    type: 'error',
    code: 'running',
    verb: 'release',
  });
  client.type(1, '\n');
  await client.onMessage('exit');
  await release(keeper, client);
});

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {fork} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {emptyLedger, withLedgerEntry} from '../../../source/shared/index.ts';
import {watchService} from '../../../source/daemon/effects/watch-service.ts';
import {emptyState, type Observation} from '../../../source/domain/index.ts';
import {getKernel, readProcess} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';

/** Tells its port, each connection, and that it is closed. */
const server = `
const server = require('node:net').createServer((socket) => { process.send('connected'); socket.destroy(); });
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('message', () => server.close(() => process.send('closed')));
`;

test('a service that is ready is connected to once in half a minute; in between the kernel tells whether it listens', async (t) => {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'watch-'));
  const file = path.join(directory, 'server.cjs');
  writeFileSync(file, server);
  const child = fork(file, {env: {...process.env, ORCH_SESSION: 'the-cookie'}, execArgv: []});
  const watching = new AbortController();
  t.after(() => {
    watching.abort();
    child.kill('SIGKILL');
    rmSync(directory, {recursive: true, force: true});
  });
  const [port] = (await once(child, 'message')) as [number];
  let connections = 0;
  let isClosed = false;
  child.on('message', (word) => {
    if (word === 'closed') isClosed = true;
    else connections += 1;
  });

  const kernel = getKernel({path: process.env['PATH'] ?? '', now: Date.now});
  const found = await readProcess(child.pid!, kernel);
  const identity = 'value' in found ? found.value?.identity : undefined;
  assert.ok(identity !== undefined);
  let at = 1_000_000;
  let looks = 0;
  let condition = 'starting';
  const session = {id: 's1', life: {at: 'running', since: 0}};
  const context = {
    kernel,
    state: () => ({
      ...emptyState,
      live: ['s1'],
      sessions: withLedgerEntry(emptyLedger, 1, session as never),
      services: [{spec: {name: 'web', port}, stage: {at: 'up', session: 's1', condition}}],
    }),
    root: directory,
    now: () => {
      looks += 1;
      return at;
    },
    store: {
      metaOf: () => ({
        bootId: identity.bootId,
        child: {pid: identity.pid, startTime: identity.startTime},
      }),
      cookieOf: () => 'the-cookie',
      directoryOf: () => directory,
    },
  } as unknown as Parameters<typeof watchService>[0];
  const reports: Observation[] = [];
  const watch = watchService(context, {starting: 1, ready: 1})(
    {do: 'watch-service', key: 'k', service: 'web', session: 's1'} as never,
    (saw) => {
      reports.push(saw);
      if (saw.type === 'service-observed') ({condition} = saw);
      return Promise.resolve({events: []} as never);
    },
    watching.signal,
  );

  const passes = async (count: number): Promise<void> => {
    const until = looks + count;
    await eventually(`${count} more looks`, () => looks >= until);
  };
  await eventually('it is ready', () => condition === 'ready');
  // The kernel takes a connection for a server that has yet to wake up.
  await eventually('a connection', () => connections === 1);
  await passes(10);
  assert.equal(connections, 1);
  at += 30_000;
  await eventually('another connection', () => connections === 2);
  await passes(10);
  assert.equal(connections, 2);
  child.send('close');
  await eventually('it has fallen', () => condition === 'unhealthy');
  await eventually('it has told of every connection', () => isClosed);
  assert.equal(connections, 2);
  watching.abort();
  await watch;
  assert.deepEqual(reports, [
    {type: 'service-observed', service: 'web', condition: 'ready'},
    {type: 'service-observed', service: 'web', condition: 'unhealthy'},
  ]);
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo, type Server} from 'node:net';
import {test, type TestContext} from 'node:test';
import type {Service} from '../../source/domain/index.ts';
import {freePort} from '../system/support/free-port.ts';
import {eventually} from '../support/eventually.ts';
import {createDaemonFixture, type DaemonFixture, end, isRunning} from './support/daemon-fixture.ts';

/**
 * Answers every request with the status in the file `status`, or 200; `quiet` says nothing, `loud`
 * says that it is open.
 */
const program = `
import {readFileSync} from 'node:fs';
import http from 'node:http';
const [port, manner] = process.argv.slice(2);
const statusOf = () => { try { return Number(readFileSync('status', 'utf8')); } catch { return 200; } };
const server = http.createServer((request, response) => { response.statusCode = statusOf(); response.end(); });
server.listen(Number(port), '127.0.0.1', () => { if (manner === 'loud') setTimeout(() => console.log('open for business'), 300); });
`;

function listen(port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer().listen(port, '127.0.0.1', () => {
      resolve(server);
    });
    server.once('error', reject);
  });
}

function declare(t: TestContext, services: string): DaemonFixture {
  const fixture = createDaemonFixture(t);
  writeFileSync(path.join(fixture.root, 'serve.mjs'), program);
  mkdirSync(path.join(fixture.root, '.orchestra'));
  writeFileSync(path.join(fixture.root, '.orchestra', 'project.yaml'), `services:\n${services}`);
  return fixture;
}

async function getService(fixture: DaemonFixture, name: string): Promise<Service | undefined> {
  return ((await fixture.ask({about: 'services'})) as readonly Service[]).find(
    ({spec}) => spec.name === name,
  );
}

async function reaches(fixture: DaemonFixture, name: string, state: string): Promise<Service> {
  return eventually(`${name} is ${state}`, async () => {
    const service = await getService(fixture, name);
    const at = service?.stage.at === 'up' ? service.stage.condition : service?.stage.at;
    return at === state ? service : undefined;
  });
}

test('a service is ready when its port, its answer or its log proves it, and falls when that does', async (t) => {
  const [one, two, three] = [await freePort(), await freePort(), await freePort()];
  const fixture = declare(
    t,
    `  by-port: {command: node serve.mjs ${one}, port: ${one}}
  by-http: {command: node serve.mjs ${two}, port: ${two}, ready: {http: /health}}
  by-log: {command: node serve.mjs ${three} loud, port: ${three}, ready: {log: 'open for \\w+'}}
  plain: sleep 1000
`,
  );
  writeFileSync(path.join(fixture.root, 'status'), '503');
  const list = fixture.json('services') as {services: Service[]};
  assert.deepEqual(
    list.services.map(({spec, desire, stage}) => [spec.name, desire, stage.at]),
    [
      ['by-port', 'none', 'down'],
      ['by-http', 'none', 'down'],
      ['by-log', 'none', 'down'],
      ['plain', 'none', 'down'],
    ],
  );
  for (const name of ['by-port', 'by-http', 'by-log', 'plain'])
    await fixture.ask({about: 'wish', wish: {type: 'start-service', service: name}});
  for (const name of ['by-port', 'by-log', 'plain']) await reaches(fixture, name, 'ready');
  await reaches(fixture, 'by-http', 'listening');
  rmSync(path.join(fixture.root, 'status'));
  await reaches(fixture, 'by-http', 'ready');
  assert.match(fixture.run('services').out, /by-http +ready +s2 +\d+ +node serve\.mjs/);
  assert.equal(fixture.run('service', 'logs', 'by-log').out, 'open for business\r\n');
  writeFileSync(path.join(fixture.root, 'status'), '500');
  await reaches(fixture, 'by-http', 'unhealthy');
  assert.equal(
    (await fixture.sessions()).filter(
      ({for: purpose, ended}) => purpose === 'service' && ended === undefined,
    ).length,
    4,
  );
  assert.match(fixture.run('service', 'start', 'by-port').err, /by-port is already started/);
});

test('a service that is older than its code is listed with a warning', async (t) => {
  const port = await freePort();
  const fixture = declare(t, `  web: {command: node serve.mjs ${port}, port: ${port}}\n`);
  fixture.run('service', 'start', 'web');
  await reaches(fixture, 'web', 'ready');
  const stale = (): unknown =>
    (fixture.json('services') as {services: {stale: unknown}[]}).services[0]?.stale;
  assert.deepEqual(stale(), []);
  // A whole second: not every Node sets and reads the parts of one alike.
  const change = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
  utimesSync(path.join(fixture.root, 'serve.mjs'), change, change);
  assert.deepEqual(stale(), [
    {kind: 'older-than-its-code', file: 'serve.mjs', changedAt: change.getTime()},
  ]);
  assert.match(
    fixture.run('services').out,
    /\nweb +warning +it runs older code: serve\.mjs changed /,
  );
});

test('a service that dies comes back, later each time, and after five starts waits for a person', async (t) => {
  const fixture = declare(t, '  mayfly: sh -c "echo alive; exit 4"\n  gone-for-good: exit 125\n');
  assert.equal(fixture.run('service', 'start', 'mayfly').out, 'mayfly: starts\n');
  await reaches(fixture, 'mayfly', 'backing-off');
  await fixture.killDaemon('SIGKILL');
  const failed = await reaches(fixture, 'mayfly', 'failed');
  assert.deepEqual(failed.stage.at === 'failed' ? failed.stage.why : undefined, {
    kind: 'restarts',
    times: 5,
  });
  const runs = (await fixture.sessions()).filter(({name}) => name === 'mayfly');
  assert.deepEqual(
    runs.map(({ended}) => ended?.code),
    [4, 4, 4, 4, 4],
  );
  await fixture.ask({about: 'wish', wish: {type: 'start-service', service: 'gone-for-good'}});
  const permanent = await reaches(fixture, 'gone-for-good', 'failed');
  assert.deepEqual(permanent.stage.at === 'failed' ? permanent.stage.why : undefined, {
    kind: 'permanent',
    code: 125,
  });
});

test("a service outlives the daemon; a person's stop outlives it too", async (t) => {
  const port = await freePort();
  const fixture = declare(t, `  web: {command: exec node serve.mjs ${port}, port: ${port}}\n`);
  await fixture.ask({about: 'wish', wish: {type: 'start-service', service: 'web'}});
  await reaches(fixture, 'web', 'ready');
  const {child} = fixture.metaOf('s1');
  await fixture.killDaemon('SIGKILL');
  await reaches(fixture, 'web', 'ready');
  assert.equal((await fixture.sessionOf('s1'))?.pid, child?.pid);
  end(child!.pid, fixture.home);
  await eventually(
    'another one took its place',
    async () => (await fixture.sessionOf('s2'))?.status === 'running',
  );
  await reaches(fixture, 'web', 'ready');

  assert.equal(fixture.run('service', 'stop', 'web').code, 0);
  await fixture.endOf('s2');
  await fixture.killDaemon('SIGKILL');
  assert.equal((await getService(fixture, 'web'))?.desire, 'stopped-by-person');
  assert.match(fixture.run('services').out, /web +stopped by you/);
  assert.equal((await fixture.sessions()).length, 2, 'nobody started it again');
  assert.equal(fixture.run('service', 'restart', 'web').code, 0);
  await reaches(fixture, 'web', 'ready');
});

test('somebody else on the port of a service is named and left alone', async (t) => {
  const foreign = await listen(0);
  t.after(() => foreign.close());
  const {port} = foreign.address() as AddressInfo;
  const fixture = declare(t, `  web: {command: 'sleep 1000', port: ${port}}\n`);
  await fixture.ask({about: 'wish', wish: {type: 'start-service', service: 'web'}});
  const {stage} = await reaches(fixture, 'web', 'foreign-port');
  assert.match(stage.at === 'foreign-port' ? stage.owner : '', new RegExp(`^pid ${process.pid} `));
  assert.ok(isRunning(process.pid) && foreign.listening);
});

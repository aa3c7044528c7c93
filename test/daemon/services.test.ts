import assert from 'node:assert/strict';
import {mkdirSync, rmSync, utimesSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo, type Server} from 'node:net';
import path from 'node:path';
import {test, type TestContext} from 'node:test';
import type {Service} from '../../source/domain/index.ts';
import {freePort} from '../machine/support/free-port.ts';
import {eventually} from '../support/eventually.ts';
import {createPlace, end, isRunning, type Place} from './support/place.ts';

/** Answers every request with the status in the file `status`, or 200; `quiet` says nothing, `loud` says that it is open. */
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

function declare(t: TestContext, services: string): Place {
  const place = createPlace(t);
  writeFileSync(path.join(place.root, 'serve.mjs'), program);
  mkdirSync(path.join(place.root, '.orchestra'));
  writeFileSync(path.join(place.root, '.orchestra', 'project.yaml'), `services:\n${services}`);
  return place;
}

async function serviceOf(place: Place, name: string): Promise<Service | undefined> {
  return ((await place.ask({about: 'services'})) as readonly Service[]).find(
    ({spec}) => spec.name === name,
  );
}

async function reaches(place: Place, name: string, state: string): Promise<Service> {
  return eventually(`${name} is ${state}`, async () => {
    const service = await serviceOf(place, name);
    const at = service?.stage.at === 'up' ? service.stage.condition : service?.stage.at;
    return at === state ? service : undefined;
  });
}

test('a service is ready when its port, its answer or its log proves it, and falls when that does', async (t) => {
  const [one, two, three] = [await freePort(), await freePort(), await freePort()];
  const place = declare(
    t,
    `  by-port: {command: node serve.mjs ${one}, port: ${one}}
  by-http: {command: node serve.mjs ${two}, port: ${two}, ready: {http: /health}}
  by-log: {command: node serve.mjs ${three} loud, port: ${three}, ready: {log: 'open for \\w+'}}
  plain: sleep 1000
`,
  );
  writeFileSync(path.join(place.root, 'status'), '503');
  const list = place.json('services') as {services: Service[]};
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
    await place.ask({about: 'wish', wish: {type: 'start-service', service: name}});
  for (const name of ['by-port', 'by-log', 'plain']) await reaches(place, name, 'ready');
  await reaches(place, 'by-http', 'listening');
  rmSync(path.join(place.root, 'status'));
  await reaches(place, 'by-http', 'ready');
  assert.match(place.run('services').out, /by-http +ready +s2 +\d+ +node serve\.mjs/);
  assert.equal(place.run('service', 'logs', 'by-log').out, 'open for business\r\n');
  writeFileSync(path.join(place.root, 'status'), '500');
  await reaches(place, 'by-http', 'unhealthy');
  assert.equal(
    (await place.sessions()).filter(
      ({for: purpose, ended}) => purpose === 'service' && ended === undefined,
    ).length,
    4,
  );
  assert.match(place.run('service', 'start', 'by-port').err, /by-port is started already/);
});

test('a service that is older than its code is listed with a warning', async (t) => {
  const port = await freePort();
  const place = declare(t, `  web: {command: node serve.mjs ${port}, port: ${port}}\n`);
  place.run('service', 'start', 'web');
  await reaches(place, 'web', 'ready');
  const stale = (): unknown =>
    (place.json('services') as {services: {stale: unknown}[]}).services[0]?.stale;
  assert.deepEqual(stale(), []);
  // A whole second: not every Node sets and reads the parts of one alike.
  const change = new Date(Math.ceil(Date.now() / 1000) * 1000 + 60_000);
  utimesSync(path.join(place.root, 'serve.mjs'), change, change);
  assert.deepEqual(stale(), [
    {kind: 'older-than-its-code', file: 'serve.mjs', changedAt: change.getTime()},
  ]);
  assert.match(
    place.run('services').out,
    /\nweb +warning +it is older than its code: serve\.mjs was changed /,
  );
});

test('a service that dies comes back, later each time, and after five starts waits for a person', async (t) => {
  const place = declare(t, '  mayfly: sh -c "echo alive; exit 4"\n  gone-for-good: exit 125\n');
  assert.equal(place.run('service', 'start', 'mayfly').out, 'mayfly: starts\n');
  await reaches(place, 'mayfly', 'backing-off');
  await place.killDaemon('SIGKILL');
  const failed = await reaches(place, 'mayfly', 'failed');
  assert.deepEqual(failed.stage.at === 'failed' ? failed.stage.why : undefined, {
    kind: 'restarts',
    times: 5,
  });
  const runs = (await place.sessions()).filter(({name}) => name === 'mayfly');
  assert.deepEqual(
    runs.map(({ended}) => ended?.code),
    [4, 4, 4, 4, 4],
  );
  await place.ask({about: 'wish', wish: {type: 'start-service', service: 'gone-for-good'}});
  const permanent = await reaches(place, 'gone-for-good', 'failed');
  assert.deepEqual(permanent.stage.at === 'failed' ? permanent.stage.why : undefined, {
    kind: 'permanent',
    code: 125,
  });
});

test("a service outlives the daemon; a person's stop outlives it too", async (t) => {
  const port = await freePort();
  const place = declare(t, `  web: {command: exec node serve.mjs ${port}, port: ${port}}\n`);
  await place.ask({about: 'wish', wish: {type: 'start-service', service: 'web'}});
  await reaches(place, 'web', 'ready');
  const {child} = place.metaOf('s1');
  await place.killDaemon('SIGKILL');
  await reaches(place, 'web', 'ready');
  assert.equal((await place.sessionOf('s1'))?.pid, child?.pid);
  end(child!.pid, place.home);
  await eventually(
    'another one took its place',
    async () => (await place.sessionOf('s2'))?.status === 'running',
  );
  await reaches(place, 'web', 'ready');

  assert.equal(place.run('service', 'stop', 'web').code, 0);
  await place.endOf('s2');
  await place.killDaemon('SIGKILL');
  assert.equal((await serviceOf(place, 'web'))?.desire, 'stopped-by-person');
  assert.match(place.run('services').out, /web +stopped by you/);
  assert.equal((await place.sessions()).length, 2, 'nobody started it again');
  assert.equal(place.run('service', 'restart', 'web').code, 0);
  await reaches(place, 'web', 'ready');
});

test('somebody else on the port of a service is named and left alone', async (t) => {
  const foreign = await listen(0);
  t.after(() => foreign.close());
  const {port} = foreign.address() as AddressInfo;
  const place = declare(t, `  web: {command: 'sleep 1000', port: ${port}}\n`);
  await place.ask({about: 'wish', wish: {type: 'start-service', service: 'web'}});
  const {stage} = await reaches(place, 'web', 'foreign-port');
  assert.match(stage.at === 'foreign-port' ? stage.owner : '', new RegExp(`^pid ${process.pid} `));
  assert.ok(isRunning(process.pid) && foreign.listening);
});

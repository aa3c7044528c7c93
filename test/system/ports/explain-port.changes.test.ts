import assert from 'node:assert/strict';
import path from 'node:path';
import {test} from 'node:test';
import {
  explainPort,
  probeTcp,
  type Process,
  type SessionRoot,
  signalProcess,
} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createRandom, type Random} from '../../support/random.ts';
import {freePort} from '../support/free-port.ts';
import {isAlive, kernel, processAt} from '../support/own-kernel.ts';
import {createTestProcesses, type TestProcesses} from '../support/test-processes.ts';

/** The truth about a port, known because we made it so. */
type Server = {
  readonly process: Process;
  readonly owner: Owner;
  readonly address: string;
  readonly isStopped: boolean;
};
type Owner = 's1' | 's2' | 'a stranger';

type Change = {readonly title: string; readonly server: Server | undefined};

const changesPerPort = 60;
const program = path.join(import.meta.dirname, '../programs', 'serve.mjs');
const hasIpv6 = (await probeTcp({host: '::1', port: 1, timeoutMs: 1000})).at === 'refused';
const addresses = hasIpv6 ? ['127.0.0.1', '0.0.0.0', '::1', '::'] : ['127.0.0.1', '0.0.0.0'];

test(`${changesPerPort * 2} changes on two ports: every answer is right, the first time it is asked`, async (t) => {
  const testProcesses = createTestProcesses(t);
  const sessions: SessionRoot[] = [
    {id: 's1', cookie: testProcesses.cookie('s1')},
    {id: 's2', cookie: testProcesses.cookie('s2')},
  ];
  const titles = new Map<string, number>();
  const wrong: unknown[] = [];
  await Promise.all(
    [1, 2].map(async (seed) => {
      const [random, port] = [createRandom(seed), await freePort()];
      let server: Server | undefined;
      for (let number = 1; number <= changesPerPort; number += 1) {
        const change = await changePort(random, port, server, sessions, testProcesses);
        server = change.server;
        titles.set(change.title, (titles.get(change.title) ?? 0) + 1);
        const answer = await explainPort(port, sessions, kernel, {
          acceptWithinMs: server?.isStopped === true ? 200 : 60_000,
        });
        const {verdict, state, address, owner, session} = answer;
        const [got, expected] = [
          {verdict, state, address, pid: owner?.identity.pid, session},
          getTruth(server),
        ];
        if (JSON.stringify(got) !== JSON.stringify(expected))
          wrong.push({seed, number, change: change.title, got, expected, proof: answer.proof});
      }
    }),
  );
  assert.deepEqual(wrong, []);
  t.diagnostic([...titles].map(([title, count]) => `${title} ${count}`).join(', '));
});

function getTruth(server: Server | undefined): unknown {
  if (server === undefined) return {verdict: 'no', state: 'free'};
  const {
    process: {
      identity: {pid},
    },
    owner,
    address,
    isStopped,
  } = server;
  if (owner === 'a stranger') return {verdict: 'no', state: 'foreign', address, pid};
  return {
    verdict: isStopped ? 'no' : 'yes',
    state: isStopped ? 'listening-not-accepting' : 'accepting',
    address,
    pid,
    session: owner,
  };
}

async function changePort(
  random: Random,
  port: number,
  server: Server | undefined,
  sessions: readonly SessionRoot[],
  testProcesses: TestProcesses,
): Promise<Change> {
  if (server === undefined) return start(random, port, sessions, testProcesses);
  const {owner, isStopped} = server;
  const titles = isStopped
    ? ['continued', 'died while stopped']
    : ['died silently', 'ended', 'stopped', 'restarted by another'];
  const title = random.pick(titles);
  if (title === 'stopped' || title === 'continued') {
    await signalProcess(
      {identity: server.process.identity},
      isStopped ? 'SIGCONT' : 'SIGSTOP',
      kernel,
    );
    await eventually(
      `the server is ${title}`,
      async () => ((await processAt(server.process.identity.pid))?.state === 'T') !== isStopped,
    );
    return {title, server: {...server, isStopped: !isStopped}};
  }

  await end(server, title === 'ended' ? 'SIGTERM' : 'SIGKILL');
  return title === 'restarted by another'
    ? {...(await start(random, port, sessions, testProcesses, owner)), title}
    : {title, server: undefined};
}

async function start(
  random: Random,
  port: number,
  sessions: readonly SessionRoot[],
  testProcesses: TestProcesses,
  except?: Owner,
): Promise<Change> {
  const owner = random.pick((['s1', 's2', 'a stranger'] as const).filter((one) => one !== except));
  const [address, isDetached] = [random.pick(addresses), random.chance(0.3)];
  const command = [process.execPath, program, `${address}:${port}`];
  const cookie = sessions.find(({id}) => id === owner)?.cookie;
  const started = await testProcesses.start(
    isDetached ? ['bash', '-c', '(setsid nohup "$@" 2>/dev/null &)', 'bash', ...command] : command,
    cookie === undefined ? {} : {cookie},
  );
  const pid = Number((await started.line()).split(' ')[1]);
  const found = await processAt(pid);
  assert.ok(found);
  testProcesses.adopt(found.identity);
  return {
    title: `started by ${owner} on ${address}${isDetached ? ' under setsid nohup' : ''}`,
    server: {process: found, owner, address, isStopped: false},
  };
}

async function end({process: {identity}}: Server, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await signalProcess({identity}, signal, kernel);
  await eventually('the server is gone', async () => !isAlive(await processAt(identity.pid)));
}

import {Buffer} from 'node:buffer';
import {readFileSync, writeFileSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {eventually} from '../../../test/support/eventually.ts';
import {createRandom} from '../../../test/support/random.ts';
import {
  getTable,
  type Goal,
  median,
  quantile,
  reachesMin,
  type Section,
  show,
  staysBelow,
} from './figures.ts';
import {orchestra} from './orchestra.ts';
import type {Peers} from './peers.ts';
import type {Fixture} from './fixture.ts';
import {type Client, type Command, openClient} from './terminal.ts';
import type {Keeping, Seat, World} from './world.ts';

const rounds = 3;
const floods = 8;
/** Presses that do not count: everybody types more than these. */
const warmUp = 100;
/** No client's own sequences hold any of them. */
const keys = ['{', '}', '%', '&'];
const echoing = "stty raw -echo; printf 'READY-TO-ECHO'; exec cat";

/**
 * One turn: quantiles of the key presses in ms, and what the flooding sessions wrote meanwhile in
 * MB/s.
 */
type Turn = {
  readonly idle: readonly number[];
  readonly flood: readonly number[];
  readonly written: number;
  readonly floor?: readonly number[];
};

/**
 * From a key press in a terminal that we hold to its echo in it, through an attached client; alone,
 * and while eight other sessions write as fast as they can.
 */
export async function benchEcho(fixture: Fixture, peers: Peers): Promise<Section> {
  const presses = Math.max(50, Math.round(300 * fixture.scale));
  const keepings = [orchestra, peers.tmux, peers.dtach].filter((keeping) => keeping !== undefined);
  const turns = keepings.map((): Turn[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, keeping] of keepings.entries())
      turns[index]!.push(await takeTurn(fixture, keeping, presses));
  }

  const of = (name: string, figure: (turn: Turn) => number | undefined): number =>
    median(
      (turns[keepings.findIndex((keeping) => keeping.name === name)] ?? [])
        .map(figure)
        .filter((value) => value !== undefined),
    );
  const rows = keepings.map(({name}) => [
    name,
    ...[0.5, 0.99].map((share) => show(of(name, ({idle}) => quantile(idle, share)))),
    ...[0.5, 0.99].map((share) => show(of(name, ({flood}) => quantile(flood, share)))),
    show(of(name, ({written}) => written)),
  ]);
  const floor = [0.5, 0.99].map((share) =>
    show(of('orchestra', (turn) => quantile(turn.floor ?? [], share))),
  );
  return {
    title: `Key press → echo (ms, ${presses} presses in each of ${rounds} turns, median of the turns)`,
    lines: [
      ...getTable(
        [
          'attached through',
          'idle p50',
          'idle p99',
          `${floods} flooding p50`,
          `${floods} flooding p99`,
          'the flooding wrote (MB/s)',
        ],
        [...rows, ['raw PTY beside orchestra’s flood', '', '', ...floor, '']],
      ),
      '',
      `Echoed by \`cat\` in raw mode, not by the kernel; the first ${warmUp} presses of a turn do not count. What the flooding programs wrote is read from \`/proc/<pid>/io\`, for everybody alike.`,
    ],
    goals: peers.tmux === undefined ? [] : getGoals(of),
  };
}

function getGoals(of: (name: string, figure: (turn: Turn) => number) => number): Goal[] {
  const idle = ({idle: times}: Turn): number => quantile(times, 0.5);
  const half = ({flood: times}: Turn): number => quantile(times, 0.5);
  const slow = ({flood: times}: Turn): number => quantile(times, 0.99);
  const written = (turn: Turn): number => turn.written;
  return [
    staysBelow('echo, idle, p50, to tmux', of('orchestra', idle) / of('tmux', idle), 2.5),
    staysBelow('echo, idle, p50 (ms)', of('orchestra', idle), 1),
    staysBelow('echo, flooded, p50, to tmux', of('orchestra', half) / of('tmux', half), 0.1),
    staysBelow('echo, flooded, p99, to tmux', of('orchestra', slow) / of('tmux', slow), 0.25),
    reachesMin(
      'speed of the flooding sessions meanwhile, to tmux',
      of('orchestra', written) / of('tmux', written),
      0.8,
    ),
  ];
}

async function takeTurn(fixture: Fixture, {open}: Keeping, presses: number): Promise<Turn> {
  const bench = open(fixture);
  const clients: Client[] = [];
  try {
    const client = await attach(await bench.start(echoing), bench, clients);
    await pressKeys(client, warmUp);
    const idle = await pressKeys(client, presses);
    const flood = await startFlood(fixture, bench);
    const before = {at: performance.now(), written: flood.written()};
    const flooded = await pressKeys(client, presses);
    const written = (flood.written() - before.written) / 1000 / (performance.now() - before.at);
    if (bench.name !== 'orchestra') return {idle, flood: flooded, written};
    const raw = await awaitReady(
      {argv: ['/bin/sh', '-c', echoing], env: fixture.env, cwd: fixture.directory},
      clients,
    );
    return {idle, flood: flooded, written, floor: await pressKeys(raw, presses)};
  } finally {
    for (const client of clients) await client.kill();
    await bench.close();
  }
}

async function attach(seat: Seat, bench: World, clients: Client[]): Promise<Client> {
  if (bench.name !== 'dtach') return awaitReady(seat.attach, clients);
  // dtach shows nothing of what was before.
  const client = openClient(seat.attach);
  clients.push(client);
  await eventually('an echo from dtach', async () => {
    const seen = client.see('%');
    client.press(Buffer.from('%'));
    return Promise.race([seen.then(() => true), pass(50).then(() => false)]);
  });
  return client;
}

async function awaitReady(command: Command, clients: Client[]): Promise<Client> {
  const client = openClient(command);
  clients.push(client);
  await client.see('READY-TO-ECHO');
  return client;
}

/** Never in step with anything: between two presses pass 2 to 10 ms. */
async function pressKeys(client: Client, presses: number): Promise<number[]> {
  const random = createRandom('presses');
  const times: number[] = [];
  for (let press = 0; press < presses; press++) {
    const key = keys[press % keys.length]!;
    const seen = client.see(key);
    const start = performance.now();
    client.press(Buffer.from(key));
    times.push((await seen) - start);
    await pass(2 + random.below(9));
  }

  return times;
}

/** Sessions that write agent output without end, all from one moment on. */
async function startFlood(
  fixture: Fixture,
  bench: World,
): Promise<{readonly written: () => number}> {
  const {file} = fixture.agentOutput(64 * 1024);
  const go = fixture.newPath('go');
  const seats: Seat[] = [];
  for (let count = 0; count < floods; count++)
    seats.push(
      await bench.start(`while [ ! -e ${go} ]; do sleep 0.05; done; exec yes "$(cat ${file})"`),
    );
  writeFileSync(go, '');
  const each = (): number[] => seats.map(({pid}) => writtenBy(pid));
  await eventually('a flood from every session', () => each().every((bytes) => bytes > 1e6));
  return {written: () => each().reduce((sum, bytes) => sum + bytes, 0)};
}

function writtenBy(pid: number): number {
  return Number(/^wchar: (\d+)/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1]);
}

import process from 'node:process';
import {getTable, median, type Section, show, staysBelow} from './figures.ts';
import {openOrchestra, type OrchestraBench} from './orchestra.ts';
import {openTmux, type Peers} from './peers.ts';
import type {Fixture} from './fixture.ts';
import {type Client, openClient} from './terminal.ts';
import {type Seat, startFilled} from './world.ts';

const turns = 7;
const marker = 'THE-LAST-LINE-OF-THE-SCREEN';

/**
 * Time from the start of the client until its terminal shows the last line of the session's
 * screen.
 */
export async function benchAttach(fixture: Fixture, peers: Peers): Promise<Section> {
  const sizes = [0, Math.round(10e6 * fixture.scale), Math.round(64e6 * fixture.scale)];
  const ours = openOrchestra(fixture);
  const tmux = peers.tmux === undefined ? undefined : openTmux(fixture);
  try {
    const worlds = [ours, tmux].filter((world) => world !== undefined);
    const seats = [await fillAll(fixture, ours, sizes)];
    // At once: it is now that the daemon looks at them.
    const slowest = await slowestAnswer(ours, sizes.length);
    if (tmux !== undefined) seats.push(await fillAll(fixture, tmux, sizes));
    const bare: number[] = [];
    const times = worlds.map(() => sizes.map((): number[] => []));
    for (let turn = 0; turn < turns; turn++) {
      bare.push(
        await getTime(
          {argv: [process.execPath, '-e', '0'], env: fixture.env, cwd: fixture.directory},
          ({ended}) => ended,
        ),
      );
      for (const [row, list] of seats.entries()) {
        for (const [column, seat] of list.entries())
          times[row]![column]!.push(await getTime(seat.attach, ({see}) => see(marker)));
      }
    }

    const toBare = times[0]!.map((list) => median(list) / median(bare));
    return {
      title: `Attach → first full screen (ms, median of ${turns})`,
      lines: [
        ...getTable(
          ['output behind it', ...worlds.map(({name}) => name), 'orchestra to `node -e 0`'],
          sizes.map((size, column) => [
            `${show(size / 1e6)} MB`,
            ...times.map((row) => show(median(row[column]!))),
            show(toBare[column]),
          ]),
        ),
        '',
        `\`node -e 0\` in the same run: ${show(median(bare))} ms. dtach: n/a, it keeps no screen and shows what comes next.`,
        `The slowest of the answers to \`orchestra sessions\` while these sessions began to wait for input: ${show(slowest)} ms.`,
      ],
      goals: [
        staysBelow(
          `attach to the screen after ${show(sizes[1]! / 1e6)} MB, to \`node -e 0\``,
          toBare[1]!,
          2,
        ),
      ],
    };
  } finally {
    await ours.close();
    await tmux?.close();
  }
}

async function fillAll(
  fixture: Fixture,
  world: {readonly start: (script: string) => Promise<Seat>},
  sizes: readonly number[],
): Promise<Seat[]> {
  const seats: Seat[] = [];
  for (const size of sizes) seats.push(await startFilled(fixture, world, size, marker));
  return seats;
}

/**
 * Asks again and again until the daemon has seen that all of them wait. A daemon that reads screens
 * is slow to answer, and a client gives up at some time.
 */
async function slowestAnswer(bench: OrchestraBench, count: number): Promise<number> {
  const end = performance.now() + 60_000;
  let slowest = 0;
  while (performance.now() < end) {
    const start = performance.now();
    const sessions = await bench.sessions().catch(() => []);
    slowest = Math.max(slowest, performance.now() - start);
    if (sessions.filter(({status}) => status === 'waiting').length === count) return slowest;
  }

  throw new Error(`expected that the daemon sees ${count} sessions wait within a minute`);
}

async function getTime(
  command: Parameters<typeof openClient>[0],
  until: (client: Client) => Promise<number>,
): Promise<number> {
  const start = performance.now();
  const client = openClient(command);
  const time = (await until(client)) - start;
  await client.kill();
  return time;
}

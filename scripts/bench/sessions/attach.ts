import process from 'node:process';
import {type Section, atMost, median, show, tableOf} from './figures.ts';
import {type OrchestraWorld, openOrchestra} from './orchestra.ts';
import {type Peers, openTmux} from './peers.ts';
import type {Stage} from './stage.ts';
import {type Client, openClient} from './terminal.ts';
import {type Seat, startFilled} from './world.ts';

const turns = 7;
const marker = 'THE-LAST-LINE-OF-THE-SCREEN';

/** From the start of the client until the last line of the session's screen stands in its terminal. */
export async function benchAttach(stage: Stage, peers: Peers): Promise<Section> {
  const sizes = [0, Math.round(10e6 * stage.scale), Math.round(64e6 * stage.scale)];
  const ours = openOrchestra(stage);
  const tmux = peers.tmux === undefined ? undefined : openTmux(stage);
  try {
    const worlds = [ours, tmux].filter((world) => world !== undefined);
    const seats = [await fillAll(stage, ours, sizes)];
    // At once: it is now that the daemon looks at them.
    const slowest = await slowestAnswer(ours, sizes.length);
    if (tmux !== undefined) seats.push(await fillAll(stage, tmux, sizes));
    const bare: number[] = [];
    const times = worlds.map(() => sizes.map((): number[] => []));
    for (let turn = 0; turn < turns; turn++) {
      bare.push(
        await timeOf(
          {argv: [process.execPath, '-e', '0'], env: stage.env, cwd: stage.directory},
          ({ended}) => ended,
        ),
      );
      for (const [row, list] of seats.entries()) {
        for (const [column, seat] of list.entries())
          times[row]![column]!.push(await timeOf(seat.attach, ({see}) => see(marker)));
      }
    }

    const toBare = times[0]!.map((list) => median(list) / median(bare));
    return {
      title: `Attach → first full screen (ms, median of ${turns})`,
      lines: [
        ...tableOf(
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
        atMost(
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
  stage: Stage,
  world: {readonly start: (script: string) => Promise<Seat>},
  sizes: readonly number[],
): Promise<Seat[]> {
  const seats: Seat[] = [];
  for (const size of sizes) seats.push(await startFilled(stage, world, size, marker));
  return seats;
}

/** Asks again and again until the daemon has seen that all of them wait. A daemon that reads screens is slow to answer, and a client gives up at some time. */
async function slowestAnswer(world: OrchestraWorld, count: number): Promise<number> {
  const end = performance.now() + 60_000;
  let slowest = 0;
  while (performance.now() < end) {
    const start = performance.now();
    const sessions = await world.sessions().catch(() => []);
    slowest = Math.max(slowest, performance.now() - start);
    if (sessions.filter(({status}) => status === 'waiting').length === count) return slowest;
  }

  throw new Error(`expected that the daemon sees ${count} sessions wait within a minute`);
}

async function timeOf(
  command: Parameters<typeof openClient>[0],
  until: (client: Client) => Promise<number>,
): Promise<number> {
  const start = performance.now();
  const client = openClient(command);
  const time = (await until(client)) - start;
  await client.kill();
  return time;
}

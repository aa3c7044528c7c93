import process from 'node:process';
import {type Section, atMost, median, show, tableOf} from './figures.ts';
import {orchestra} from './orchestra.ts';
import type {Peers} from './peers.ts';
import type {Stage} from './stage.ts';
import {type Client, openClient} from './terminal.ts';
import {type Seat, type World, startFilled} from './world.ts';

const turns = 9;
const marker = 'THE-LAST-LINE-OF-THE-SCREEN';

/** From the start of the client until the last line of the session's screen stands in its terminal. */
export async function benchAttach(stage: Stage, peers: Peers): Promise<Section> {
  const sizes = [0, Math.round(10e6 * stage.scale), Math.round(64e6 * stage.scale)];
  const keepings = [orchestra, peers.tmux].filter((keeping) => keeping !== undefined);
  const worlds: World[] = [];
  const times = keepings.map(() => sizes.map((): number[] => []));
  const bare: number[] = [];
  try {
    const seats: Seat[][] = [];
    for (const {open} of keepings) {
      const world = open(stage);
      worlds.push(world);
      const list: Seat[] = [];
      seats.push(list);
      for (const size of sizes) list.push(await startFilled(stage, world, size, marker));
    }

    for (let turn = 0; turn < turns; turn++) {
      bare.push(await timeOf({argv: [process.execPath, '-e', '0'], env: stage.env, cwd: stage.directory}, ({ended}) => ended));
      for (const [row, list] of seats.entries()) {
        for (const [column, seat] of list.entries()) times[row]![column]!.push(await timeOf(seat.attach, ({see}) => see(marker)));
      }
    }
  } finally {
    for (const world of worlds) await world.close();
  }

  const ours = times[0]!.map(median);
  return {
    title: `Attach → first full screen (ms, median of ${turns})`,
    lines: [
      ...tableOf(
        ['output behind it', ...keepings.map(({name}) => name), 'orchestra to `node -e 0`'],
        sizes.map((size, column) => [`${Math.round(size / 1e6)} MB`, ...times.map((row) => show(median(row[column]!))), show(ours[column]! / median(bare))]),
      ),
      '',
      `\`node -e 0\` in the same run: ${show(median(bare))} ms. dtach: n/a, it keeps no screen and shows what comes next.`,
    ],
    goals: [atMost('attach to the screen after 10 MB, to `node -e 0`', ours[1]! / median(bare), 2)],
  };
}

async function timeOf(command: Parameters<typeof openClient>[0], until: (client: Client) => Promise<number>): Promise<number> {
  const start = performance.now();
  const client = openClient(command);
  const time = (await until(client)) - start;
  await client.kill();
  return time;
}

import {getTable, type Goal, median, reachesMin, type Section, show} from './figures.ts';
import {openOrchestra} from './orchestra.ts';
import type {Peers} from './peers.ts';
import type {Fixture} from './fixture.ts';
import {openClient} from './terminal.ts';
import {introduced, type Keeping} from './world.ts';

const rounds = 3;
/** What keeping may cost: the log is written meanwhile. */
const ofRaw = 0.9;

type Work = {
  readonly name: string;
  readonly script: string;
  readonly bytes: number;
  readonly logged: number;
};

/**
 * Time of a program that only writes, until it has exited and its keeper has read all output,
 * without a client.
 */
export async function benchDrain(fixture: Fixture, peers: Peers): Promise<Section> {
  const holders = [
    {name: 'raw PTY', drain: drainRaw},
    {name: 'orchestra', drain: drainOrchestra},
    ...[peers.tmux, peers.dtach]
      .filter((peer) => peer !== undefined)
      .map((peer) => ({name: peer.name, drain: drainIn(peer)})),
  ];
  const works = [agentWork(fixture), countWork(fixture)];
  const speeds = works.map(() => holders.map((): number[] => []));
  for (let round = 0; round < rounds; round++) {
    for (const [row, work] of works.entries()) {
      for (const [column, {drain}] of holders.entries())
        speeds[row]![column]!.push(work.bytes / 1000 / (await drain(fixture, work)));
    }
  }

  const of = (row: number, name: string): number =>
    median(speeds[row]![holders.findIndex((holder) => holder.name === name)] ?? []);
  const getGoals = (row: number, toTmux: number): Section['goals'] => [
    ...(peers.tmux === undefined
      ? []
      : [
          toTmuxOrRaw(
            `drain of ${works[row]!.name}, to tmux`,
            {ours: of(row, 'orchestra'), tmux: of(row, 'tmux'), raw: of(row, 'raw PTY')},
            toTmux,
          ),
        ]),
    reachesMin(
      `drain of ${works[row]!.name}, to the raw PTY`,
      of(row, 'orchestra') / of(row, 'raw PTY'),
      ofRaw,
    ),
  ];
  return {
    title: `Drain, nobody attached (MB/s, median of ${rounds})`,
    lines: [
      ...getTable(
        [
          'work',
          ...holders.map(({name}) => name),
          'orchestra to tmux',
          'orchestra to raw',
          'raw to tmux',
        ],
        works.map(({name}, row) => [
          name,
          ...holders.map((holder) => show(of(row, holder.name))),
          show(of(row, 'orchestra') / of(row, 'tmux')),
          show(of(row, 'orchestra') / of(row, 'raw PTY')),
          show(of(row, 'raw PTY') / of(row, 'tmux')),
        ]),
      ),
      '',
      `Nobody can keep a terminal faster than it is read and thrown away: that is the raw PTY. Where that itself is hardly faster than tmux (\`seq\`, whose short lines the kernel is slow with), the goal against tmux is ${ofRaw} of the raw PTY, if that is less; the table has both.`,
    ],
    goals: [...getGoals(0, 4), ...getGoals(1, 1.5)],
  };
}

/** So many times as fast as tmux, or as fast as a terminal can be here. */
function toTmuxOrRaw(
  what: string,
  {ours, tmux, raw}: {readonly ours: number; readonly tmux: number; readonly raw: number},
  wanted: number,
): Goal {
  const reachable = (ofRaw * raw) / tmux;
  if (reachable >= wanted) return reachesMin(what, ours / tmux, wanted);
  return {
    what,
    goal: `≥ ${wanted}, or ${ofRaw} of the raw PTY’s ${show(raw / tmux)}: ≥ ${show(reachable)}`,
    got: show(ours / tmux),
    isMet: ours / tmux >= reachable,
  };
}

function agentWork(fixture: Fixture): Work {
  const {file, size} = fixture.agentOutput(Math.round(100e6 * fixture.scale));
  return {
    name: `${Math.round(size / 1e6)} MB of agent output`,
    script: `exec cat ${file}`,
    bytes: size,
    logged: size,
  };
}

function countWork(fixture: Fixture): Work {
  const count = Math.round(1e7 * fixture.scale);
  // The terminal makes two bytes of each line's end.
  const bytes = sizeOfCount(count);
  return {name: `\`seq 1 ${count}\``, script: `exec seq 1 ${count}`, bytes, logged: bytes + count};
}

/** How many bytes the numbers up to this one are, each with its line's end. */
function sizeOfCount(count: number): number {
  let bytes = 0;
  for (let first = 1, digits = 1; first <= count; first *= 10, digits++)
    bytes += (Math.min(count + 1, first * 10) - first) * (digits + 1);
  return bytes;
}

/** The bar: the same native half of node-pty, and every byte thrown away. */
async function drainRaw(fixture: Fixture, {script}: Work): Promise<number> {
  const {argv, origin} = introduced(fixture, script);
  const client = openClient({argv, env: fixture.env, cwd: fixture.directory});
  const end = performance.timeOrigin + (await client.ended);
  return end - (await origin()).startedAt;
}

async function drainOrchestra(fixture: Fixture, {script, logged}: Work): Promise<number> {
  const bench = openOrchestra(fixture);
  try {
    const seat = await bench.start(script);
    const end = await seat.ended();
    if (seat.logged() < logged)
      throw new Error(`expected a log that goes to byte ${logged} at least, got ${seat.logged()}`);
    return end - seat.startedAt;
  } finally {
    await bench.close();
  }
}

function drainIn({open}: Keeping): (fixture: Fixture, work: Work) => Promise<number> {
  return async (fixture, {script}) => {
    const bench = open(fixture);
    try {
      const seat = await bench.start(script);
      return (await seat.ended()) - seat.startedAt;
    } finally {
      await bench.close();
    }
  };
}

import {readFileSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {eventually} from '../../../test/support/eventually.ts';
import {getTable, median, type Section, show, staysBelow} from './figures.ts';
import {openOrchestra, type OrchestraSeat} from './orchestra.ts';
import {openTmux, type Peers, type TmuxBench} from './peers.ts';
import {benchRestart} from './restart.ts';
import type {Fixture} from './fixture.ts';
import {startFilled} from './world.ts';

const counts = [8, 20] as const;
const outputSize = 1e6;
const settleMs = 3000;

/** In MiB. */
type Memory = {readonly rss: number; readonly pss: number; readonly own: number};

/**
 * What sessions cost that have written 1 MB and wait for input; and, while there are 20 of them,
 * how long a new daemon takes.
 */
export async function benchMemory(fixture: Fixture, peers: Peers): Promise<Section[]> {
  const bench = openOrchestra(fixture);
  try {
    const seats: OrchestraSeat[] = [];
    const looks = [];
    for (const count of counts) {
      while (seats.length < count) seats.push(await startFilled(fixture, bench, outputSize));
      await eventually(
        'the daemon sees that all of them wait',
        async () =>
          (await bench.sessions()).filter(({status}) => status === 'waiting').length === count,
        30_000,
      );
      // Who waits for a person waits for longer than this; by then a keeper has tidied up.
      await pass(settleMs);
      looks.push({
        keepers: seats.map(({keeperPid}) => toUiState(keeperPid)),
        daemon: toUiState(await bench.daemonPid()),
      });
    }

    const tmux = peers.tmux === undefined ? undefined : await growTmux(fixture);
    const idle = await shareOfProcessor(await bench.daemonPid(), 5000);
    return [getSection(looks, tmux, idle), await benchRestart(bench, seats)];
  } finally {
    await bench.close();
  }
}

function getSection(
  looks: readonly {readonly keepers: readonly Memory[]; readonly daemon: Memory}[],
  tmux: readonly Memory[] | undefined,
  idle: number,
): Section {
  const [few, many] = looks;
  const keeper = (figure: (memory: Memory) => number): number[] =>
    looks.map(({keepers}) => median(keepers.map(figure)));
  const [fewTotal, manyTotal] = looks.map(
    ({keepers, daemon}) => daemon.pss + keepers.reduce((sum, {pss}) => sum + pss, 0),
  );
  const between = counts[1] - counts[0];
  return {
    title: `Memory (MiB), each session after 1 MB of output and ${settleMs / 1000} s of silence`,
    lines: [
      ...getTable(
        ['', ...counts.map((count) => `with ${count} sessions`)],
        [
          ['a keeper, PSS', ...keeper(({pss}) => pss).map(show)],
          ['a keeper, private', ...keeper(({own}) => own).map(show)],
          ['a keeper, RSS', ...keeper(({rss}) => rss).map(show)],
          ['the daemon, PSS', ...looks.map(({daemon}) => show(daemon.pss))],
          ['the daemon, RSS', ...looks.map(({daemon}) => show(daemon.rss))],
          ...(tmux === undefined
            ? []
            : [['the tmux server, PSS', ...tmux.map(({pss}) => show(pss))]]),
        ],
      ),
      '',
      `Growth per session from ${counts[0]} to ${counts[1]}, PSS of everything: orchestra ${show((manyTotal! - fewTotal!) / between)}${tmux === undefined ? '' : `, tmux server ${show((tmux[1]!.pss - tmux[0]!.pss) / between)}`}; the daemon alone ${show((many!.daemon.pss - few!.daemon.pss) / between)}.`,
      'PSS is what a process has alone and its part of what it shares, here Node’s own 37 MB of file pages: with every other Node process on the machine a keeper’s becomes smaller, and its private memory does not.',
      `The daemon’s share of a core with ${counts[1]} sessions that wait and nobody there: ${show(100 * idle)} %.`,
    ],
    goals: [
      staysBelow('keeper, PSS with 8 running (MiB)', keeper(({pss}) => pss)[0]!, 12),
      staysBelow('daemon, RSS with 20 sessions (MiB)', many!.daemon.rss, 150),
      staysBelow(
        'a keeper’s private memory with 20, to that with 8 (flat is 1)',
        keeper(({own}) => own)[1]! / keeper(({own}) => own)[0]!,
        1.1,
      ),
    ],
  };
}

async function growTmux(fixture: Fixture): Promise<Memory[]> {
  const bench: TmuxBench = openTmux(fixture);
  const looks: Memory[] = [];
  try {
    let sessions = 0;
    for (const count of counts) {
      for (; sessions < count; sessions++) await startFilled(fixture, bench, outputSize);
      looks.push(toUiState(await bench.serverPid()));
    }

    return looks;
  } finally {
    await bench.close();
  }
}

function toUiState(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return {rss: of('Rss'), pss: of('Pss'), own: of('Private_Clean') + of('Private_Dirty')};
}

/** Over some time, because a share has no other meaning. */
async function shareOfProcessor(pid: number, duration: number): Promise<number> {
  const ticks = (): number => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  };

  const before = {at: performance.now(), ticks: ticks()};
  await pass(duration);
  return ((ticks() - before.ticks) * 10) / (performance.now() - before.at);
}

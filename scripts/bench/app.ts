// What the app costs, beside tmux (and mprocs, ccmanager where they can be installed) and beside an
// older version in the same run. `npm run build` first; BENCH_SCALE=0.1 for a quick look,
// BENCH_ONLY='keys|first frame' for some of it by name.
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as pass} from 'node:timers/promises';
import {type AppPeers, installPeers} from './app/install-peers.ts';
import {getBudgets} from './app/budgets.ts';
import {type KeyCosts, measureListKeys} from './app/list-keys.ts';
import {counts, type Figures, measure} from './app/measure.ts';
import {getTicks, toUiState} from './app/process-figures.ts';
import {countStillFrames} from './app/still-frames.ts';
import {openViewer} from './app/viewer.ts';
import {
  getTable,
  type Goal,
  median,
  quantile,
  reachesMin,
  type Section,
  show,
  staysBelow,
} from './sessions/figures.ts';
import {createFixture, type Fixture} from './sessions/fixture.ts';

export type AppBenchOptions = {
  /** A built checkout of the version to compare with. */
  readonly before?: string | undefined;
};

export async function benchApp({before: checkout}: AppBenchOptions = {}): Promise<string> {
  const fixture = createFixture(Number(process.env['BENCH_SCALE'] ?? 1));
  const load = (): string => os.loadavg()[0]!.toFixed(1);
  const before = load();
  const start = performance.now();
  try {
    const peers = await installPeers(fixture);
    const older = checkout === undefined ? [] : [fixture.withProgramOf(path.resolve(checkout))];
    const isWanted = (name: string): boolean =>
      new RegExp(process.env['BENCH_ONLY'] ?? '').test(name);
    const still = await countStillFrames();
    const [keys, keysBefore] = await measureListKeys([fixture, ...older], isWanted);
    const sessions = await measure(
      [
        {name: 'orchestra', fixture},
        ...older.map((at) => ({name: 'before', fixture: at})),
        {name: 'tmux', fixture},
        ...(peers.mprocs === undefined ? [] : [{name: 'mprocs', fixture}]),
      ],
      peers.mprocs,
    );
    const all = [
      ...sessions,
      ...(peers.ccmanager === undefined ? [] : [await getMenu(fixture, peers.ccmanager)]),
    ];
    const {lines, goals, title} = getSection(all);
    const [ours, tmux] = [findFigures(all, 'orchestra'), findFigures(all, 'tmux')];
    const budgets = getBudgets({ours, tmux, keys: keys ?? new Map(), keysBefore, still});
    return [
      `${os.cpus().length} cores, Linux ${os.release()}, Node ${process.versions.node}, ${peers.versions.join(', ')}; load average ${before} before, ${load()} after; scale ${fixture.scale}; ${Math.round((performance.now() - start) / 1000)} s.`,
      '',
      `### ${title}`,
      '',
      ...lines,
      '',
      ...(keys === undefined ? [] : formatKeyTable(keys, keysBefore)),
      '',
      `### Budgets: ${budgets.filter(({isMet}) => isMet).length} of ${budgets.length} met in this run`,
      '',
      ...formatGoals(budgets),
      '',
      `### Other goals: ${goals.filter(({isMet}) => isMet).length} of ${goals.length} met in this run`,
      '',
      ...formatGoals(goals),
      '',
    ].join('\n');
  } finally {
    // Processes that a peer leaves are killed and reported; the figures stay valid.
    await fixture
      .close()
      .catch((error: unknown) => void process.stderr.write(`${String(error)}\n`));
  }
}

function formatGoals(goals: readonly Goal[]): string[] {
  return getTable(
    ['figure', 'measured', 'budget', ''],
    goals.map(({what, goal, got, isMet}) => [what, got, goal, isMet ? 'met' : '**missed**']),
  );
}

function formatKeyTable(keys: KeyCosts, before: KeyCosts | undefined): string[] {
  return getTable(
    ['a key in (ms of processor time)', 'orchestra', 'before', 'ratio'],
    [...keys].map(([list, ms]) => [
      list,
      show(ms),
      show(before?.get(list)),
      show(ms / (before?.get(list) ?? Number.NaN)),
    ]),
  );
}

function findFigures(all: readonly Figures[], name: string): Figures {
  return all.find((one) => one.name === name)!;
}

/**
 * ccmanager starts its agents itself, so only its menu is beside us: how soon it is there, and what
 * it takes to show it.
 */
async function getMenu(
  fixture: Fixture,
  {argv, until}: NonNullable<AppPeers['ccmanager']>,
): Promise<Figures> {
  const times: number[] = [];
  const figures: Figures = {name: 'ccmanager, its menu', memory: new Map()};
  for (let turn = 0; turn < 5; turn++) {
    const viewer = await openViewer({argv, env: fixture.env, cwd: fixture.directory});
    times.push(await viewer.shows(until));
    if (turn === 4) {
      await pass(3000);
      const [ticks, at] = [getTicks([viewer.pid]), performance.now()];
      await pass(5000);
      figures.idle = ((getTicks([viewer.pid]) - ticks) * 10) / (performance.now() - at);
      const all = toUiState([viewer.pid]);
      figures.memory.set(1, {all, viewer: all});
    }

    await viewer.close();
  }

  figures.first = median(times);
  return figures;
}

function getSection(all: readonly Figures[]): Section {
  const [ours, tmux] = [findFigures(all, 'orchestra'), findFigures(all, 'tmux')];
  const node = ours.bare ?? Number.NaN;
  const row = (what: string, figure: (one: Figures) => number | undefined): string[] => [
    what,
    ...all.map((one) => show(figure(one))),
  ];
  const at = (times: readonly number[] | undefined, share: number): number =>
    quantile(times ?? [], share);
  // A slow viewer blocks the writer, so the cost per megabyte counts.
  const perMegabyte = ({cpu, steady}: Figures): number | undefined =>
    cpu === undefined || steady === undefined ? undefined : (cpu * 1000) / (steady / 1e6);
  const getEach = (one: Figures): number =>
    ((one.memory.get(32)?.viewer ?? Number.NaN) - (one.memory.get(1)?.viewer ?? Number.NaN)) / 31;
  return {
    title: 'The app: opening, resting, drawing, typing',
    lines: [
      ...getTable(
        ['', ...all.map(({name}) => name)],
        [
          row('first useful frame (ms)', ({first}) => first),
          row('first frame of now (ms)', ({live}) => live),
          row('idle, 1 pane (% of a core)', ({idle}) =>
            idle === undefined ? undefined : idle * 100,
          ),
          row('4 panes at 1 MB/s (% of a core)', ({cpu}) =>
            cpu === undefined ? undefined : cpu * 100,
          ),
          row('they wrote meanwhile (MB/s)', ({steady}) =>
            steady === undefined ? undefined : steady / 1e6,
          ),
          row('that is, for each MB of theirs (ms)', perMegabyte),
          row('written to the terminal meanwhile (kB/s)', ({bytes}) =>
            bytes === undefined ? undefined : bytes / 1000,
          ),
          row('key → echo, p50 (ms)', ({keys}) => at(keys, 0.5)),
          row('key → echo, p99 (ms)', ({keys}) => at(keys, 0.99)),
          row('key → echo, agent-like interface, zoomed, p50 (ms)', (one) =>
            at(one.interface, 0.5),
          ),
          row('key → echo, agent-like interface, zoomed, p99 (ms)', (one) =>
            at(one.interface, 0.99),
          ),
          row('key → echo, the same in a 2×2 grid, p50 (ms)', ({grid}) => at(grid, 0.5)),
          row('key → echo, the same in a 2×2 grid, p99 (ms)', ({grid}) => at(grid, 0.99)),
          row('key → echo, 8 flooding, p50 (ms)', ({flooded}) => at(flooded, 0.5)),
          row('key → echo, 8 flooding, p99 (ms)', ({flooded}) => at(flooded, 0.99)),
          row('the flooding wrote meanwhile (MB/s)', ({flood}) => flood),
          ...counts.map((count) =>
            row(
              `memory, PSS, ${count} filled sessions (MiB)`,
              ({memory}) => memory.get(count)?.all,
            ),
          ),
          ...counts.map((count) =>
            row(
              `of that, what shows them (MiB)`.replace('them', count === 1 ? 'it' : `the ${count}`),
              ({memory}) => memory.get(count)?.viewer,
            ),
          ),
        ],
      ),
      '',
      `Bare \`node\` that prints a word, in turns with orchestra: ${show(node)} ms. Processor time and memory are of everything that keeps and shows the sessions: app, daemon and keepers; tmux client and server; not of the programs in them. What shows them is the app alone, and tmux client and server, which keep them too. A filled session has printed 1 MiB of agent output; tmux keeps 5,000 lines. What programs wrote is read from \`/proc/<pid>/io\`, for everybody alike; mprocs shows one pane at a time.`,
    ],
    goals: [
      staysBelow(
        '4 panes at 1 MB/s, processor for each MB, to tmux',
        perMegabyte(ours)! / perMegabyte(tmux)!,
        1,
      ),
      reachesMin('speed of the flooding panes meanwhile, to tmux', ours.flood! / tmux.flood!, 0.8),
      staysBelow(
        'what shows a session, for each beyond the first, to tmux',
        getEach(ours) / getEach(tmux),
        1,
      ),
    ],
  };
}

if (import.meta.main) process.stdout.write(await benchApp());

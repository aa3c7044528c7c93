import process from 'node:process';
import {Buffer} from 'node:buffer';
import {setTimeout as pass} from 'node:timers/promises';
import {eventually} from '../../../test/support/eventually.ts';
import {createRandom} from '../../../test/support/random.ts';
import {median} from '../sessions/figures.ts';
import type {Fixture} from '../sessions/fixture.ts';
import {type AppBench, openAppBench} from './app-bench.ts';
import {interactiveProgram} from './interactive-program.ts';
import {getTicks, toUiState} from './process-figures.ts';
import {openViewer, type Viewer} from './viewer.ts';

/** Figures of one program that shows sessions. What it cannot do, or did not do in time, is absent. */
export type Figures = {
  readonly name: string;
  /** ms until something useful was there, and until it was of now. */
  first?: number;
  live?: number;
  /** The same for bare Node that prints a word, in turns with the two. */
  bare?: number;
  /** Shares of a core. */
  idle?: number;
  cpu?: number;
  /** Bytes a second to the terminal, and what the four panes wrote meanwhile. */
  bytes?: number;
  steady?: number;
  keys?: readonly number[];
  flooded?: readonly number[];
  /** In a program that draws as the interface of an agent: zoomed, and in one of four panes. */
  interface?: readonly number[];
  grid?: readonly number[];
  /** What the flooding panes wrote meanwhile, MB/s. */
  flood?: number;
  /** PSS in MiB by number of sessions: everything, and what shows them alone. */
  readonly memory: Map<number, {readonly all: number; readonly viewer: number}>;
};

/** What is measured, and where it runs. */
export type Program = {readonly name: string; readonly fixture: Fixture};

export const counts = [1, 8, 32] as const;
const floods = 8;
const inGrid = 'interface, in a grid';

/**
 * One figure after another, and each of everybody in turn: a machine is busier at one moment than
 * at another.
 */
export async function measure(
  programs: readonly Program[],
  mprocs: string | undefined,
): Promise<readonly Figures[]> {
  const all = programs.map(({name}): Figures => ({name, memory: new Map()}));
  const each = programs.map(({fixture}, index) => getActs(fixture, all[index]!, mprocs));
  for (const index of each[0]?.keys() ?? []) for (const acts of each) await acts[index]?.();
  return all;
}

function getActs(
  fixture: Fixture,
  figures: Figures,
  mprocs: string | undefined,
): readonly (() => Promise<void>)[] {
  const {name: kind} = figures;
  const acts: (() => Promise<void>)[] = [];
  const act = (
    name: string,
    scripts: readonly string[],
    use: (bench: AppBench, viewer: Viewer) => Promise<void>,
  ): void =>
    void acts.push(async () => {
      if (!new RegExp(process.env['BENCH_ONLY'] ?? '').test(name)) return;
      // It shows one pane at a time.
      if (kind === 'mprocs' && name === inGrid) return;
      process.stderr.write(`${kind}: ${name}\n`);
      const bench = await openAppBench(fixture, kind, scripts, mprocs);
      const viewer = await openViewer(bench.view);
      try {
        await use(bench, viewer);
      } catch (error) {
        // Continue with the other figures; this one is shown as a dash.
        process.stderr.write(`${kind}: ${name}: ${String(error).split('\n')[0]}\n`);
      } finally {
        await viewer.close();
        await bench.close();
      }
    });

  act('idle and first frame', [waiting], async (bench, viewer) => {
    await viewer.shows(/READY-1/, bench.open);
    // What is loaded late, and what is kept for the next start, is done by then.
    await pass(4000);
    figures.idle = await getShare(bench, viewer, Math.max(5000, 20_000 * fixture.scale));
    const {first, live, bare} = await getFirst(fixture, bench);
    Object.assign(figures, {first, live, bare});
  });
  for (const count of counts) {
    act(
      `memory, ${count} sessions`,
      Array.from({length: count}, () => filled(fixture)),
      async (bench, viewer) => {
        await viewer.shows(/FILLED/, bench.open);
        await pass(4000);
        figures.memory.set(count, {
          all: toUiState(bench.pids(viewer.pid)),
          viewer: toUiState(bench.pids(viewer.pid).slice(0, kind === 'tmux' ? 2 : 1)),
        });
      },
    );
  }

  act(
    'four panes at 1 MB/s',
    Array.from({length: 4}, () => steady(fixture)),
    async (bench, viewer) => {
      await bench.showAll(viewer, 4);
      await pass(3000);
      const before = {bytes: viewer.received(), written: bench.written(), at: performance.now()};
      figures.cpu = await getShare(bench, viewer, Math.max(4000, 15_000 * fixture.scale));
      const seconds = (performance.now() - before.at) / 1000;
      figures.bytes = (viewer.received() - before.bytes) / seconds;
      // All but the first are counted.
      figures.steady = ((bench.written() - before.written) * 4) / 3 / seconds;
    },
  );
  const presses = Math.max(100, Math.round(400 * fixture.scale));
  act('keys', [echoing], async (bench, viewer) => {
    await bench.typeInto(viewer);
    await pressKeys(viewer, 30);
    figures.keys = await pressKeys(viewer, presses);
  });
  act('interface, zoomed', [interactiveProgram(fixture, 'waiting')], async (bench, viewer) => {
    await bench.typeInto(viewer);
    await pressKeys(viewer, 30);
    figures.interface = await pressKeys(viewer, presses);
  });
  act(
    inGrid,
    [
      interactiveProgram(fixture, 'waiting'),
      ...Array.from({length: 3}, () => interactiveProgram(fixture, 'working')),
    ],
    async (bench, viewer) => {
      await bench.typeIntoGrid(viewer);
      await pressKeys(viewer, 30);
      figures.grid = await pressKeys(viewer, presses);
    },
  );
  act(
    `keys with ${floods} flooding panes`,
    [echoing, ...Array.from({length: floods}, () => flood(fixture))],
    async (bench, viewer) => {
      await bench.typeInto(viewer);
      await pressKeys(viewer, 30);
      const before = {written: bench.written(), at: performance.now()};
      figures.flooded = await pressKeys(viewer, presses);
      figures.flood = (bench.written() - before.written) / 1000 / (performance.now() - before.at);
    },
  );
  return acts;
}

const waiting = "printf 'READY-1\\n'; exec cat";
const echoing = "stty raw -echo; printf 'READY-TO-ECHO'; exec cat";

/** More lines than anybody keeps, then silence. */
function filled(fixture: Fixture): string {
  return `cat ${fixture.agentOutput(1024 * 1024).file}; printf 'FILLED\\n'; exec cat`;
}

/** 1 MB/s in steps of 20 ms. */
function steady(fixture: Fixture): string {
  const {file} = fixture.agentOutput(64 * 1024);
  return `exec ${process.execPath} -e 'const b=require("fs").readFileSync("${file}").subarray(0,20000);setInterval(()=>process.stdout.write(b),20)'`;
}

function flood(fixture: Fixture): string {
  return `exec yes "$(cat ${fixture.agentOutput(64 * 1024).file})"`;
}

/** Of one core, everything that keeps and shows the sessions; not the sessions' own programs. */
async function getShare(bench: AppBench, viewer: Viewer, ms: number): Promise<number> {
  const pids = bench.pids(viewer.pid);
  const before = {at: performance.now(), ticks: getTicks(pids)};
  await pass(ms);
  return ((getTicks(pids) - before.ticks) * 10) / (performance.now() - before.at);
}

/** In turns, because a machine is busier at one moment than at another. */
async function getFirst(
  fixture: Fixture,
  bench: AppBench,
): Promise<{readonly first: number; readonly live: number; readonly bare: number}> {
  const node = {
    argv: [process.execPath, '-e', 'console.log("up")'],
    env: fixture.env,
    cwd: fixture.directory,
  };
  const times = {first: [] as number[], live: [] as number[], bare: [] as number[]};
  const look = async (
    into: number[],
    command: AppBench['view'],
    what: RegExp,
    after?: RegExp,
  ): Promise<void> => {
    const viewer = await openViewer(command);
    if (after !== undefined) await viewer.shows(after);
    into.push(await viewer.shows(what));
    await viewer.close();
  };

  for (let turn = 0; turn < Math.max(5, Math.round(11 * fixture.scale)); turn++) {
    await look(times.bare, node, /up/);
    await look(times.first, bench.view, bench.useful);
    await look(times.live, bench.view, bench.live ?? bench.useful, bench.cached);
  }

  return {first: median(times.first), live: median(times.live), bare: median(times.bare)};
}

/** Never in step with anything: between two presses pass 5 to 20 ms. */
async function pressKeys(viewer: Viewer, presses: number): Promise<number[]> {
  const random = createRandom('presses');
  const times: number[] = [];
  for (let press = 0; press < presses; press++) {
    const key = ['{', '}', '%', '&'][press % 4]!;
    const count = viewer.count(key);
    const at = performance.now();
    viewer.press(Buffer.from(key));
    await eventually(`the echo of ${key}`, () => viewer.count(key) > count, 10_000);
    times.push((viewer.lastSeen(key) ?? performance.now()) - at);
    await pass(5 + random.below(15));
  }

  return times;
}

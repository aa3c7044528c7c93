// What the app costs, beside tmux (and mprocs, ccmanager where they can be installed) in the same run. `npm run build` first; BENCH_SCALE=0.1 for a quick look.
import {Buffer} from 'node:buffer';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as pass} from 'node:timers/promises';
import {createRandom} from '../../test/support/random.ts';
import {eventually} from '../../test/support/eventually.ts';
import {type AppWorld, openAppWorld} from './app/app-world.ts';
import {installPeers} from './app/install-peers.ts';
import {memoryOf, ticksOf} from './app/process-figures.ts';
import {type Viewer, openViewer} from './app/viewer.ts';
import {type Section, atMost, median, quantile, show, tableOf} from './sessions/figures.ts';
import {createStage, type Stage} from './sessions/stage.ts';

type Figures = {readonly name: string; first?: number; idle?: number; cpu?: number; bytes?: number; p50?: number; p99?: number; readonly memory: Map<number, number>};

export async function benchApp(): Promise<string> {
  const made = createStage(Number(process.env['BENCH_SCALE'] ?? 1));
  const dist = process.env['ORCHESTRA_DIST'];
  const stage: Stage = dist === undefined ? made : {...made, launcher: path.resolve(dist, 'orchestra.js')};
  const load = (): string => os.loadavg()[0]!.toFixed(1);
  const before = load();
  const start = performance.now();
  try {
    const peers = await installPeers(stage);
    const all: Figures[] = [];
    for (const kind of ['orchestra', 'tmux', ...(peers.mprocs === undefined ? [] : ['mprocs'])] as const) all.push(await measure(stage, kind, peers.mprocs));
    if (peers.ccmanager !== undefined) all.push({name: 'ccmanager', memory: new Map(), first: await firstFrameOf(stage, peers.ccmanager)});
    const node = await firstFrameOf(stage, {argv: [process.execPath, '-e', 'console.log("up")'], until: /up/});
    const {lines, goals, title} = sectionOf(all, node);
    return [
      `${os.cpus().length} cores, Linux ${os.release()}, Node ${process.versions.node}, ${peers.versions.join(', ')}; load average ${before} before, ${load()} after; scale ${stage.scale}; ${Math.round((performance.now() - start) / 1000)} s.`, '',
      `### ${title}`, '', ...lines, '', `### Goals: ${goals.filter(({isMet}) => isMet).length} of ${goals.length} met in this run`, '',
      ...tableOf(['what', 'goal', 'here', ''], goals.map(({what, goal, got, isMet}) => [what, goal, got, isMet ? 'met' : '**missed**'])), '',
    ].join('\n');
  } finally {
    await stage.close();
  }
}

async function measure(stage: Stage, kind: string, mprocs: string | undefined): Promise<Figures> {
  const figures: Figures = {name: kind, memory: new Map()};
  const say = (what: string): void => void process.stderr.write(`${kind}: ${what}\n`);
  const act = async (name: string, scripts: readonly string[], use: (world: AppWorld, viewer: Viewer) => Promise<void>): Promise<void> => {
    say(name);
    const world = await openAppWorld(stage, kind, scripts, mprocs);
    const viewer = await openViewer(world.view);
    try {
      await use(world, viewer);
    } finally {
      await viewer.close();
      await world.close();
    }
  };

  await act('first frame, idle and memory with 1 pane', [waiting], async (world, viewer) => {
    await viewer.shows(/READY-1/, world.open);
    figures.idle = await shareOf(world, viewer, stage);
    figures.memory.set(1, memoryOf(world.pids(viewer.pid)));
    const firsts: number[] = [];
    for (let turn = 0; turn < Math.max(3, Math.round(7 * stage.scale)); turn++) {
      const again = await openViewer(world.view);
      firsts.push(await again.shows(world.useful));
      await again.close();
    }

    figures.first = median(firsts);
  });
  await act('four panes at 1 MB/s', Array.from({length: 4}, () => steady(stage)), async (world, viewer) => {
    await world.showAll(viewer, 4);
    const written = viewer.received();
    const at = performance.now();
    figures.cpu = await shareOf(world, viewer, stage);
    figures.bytes = (viewer.received() - written) / ((performance.now() - at) / 1000);
  });
  await act('eight panes: memory, then keys while they flood', [echoing, ...Array.from({length: 7}, () => waiting)], async (world, viewer) => {
    await viewer.shows(/READY/, world.open);
    figures.memory.set(8, memoryOf(world.pids(viewer.pid)));
  });
  await act('keys with eight flooding panes', [echoing, ...Array.from({length: 8}, () => flood(stage))], async (world, viewer) => {
    if (world.typeInto === undefined) return;
    await world.typeInto(viewer);
    await pressKeys(viewer, 20);
    const times = await pressKeys(viewer, Math.max(40, Math.round(200 * stage.scale)));
    figures.p50 = quantile(times, 0.5);
    figures.p99 = quantile(times, 0.99);
  });
  return figures;
}

const waiting = "printf 'READY-1\\n'; exec cat";
const echoing = "stty raw -echo; printf 'READY-TO-ECHO'; exec cat";

/** 1 MB/s in steps of 20 ms. */
function steady(stage: Stage): string {
  const {file} = stage.agentOutput(64 * 1024);
  return `exec ${process.execPath} -e 'const b=require("fs").readFileSync("${file}").subarray(0,20000);setInterval(()=>process.stdout.write(b),20)'`;
}

function flood(stage: Stage): string {
  return `exec yes "$(cat ${stage.agentOutput(64 * 1024).file})"`;
}

/** Of one core, everything that keeps and shows the sessions; not the sessions' own programs. */
async function shareOf(world: AppWorld, viewer: Viewer, {scale}: Stage): Promise<number> {
  const pids = world.pids(viewer.pid);
  const before = {at: performance.now(), ticks: ticksOf(pids)};
  await pass(Math.max(2000, 6000 * scale));
  return ((ticksOf(pids) - before.ticks) * 10) / (performance.now() - before.at);
}

async function firstFrameOf(stage: Stage, {argv, until}: {readonly argv: readonly string[]; readonly until: RegExp}): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const viewer = await openViewer({argv, env: stage.env, cwd: stage.directory});
    times.push(await viewer.shows(until));
    await viewer.close();
  }

  return median(times);
}

async function pressKeys(viewer: Viewer, presses: number): Promise<number[]> {
  const random = createRandom('presses');
  const times: number[] = [];
  for (let press = 0; press < presses; press++) {
    const key = ['{', '}', '%', '&'][press % 4]!;
    const count = viewer.count(key);
    const at = performance.now();
    viewer.press(Buffer.from(key));
    await eventually(`the echo of ${key}`, () => viewer.count(key) > count, 30_000);
    times.push((viewer.lastSeen(key) ?? performance.now()) - at);
    await pass(5 + random.below(15));
  }

  return times;
}

function sectionOf(all: readonly Figures[], node: number): Section {
  const of = (name: string): Figures | undefined => all.find((one) => one.name === name);
  const [ours, tmux] = [of('orchestra')!, of('tmux')!];
  const percent = (value: number | undefined): string => show(value === undefined ? undefined : value * 100);
  return {
    title: 'The app: opening, resting, drawing, typing',
    lines: [
      ...tableOf(
        ['', ...all.map(({name}) => name)],
        [
          ['first useful frame (ms)', ...all.map(({first}) => show(first))],
          ['idle, 1 pane (% of a core)', ...all.map(({idle}) => percent(idle))],
          ['4 panes at 1 MB/s (% of a core)', ...all.map(({cpu}) => percent(cpu))],
          ['written to the terminal meanwhile (kB/s)', ...all.map(({bytes}) => show(bytes === undefined ? undefined : bytes / 1000))],
          ['key → echo, 8 flooding, p50 (ms)', ...all.map(({p50}) => show(p50))],
          ['key → echo, 8 flooding, p99 (ms)', ...all.map(({p99}) => show(p99))],
          ...[1, 8].map((count) => [`memory, PSS, ${count} panes (MiB)`, ...all.map(({memory}) => show(memory.get(count)))]),
        ],
      ),
      '',
      `Bare \`node\` that prints a word: ${show(node)} ms. Processor time and memory are of everything that keeps and shows the sessions: app, daemon and keepers; tmux client and server; not of the programs in them.`,
    ],
    goals: [
      atMost('first useful frame, to bare node', ours.first! / node, 5),
      atMost('idle, to one hundredth of a core', ours.idle! * 100, 1),
      atMost('4 panes at 1 MB/s, processor, to tmux', ours.cpu! / tmux.cpu!, 1),
      atMost('key → echo, flooded, p50, to tmux', ours.p50! / tmux.p50!, 0.1),
      atMost('key → echo, flooded, p99, to tmux', ours.p99! / tmux.p99!, 0.25),
    ],
  };
}

if (import.meta.main) process.stdout.write(await benchApp());

import process from 'node:process';
import {Buffer} from 'node:buffer';
import {setTimeout as pass} from 'node:timers/promises';
import {eventually} from '../../../test/support/eventually.ts';
import {median} from '../sessions/figures.ts';
import type {Fixture} from '../sessions/fixture.ts';
import {openStory, type Story} from './list-story.ts';
import {getRunMs} from './process-figures.ts';
import {openViewer, type Viewer} from './viewer.ts';

/** A list of the app: the keys that open it, and text that shows that it is open. */
type List = {
  readonly name: string;
  readonly story: Story;
  readonly open: readonly string[];
  readonly shows: RegExp;
};

/** By keys and words that every version has. */
const lists: readonly List[] = [
  {name: 'plan', story: 'a plan to approve', open: ['p'], shows: /Sum up module 3\b/},
  {name: 'settings', story: 'a plan to approve', open: [','], shows: /Enter change/i},
  {name: 'keys', story: 'a plan to approve', open: ['m'], shows: /page/i},
  {name: 'help', story: 'a plan to approve', open: ['?', '?'], shows: /zoom/i},
  {name: 'diff', story: 'a run to accept', open: ['r'], shows: /value0 = compute/},
  {name: 'timeline', story: 'a run to accept', open: ['t', 'a'], shows: /everything/},
  {name: 'workers', story: 'a run to accept', open: ['w'], shows: /Sum up module 5/},
  {name: 'brief', story: 'a run to accept', open: ['b'], shows: /Give every module/},
];

/** Milliseconds of processor time of the app for one key, by the name of the list. */
export type KeyCosts = ReadonlyMap<string, number>;

/**
 * What a key in a list costs. All programs show the same list at the same time and are measured in
 * turns: a machine is busier at one moment than at another.
 */
export async function measureListKeys(
  fixtures: readonly Fixture[],
  isWanted: (name: string) => boolean,
): Promise<readonly KeyCosts[]> {
  const costs = fixtures.map(() => new Map<string, number>());
  const stories = new Set(lists.map(({story}) => story));
  for (const story of stories) {
    const wanted = lists.filter((list) => list.story === story && isWanted(`list ${list.name}`));
    if (wanted.length === 0) continue;
    process.stderr.write(`keys in lists: ${story}\n`);
    const apps = await openApps(fixtures, story);
    try {
      for (const list of wanted) {
        process.stderr.write(`keys in lists: ${list.name}\n`);
        const rounds = Math.max(2, Math.round(5 * fixtures[0]!.scale));
        try {
          const each = await measureList(apps, list, rounds);
          for (const [index, cost] of each.entries()) costs[index]!.set(list.name, cost);
        } catch (error) {
          // Continue with the other lists; this one is shown as a dash.
          process.stderr.write(`keys in lists: ${list.name}: ${String(error).split('\n')[0]}\n`);
        }
      }
    } finally {
      for (const {close} of apps) await close();
    }
  }

  return costs;
}

type OpenApp = {readonly viewer: Viewer; readonly close: () => Promise<void>};

async function openApps(fixtures: readonly Fixture[], story: Story): Promise<readonly OpenApp[]> {
  const apps: OpenApp[] = [];
  for (const fixture of fixtures) {
    const bench = await openStory(fixture, story);
    const viewer = await openViewer({
      argv: [process.execPath, fixture.launcher],
      env: bench.env,
      cwd: bench.root,
    });
    await viewer.shows(/Give every module its sum/);
    apps.push({
      viewer,
      close: async () => {
        await viewer.close();
        await bench.run('daemon', 'stop');
      },
    });
  }

  return apps;
}

async function measureList(
  apps: readonly OpenApp[],
  list: List,
  rounds: number,
): Promise<readonly number[]> {
  for (const {viewer} of apps) await openList(viewer, list);
  const times = apps.map((): number[] => []);
  // The compiler has seen everything by then.
  for (const {viewer} of apps) await pressThrough(viewer);
  for (let round = 0; round < rounds; round++)
    for (const [index, {viewer}] of apps.entries()) times[index]!.push(await pressThrough(viewer));
  return times.map(median);
}

async function openList(viewer: Viewer, {open, shows}: List): Promise<void> {
  viewer.press(Buffer.from('\u001B'));
  await pass(300);
  for (const key of open) {
    viewer.press(Buffer.from(key));
    await pass(700);
  }

  await viewer.shows(shows);
}

/** More than a screen has rows, so that every version scrolls. */
const keysPerRound = 144;
const [up, down] = ['\u001B[A', '\u001B[B'];

/** Down through the list and up again, as often as a short list needs for enough keys. */
async function pressThrough(viewer: Viewer): Promise<number> {
  const before = getRunMs(viewer.pid);
  let answered = 0;
  for (let pressed = 0; pressed < keysPerRound;)
    for (const key of [down, up])
      for (let press = 0; press < keysPerRound / 2; press++) {
        pressed++;
        if (!(await pressAndLook(viewer, key))) break;
        answered++;
      }

  return (getRunMs(viewer.pid) - before) / answered;
}

async function pressAndLook(viewer: Viewer, key: string): Promise<boolean> {
  const before = viewer.received();
  viewer.press(Buffer.from(key));
  const isAnswered = await eventually('an answer', () => viewer.received() > before, 60).catch(
    () => false,
  );
  // Frames of two keys never become one.
  await pass(12);
  return isAnswered;
}

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawnSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {resolveRepoPaths} from '../../../source/cli/repo-paths.ts';
import {launcher, processesIn} from '../../daemon/support/daemon-fixture.ts';
import {eventually} from '../../support/eventually.ts';
import {openTmux, type Tmux} from './support/open-tmux.ts';

type Fixture = {
  readonly tmux: Tmux;
  readonly home: string;
  readonly root: () => string;
  readonly git: (...argv: readonly string[]) => string;
  readonly remembered: () => unknown;
};

test(
  'a person goes through the whole demo by keys, is killed in the middle, and comes back to the same place',
  {timeout: 900_000},
  async (t) => {
    const fixture = createFixture(t);
    const {tmux} = fixture;
    tmux.run(fixture.home, process.execPath, launcher, 'demo');

    await step('the app opens with what happened, and says that a plan waits', async () => {
      await tmux.shows(/You are back\.[^]*the plan of r1 waits for your approval/);
      assert.equal(tmux.size(), '80×24');
    });

    await step('the plan can be read to its end, and is approved', async () => {
      tmux.press('p');
      await tmux.shows(
        /Plan of r1 \w{10}[^]*1 Objective\n.*Charge whole cents[^]*The planner changed nothing: tree \w{10} before and after/,
      );
      tmux.press('End');
      await tmux.shows(/Rules[^]*The tests pass/);
      await approve(tmux);
    });

    await step('workers are seen at work, and one of them asks', async () => {
      await tmux.shows(/! 1 needs you {2}r1\.t2 asks: Which sign shall stand behind a price\?/);
      tmux.press('w');
      await choose(tmux, 't2');
      await tmux.shows(/│▸.*t2 Write prices[^]*playbook: t2, attempt 1, 4 steps[^]*1\) EUR/);
    });

    await step('the terminal is made larger under it: more panes, nothing lost', async () => {
      tmux.resize(160, 45);
      await tmux.shows(
        /playbook: t2, attempt 1, 4 steps[^]*Which sign shall stand behind a price\?/,
      );
      await eventually('a frame as wide as the terminal', () =>
        tmux
          .screen()
          .split('\n')
          .some((line) => line.length > 140),
      );
      assert.equal(tmux.size(), '160×45');
      tmux.resize(80, 24);
      await tmux.shows(/^ ! 1 needs you .{40,58}n shows it\n[^]*playbook: t2, attempt 1, 4 steps/);
    });

    await step(
      'a client that is killed while a pane is zoomed loses nothing: the next one shows the same pane, zoomed',
      async () => {
        tmux.press('z');
        await tmux.shows(zoomed);
        await eventually('what a killed app leaves behind', () =>
          isPlace(fixture.remembered(), {screen: 'workers', isZoomed: true}),
        );
        const {selected} = fixture.remembered() as {readonly selected: string};
        const pid = tmux.pid();
        process.kill(pid, 'SIGKILL');
        assert.equal(await tmux.end(), 128 + 9);
        comeBack(fixture);
        await tmux.shows(/You are back\.[^]*Which sign shall stand behind a price\?/);
        tmux.press('Enter');
        await tmux.shows(zoomed);
        assert.notEqual(tmux.pid(), pid);
        await eventually('it is still where it was', () =>
          isPlace(fixture.remembered(), {selected, isZoomed: true, screen: 'workers'}),
        );
      },
    );

    await step('the question is answered', async () => {
      tmux.press('n');
      await tmux.shows(/A question from r1\.t2[^]*Enter write/);
      tmux.press('Enter');
      await tmux.shows(/Answer:/);
      tmux.type('EUR');
      await tmux.shows(/Answer: EUR/);
      tmux.press('Enter');
      await tmux.shows(/This is settled\./);
    });

    await step('the timeline tells of the one retry', async () => {
      tmux.press('t');
      await tmux.shows(/ Timeline {2}of r1 .*\n.*(?: ago|just now) /);
      // The end of it moves on with the run, its beginning stays.
      tmux.press('Home');
      await tmux.shows(
        /r1\.t1 attempt 1 is red: TEST_FAILURE[^]*r1\.t1 attempt 2, to repair[^]*r1\.t1 is green/,
      );
    });

    await step('what is done is reviewed and accepted into the branch', async () => {
      await tmux.shows(/r1 is done and validated/, 300_000);
      tmux.press('n');
      await tmux.shows(/Done, to be accepted[^]*✓ t4 .*merged[^]*v look at the diff/);
      tmux.press('v');
      await tmux.shows(/5 files \+15 -3[^]*✓ all 4 tasks are merged[^]*file 1 of 5/);
      tmux.press(']');
      await tmux.shows(/src\/format\.js[^]*file 2 of 5[^]*\+ export function formatPrice/);
      await ask(tmux, 'A', /Bring r1 into main\?/);
      await ask(tmux, 'y', /r1 is being brought into your branch\.|1 run is over/);
      await tmux.shows(/nothing needs you .*1 run is over/);
      assert.match(fixture.git('show', 'main:src/format.js'), /toFixed\(2\) \+ ' EUR'/);
      assert.match(fixture.git('show', 'main:src/total.js'), /Math\.round/);
      assert.equal(fixture.git('status', '--porcelain'), '');
    });

    await step(
      'leaving gives the terminal back, and the next one is where this one was',
      async () => {
        tmux.press('w');
        await tmux.shows(/│▸ +till port .*\n.*│the till listens/);
        tmux.press('z');
        await tmux.shows(service);
        tmux.press('q');
        assert.equal(await tmux.end(), 0);
        assert.doesNotMatch(tmux.screen(), /the till listens/);
        comeBack(fixture);
        await tmux.shows(/You are back\./);
        tmux.press('Enter');
        await tmux.shows(service);
        tmux.press('q');
        assert.equal(await tmux.end(), 0);
      },
    );
  },
);

const service = /^.*nothing needs you.*\n▸ +till port .*\nthe till listens/;
const zoomed = /^ ! 1 needs you .*\n▸ +t2 Write prices.*\nplaybook: t2, attempt 1, 4 steps/;

function createFixture(t: TestContext): Fixture {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-app-'));
  const env = {
    PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    ORCHESTRA_IDLE_MS: '600000',
  };
  mkdirSync(env.XDG_RUNTIME_DIR, {mode: 0o700});
  const tmux = openTmux({home, env, columns: 80, rows: 24});
  const root = (): string =>
    path.join(
      home,
      readdirSync(home).find((name) => name.startsWith('orchestra-demo-'))!,
      'till',
    );
  const run = (...argv: readonly string[]): string =>
    spawnSync(process.execPath, [launcher, ...argv], {
      cwd: root(),
      env,
      timeout: 120_000,
      encoding: 'utf8',
    }).stdout;
  const live = (): readonly string[] =>
    (
      JSON.parse(run('sessions', '--json')) as {
        readonly sessions: readonly {readonly session: string; readonly ended?: unknown}[];
      }
    ).sessions
      .filter(({ended}) => ended === undefined)
      .map(({session}) => session);
  t.after(async () => {
    await tmux.close();
    run('stop', 'r1');
    run('service', 'stop', 'till');
    // A daemon that goes before it has sent the keepers home leaves them waiting for the next one.
    await eventually('the end of every session', () => live().length === 0);
    run('daemon', 'stop');
    await eventually('nothing of the demo runs any more', () => processesIn(home).length === 0);
    rmSync(home, {recursive: true, force: true, maxRetries: 10});
  });
  return {
    tmux,
    home,
    root,
    git: (...argv) => execFileSync('git', argv, {cwd: root(), env, encoding: 'utf8'}),
    remembered: () => {
      const file = path.join(resolveRepoPaths({cwd: root(), env}).stateDirectory, 'app.json');
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as unknown) : undefined;
    },
  };
}

/** What follows needs what went before: the first that fails ends the test, and says where. */
async function step(name: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    throw new Error(`not so: ${name}`, {cause: error});
  }
}

function comeBack({tmux, root}: Fixture): void {
  tmux.run(root(), process.execPath, launcher);
}

const refusal = 'The screen has just changed';

/**
 * Deciding keys are blocked for a moment after the screen changed: presses again once the notice is
 * gone.
 */
async function ask(tmux: Tmux, key: string, until: RegExp): Promise<void> {
  for (;;) {
    tmux.press(key);
    const [seen] = await tmux.shows(new RegExp(`${until.source}|${refusal}`));
    if (seen !== refusal) return;
    await eventually('it is no longer said', () => !tmux.screen().includes(refusal));
  }
}

async function approve(tmux: Tmux): Promise<void> {
  await ask(tmux, 'A', /Approved\. The workers of r1 start\.|at work, \d of 4/);
}

/**
 * Up or down the list until the mark stands at the right row: a key only when the one before has
 * moved it.
 */
async function choose(tmux: Tmux, wanted: string): Promise<void> {
  const toRows = (screen: string): readonly RegExpExecArray[] => [
    ...screen.matchAll(/^(?<mark>[▸ ])\S (?<name>r1|t\d|till) .*│/gm),
  ];
  const marked = (rows: readonly RegExpExecArray[]): number =>
    rows.findIndex(({groups}) => groups?.['mark'] === '▸');
  const nameAt = (rows: readonly RegExpExecArray[]): string | undefined =>
    rows[marked(rows)]?.groups?.['name'];
  for (;;) {
    const rows = await eventually('a list with a mark', () =>
      [toRows(tmux.screen())].find((found) => marked(found) !== -1),
    );
    const at = nameAt(rows);
    if (at === wanted) return;
    tmux.press(
      rows.findIndex(({groups}) => groups?.['name'] === wanted) > marked(rows) ? 'j' : 'k',
    );
    await eventually(
      `a move of the mark from ${String(at)}`,
      () => ![at, undefined].includes(nameAt(toRows(tmux.screen()))),
    );
  }
}

function isPlace(memory: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => (memory as Record<string, unknown> | undefined)?.[name] === value,
  );
}

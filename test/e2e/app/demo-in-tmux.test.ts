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
import {needs} from '../../support/needs.ts';
import {openTmux, type Tmux} from './support/open-tmux.ts';

type Fixture = {
  readonly tmux: Tmux;
  readonly home: string;
  readonly root: () => string;
  readonly git: (...argv: readonly string[]) => string;
  readonly stateDirectory: () => string;
  /** 0 while there is none. */
  readonly daemonPid: () => number;
  readonly remembered: () => unknown;
};

test(
  'a person goes through the whole demo by keys, is killed in the middle, and comes back to the same place',
  {...needs('tmux'), timeout: 900_000},
  async (t) => {
    const fixture = createFixture(t);
    const {tmux} = fixture;
    tmux.run(fixture.home, process.execPath, launcher, 'demo');

    await step('the plan opens by itself when it is ready', async () => {
      await tmux.shows(/The plan is ready\.[^]*▌Stop charging expired[^]*A approve/);
      assert.equal(tmux.size(), '80×24');
    });

    await step('the plan can be read to its end, and is approved', async () => {
      tmux.press('End');
      await tmux.shows(/Rules[^]*The tests pass/);
      await approve(tmux);
    });

    await step('workers are seen at work, and one of them asks', async () => {
      await tmux.shows(/▲ 1 needs you {3}Retry webhooks with backoff asks: /);
      tmux.press('w');
      await tmux.shows(/1 . Validate card expiry/);
      tmux.press('2');
      await tmux.shows(/● Read src\/api\/webhooks\.js ✓[^]*▌2 \? Retry webhooks/);
      await tmux.shows(/2\) every 4xx but 408 and 429/);
    });

    await step('the terminal is made larger under it: more panes, nothing lost', async () => {
      tmux.resize(160, 45);
      await tmux.shows(
        /● Read src\/api\/webhooks\.js ✓[^]*Which answers are final, so that no retry/,
      );
      await eventually('a frame as wide as the terminal', () =>
        tmux
          .screen()
          .split('\n')
          .some((line) => line.length > 140),
      );
      assert.equal(tmux.size(), '160×45');
      tmux.resize(80, 24);
      await tmux.shows(/^.*\n▌▲ 1 needs you .*n answer\n[^]*▌2 \? Retry webhooks/);
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
        await tmux.shows(zoomed);
        assert.notEqual(tmux.pid(), pid);
        await eventually('it is still where it was', () =>
          isPlace(fixture.remembered(), {selected, isZoomed: true, screen: 'workers'}),
        );
      },
    );

    await step('a daemon that is killed comes back by itself, with the question', async () => {
      const pid = fixture.daemonPid();
      process.kill(pid, 'SIGKILL');
      await eventually('another daemon', () => ![0, pid].includes(fixture.daemonPid()));
      await tmux.shows(zoomed);
    });

    await step('the question is answered by the number of its option', async () => {
      tmux.press('n');
      await tmux.shows(/Which answers are final, so that no retry follows\?[^]*2 {2}every 4xx but/);
      await ask(tmux, '2', /nothing needs you|ready to accept/);
    });

    await step('the timeline tells of the one retry, in a large terminal', async () => {
      tmux.resize(160, 45);
      tmux.press('t');
      await tmux.shows(/3 Cache price[^]*✗/);
      tmux.press('Tab');
      await tmux.shows(/What happened/);
      tmux.press('Home');
      await tmux.shows(/3 ✗ test failed[^]*3 . repair begins/);
    });

    await step('what is done is reviewed and accepted into the branch', async () => {
      await tmux.shows(/ready to accept/, 300_000);
      tmux.press('r');
      await tmux.shows(/13 files \+133 -6[^]*A accept into main/);
      await ask(tmux, 'A', /Accept into main\?/);
      await ask(tmux, 'A', /accepted {3}main is at|git log --graph/);
      assert.match(
        fixture.git('show', 'main:src/lib/backoff.js'),
        /isFinal = policies\['every 4xx but 408 and 429'\]/,
      );
      assert.match(fixture.git('show', 'main:src/lib/prices.js'), /function cachedPriceOf/);
      assert.equal(fixture.git('status', '--porcelain'), '');
    });

    await step(
      'leaving gives the terminal back, and the next one is where this one was',
      async () => {
        tmux.resize(80, 24);
        tmux.press('w');
        await tmux.shows(service);
        tmux.press('C-c');
        assert.equal(await tmux.end(), 0);
        assert.doesNotMatch(tmux.screen(), /the store listens/);
        // Without the frame of before, what is shown is live and takes keys.
        rmSync(path.join(fixture.stateDirectory(), 'frame.json'));
        comeBack(fixture);
        await tmux.shows(service);
        tmux.press('t');
        await tmux.shows(/3 Cache price[^]*✗/);
        // Away from home, q goes home; there it leaves.
        tmux.press('q');
        await tmux.shows(service);
        tmux.press('q');
        assert.equal(await tmux.end(), 0);
      },
    );
  },
);

const service = /[─━] web port \d+ [^]*the store listens/;
const zoomed = /^.*\n▌▲ 1 needs you .*\n[─━] 2 Retry webhooks with backoff [─━]+ asks you [─━]/;

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
      'store',
    );
  const stateDirectory = (): string => resolveRepoPaths({cwd: root(), env}).stateDirectory;
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
    run('service', 'stop', 'web');
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
    stateDirectory,
    daemonPid: () =>
      (JSON.parse(run('daemon', 'status', '--json')) as {readonly pid?: number}).pid ?? 0,
    remembered: () => {
      const file = path.join(stateDirectory(), 'app.json');
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

const refusal = 'The screen just changed';

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
  await ask(tmux, 'A', /Approved\. \d workers? starts?\.|works \d+s/);
}

function isPlace(memory: unknown, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => (memory as Record<string, unknown> | undefined)?.[name] === value,
  );
}

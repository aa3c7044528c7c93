import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {launcher, processesIn} from '../../daemon/support/daemon-fixture.ts';
import {openStage} from '../loop/support/loop-fixture.ts';
import {eventually} from '../../support/eventually.ts';
import {needs} from '../../support/needs.ts';
import {openTmux, type Tmux} from './support/open-tmux.ts';

const size = {columns: 100, rows: 32};

test(
  'in an empty repository without an agent, four keys lead to an approved plan in the demo, and leaving it leads back',
  {...needs('tmux'), timeout: 300_000},
  async (t) => {
    const {tmux, repository} = createEmptyRepository(t);
    const person = createPerson(tmux);
    const before = tmux.title();
    tmux.run(repository, process.execPath, launcher);

    await tmux.shows(/No commit yet[^]*I make a first commit[^]*d see the whole loop first/);
    await person.press('I', /Make the first commit of repo\?[^]*I {2}make it/);
    await person.press('I', /No coding agent is installed here[^]*1 {2}see the whole loop now/);
    await person.press('1', /The plan is ready\.[^]*Validate card expiry[^]*A approve/);
    await eventually('the title says what needs the person', () =>
      tmux.title().startsWith('▲1 store · orchestra'),
    );
    await person.press('A', /Approved\. 4 workers start\.|works \d+s/);
    assert.ok(person.keys() <= 6, `${person.keys()} keys`);
    assert.equal(person.keys(), 4);

    // At home in the demo, q leads back to the repository that the app was opened in.
    tmux.press('q');
    await tmux.shows(/^ repo [^]*No coding agent is installed here/);
    tmux.press('q');
    assert.equal(await tmux.end(), 0);
    // The first of its lines may have scrolled away.
    assert.match(
      tmux.screen().replaceAll('\n', ''),
      /\/store && orchestra ?Remove it when you are done: /,
    );
    assert.equal(tmux.title(), before);
    assert.equal(
      execFileSync('git', ['log', '--format=%s'], {cwd: repository, encoding: 'utf8'}),
      'Begin\n',
    );
  },
);

test(
  'with an agent, two keys and the objective lead to an approved plan',
  {...needs('tmux'), timeout: 300_000},
  async (t) => {
    const stage = openStage();
    const tmux = openTmux({home: stage.home, env: definedIn(stage.env), ...size});
    t.after(async () => {
      await tmux.close();
      await stage.close();
    });
    const person = createPerson(tmux);
    tmux.run(stage.root, process.execPath, launcher);
    await tmux.shows(/What should be different\?[^]*Enter plan it/);
    tmux.type('Make it better');
    await tmux.shows(/Make it better/);
    await person.press('Enter', /The plan is ready\.[^]*A approve/);
    await person.press('A', /Approved\. 1 worker starts\.|works \d+s|merged|ready to accept/);
    assert.ok(person.keys() <= 4, `${person.keys()} keys`);
    assert.equal(person.keys(), 2);
  },
);

type Person = {
  /** Presses a key, and waits for what it leads to. */
  readonly press: (key: string, until: RegExp) => Promise<void>;
  /** How many keys the person needed. */
  readonly keys: () => number;
};

/**
 * Deciding keys are blocked for a moment after the screen changed, longer than a person takes to
 * read it: a key that came too early is pressed again, and counted once.
 */
function createPerson(tmux: Tmux): Person {
  let keys = 0;
  return {
    keys: () => keys,
    press: async (key, until) => {
      keys++;
      for (;;) {
        tmux.press(key);
        const [seen] = await tmux.shows(new RegExp(`${until.source}|${refusal}`), 60_000);
        if (seen !== refusal) return;
        await eventually('it is no longer said', () => !tmux.screen().includes(refusal));
      }
    },
  };
}

const refusal = 'The screen just changed';

function createEmptyRepository(t: TestContext): {
  readonly tmux: Tmux;
  readonly repository: string;
} {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-first-'));
  const repository = path.join(home, 'repo');
  const programs = path.join(home, 'bin');
  mkdirSync(programs);
  symlinkSync(process.execPath, path.join(programs, 'node'));
  const person = {name: 'Ada', email: 'ada@example.org'};
  const env = {
    // Beside Node nothing that a person installed: no agent.
    PATH: `${programs}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    TMPDIR: home,
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    GIT_AUTHOR_NAME: person.name,
    GIT_AUTHOR_EMAIL: person.email,
    GIT_COMMITTER_NAME: person.name,
    GIT_COMMITTER_EMAIL: person.email,
    XDG_STATE_HOME: path.join(home, 'state'),
    XDG_RUNTIME_DIR: path.join(home, 'run'),
    XDG_CONFIG_HOME: path.join(home, 'config'),
    ORCHESTRA_IDLE_MS: '600000',
  };
  mkdirSync(env.XDG_RUNTIME_DIR, {mode: 0o700});
  execFileSync('git', ['init', '--quiet', repository], {env});
  const tmux = openTmux({home, env, ...size});
  const orchestra = (cwd: string, ...argv: readonly string[]): string =>
    spawnSync(process.execPath, [launcher, ...argv], {
      cwd,
      env,
      timeout: 120_000,
      encoding: 'utf8',
    }).stdout;
  t.after(async () => {
    await tmux.close();
    const demos = readdirSync(home)
      .filter((name) => name.startsWith('orchestra-demo-'))
      .map((name) => path.join(home, name, 'store'));
    for (const root of demos) {
      orchestra(root, 'stop', 'r1');
      orchestra(root, 'service', 'stop', 'web');
      await eventually('the end of every session', () =>
        hasNoSession(orchestra(root, 'sessions', '--json')),
      );
    }

    for (const root of [...demos, repository]) orchestra(root, 'daemon', 'stop');
    await eventually('nothing runs any more', () => processesIn(home).length === 0);
    rmSync(home, {recursive: true, force: true, maxRetries: 10});
  });
  return {tmux, repository};
}

function hasNoSession(json: string): boolean {
  const {sessions} = JSON.parse(json) as {
    readonly sessions: readonly {readonly ended?: unknown}[];
  };
  return sessions.every(({ended}) => ended !== undefined);
}

function definedIn(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync, spawn} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import {describe, test} from 'node:test';
import type {EnvironmentReport} from '../../../source/reports/index.ts';
import {selectRun} from '../../../source/domain/index.ts';
import {launcher, type Outcome} from '../../daemon/support/daemon-fixture.ts';
import {
  createFixture,
  type LoopFixture,
  type StageOptions,
  writeHook,
} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

type Shell = Readonly<Record<string, string>>;

/** Runs orchestra from a shell that has these variables. */
function from(
  {root}: Pick<LoopFixture, 'root'>,
  env: Shell,
  ...argv: readonly string[]
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [launcher, ...argv], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
    child.once('close', (code) => {
      resolve({code, out: out.join(''), err: err.join('')});
    });
  });
}

async function reportFrom(fixture: LoopFixture, env: Shell, of = 'r1'): Promise<EnvironmentReport> {
  return JSON.parse((await from(fixture, env, 'env', of, '--json')).out) as EnvironmentReport;
}

function program(file: string, text: string): void {
  mkdirSync(path.dirname(file), {recursive: true});
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}

const rules = '# 1. Validation\n1. The tools are there. `test: sh check.sh`\n';

/** Plans from one shell, then has the daemon started from another, and the plan approved there. */
async function runRestarted(fixture: LoopFixture, shell: Shell, other: Shell): Promise<Outcome> {
  const planned = await from(fixture, shell, 'run', 'Make it better');
  assert.equal(planned.code, 3, planned.err);
  await fixture.killDaemon('SIGKILL');
  const started = await from(fixture, other, 'daemon', 'start');
  assert.equal(started.code, 0, started.err);
  return from(fixture, other, 'plan', 'approve', 'r1', '--follow');
}

/**
 * A shim as asdf and mise have them: one program under many names, which finds the version in the
 * directory that it is called in.
 */
const shim = `#!/bin/sh
version=$(sed -n "s/^$(basename "$0") //p" .tool-versions) || exit 1
[ -n "$version" ] || { echo "no version is set for $(basename "$0")" >&2; exit 126; }
exec "$MISE_DATA_DIR/installs/$(basename "$0")/$version/bin/$(basename "$0")" "$@"
`;

function withShims(home: string): Shell {
  const data = path.join(home, '.local', 'share', 'mise');
  program(path.join(data, 'shims', 'frob'), shim);
  for (const version of ['1.0', '2.0'])
    program(
      path.join(data, 'installs', 'frob', version, 'bin', 'frob'),
      `#!/bin/sh\necho frob ${version}\n`,
    );
  return {MISE_DATA_DIR: data, PATH: `${path.join(data, 'shims')}:${process.env['PATH'] ?? ''}`};
}

for (const sandbox of ['off', 'required'] as const) {
  describe(
    `the environment of a run, with the sandbox ${sandbox}`,
    sandbox === 'off' ? {} : needs('bubblewrap'),
    () => {
      const staged = (t: Parameters<typeof createFixture>[0], options: StageOptions): LoopFixture =>
        createFixture(t, {
          rules,
          ...options,
          project: `sandbox: ${sandbox}\n${options.project ?? ''}`,
        });

      test('shims of a version manager: five tasks are green after the daemon was restarted from a shell without them', async (t) => {
        const ids = ['t1', 't2', 't3', 't4', 't5'];
        const fixture = staged(t, {
          tasks: ids.map((id) => ({id})),
          files: {'.tool-versions': 'frob 2.0\n', 'check.sh': 'test "$(frob)" = "frob 2.0"\n'},
          acts: Object.fromEntries(ids.map((id) => [id, `frob > ${id}.txt; exit 0`])),
        });
        const shell = {...fixture.env, ...withShims(fixture.home)};
        const done = await runRestarted(fixture, shell, fixture.env);
        assert.equal(done.code, 0, done.out + done.err);
        assert.deepEqual(
          ids.map((id) => fixture.git('show', `orchestra/r1:${id}.txt`)),
          ids.map(() => 'frob 2.0\n'),
        );
        assert.deepEqual(fixture.eventsOf('attempt-failed'), []);
      });

      test("a virtualenv inside of the checkout: its interpreter runs where the worktree has none, and the worktree's own where it has one", async (t) => {
        const fixture = staged(t, {
          files: {
            'check.sh':
              'python -c "import sys; print(sys.prefix)" && python -c "import sys, os; assert sys.prefix == os.environ[\'VIRTUAL_ENV\'], sys.prefix"\n',
            '.gitignore': '.orchestra/knowledge/\n.venv\n',
          },
          acts: {t1: 'python -c "import sys; print(sys.prefix)" > t1.txt; exit 0'},
        });
        const venv = path.join(fixture.root, '.venv');
        execFileSync('python3', ['-m', 'venv', '--without-pip', venv], {env: fixture.env});
        const shell = {
          ...fixture.env,
          VIRTUAL_ENV: venv,
          PATH: `${venv}/bin:${fixture.env['PATH'] ?? ''}`,
        };
        const done = await runRestarted(fixture, shell, fixture.env);
        assert.equal(done.code, 0, done.out + done.err);
        assert.equal(fixture.git('show', 'orchestra/r1:t1.txt').trim(), venv);

        fixture.write(
          '.orchestra/project.yaml',
          `${fixture.read('.orchestra/project.yaml')}setup: python3 -m venv --without-pip .venv\n`,
        );
        const again = await from(fixture, shell, 'run', 'Once more', '--approve');
        const own = selectRun(await fixture.state(), 'r2')!.worktrees.find(
          ({owner}) => owner === 'r2.t1',
        )!.path;
        assert.equal(
          fixture.git('show', 'orchestra/r2:t1.txt').trim(),
          path.join(own, '.venv'),
          again.out + again.err,
        );
      });

      test("what direnv exported counts where the project names it; direnv's own memory and other secrets do not", async (t) => {
        const fixture = staged(t, {
          project: 'environment: [GREETING, API_TOKEN]\n',
          files: {
            'check.sh':
              'test "$GREETING" = hello && test "$API_TOKEN" = short && test -z "$DIRENV_DIFF$OTHER_SECRET$NODE_OPTIONS"\n',
            '.envrc': 'export GREETING=hello\n',
          },
          acts: {t1: 'sh check.sh && echo yes > t1.txt; exit 0'},
        });
        const shell = {
          ...fixture.env,
          GREETING: 'hello',
          API_TOKEN: 'short',
          OTHER_SECRET: 'not-for-agents-5',
          DIRENV_DIFF: 'eJx',
          DIRENV_DIR: `-${fixture.root}`,
          NODE_OPTIONS: '--no-warnings',
        };
        const done = await runRestarted(fixture, shell, {
          ...fixture.env,
          GREETING: 'another',
          API_TOKEN: 'another',
        });
        assert.equal(done.code, 0, done.out + done.err);
        assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'yes\n');
      });

      test('setup, checks, `require:` commands, the planner and a repair all get it', async (t) => {
        const fixture = staged(t, {
          project: 'environment: [WHERE]\nsetup: test "$WHERE" = first\n',
          rules:
            '# 1. Constraints\n- Required. `require: test "$WHERE" = first`\n\n# 2. Validation\n1. It is. `test: sh check.sh`\n',
          files: {'check.sh': 'test "$WHERE" = first && ! grep -q red *.txt\n'},
          acts: {
            t1: 'if [ -e t1.txt ]; then echo "$WHERE" > t1.txt; else echo red > t1.txt; fi; exit 0',
          },
        });
        const done = await runRestarted(
          fixture,
          {...fixture.env, WHERE: 'first'},
          {...fixture.env, WHERE: 'second'},
        );
        assert.equal(done.code, 0, done.out + done.err);
        assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'first\n');
        assert.equal(fixture.eventsOf('attempt-failed').length, 1, 'the repair got it as well');
      });
    },
  );
}

describe('what is kept of the environment', () => {
  test('names and hashes are in the journal, values in a private file alone, which goes when the run is over', async (t) => {
    const fixture = createFixture(t, {
      project: 'environment: [MY_TOKEN, PIN]\n',
      rules,
      files: {'check.sh': 'true\n'},
    });
    const planned = await from(
      fixture,
      {...fixture.env, MY_TOKEN: 'a-value-that-nobody-sees-77', PIN: '4711-pin'},
      'run',
      'Make it better',
    );
    assert.equal(planned.code, 3, planned.err);
    const created = fixture.eventsOf('run-created')[0]!;
    assert.equal(created.environment?.from, 'shell');
    assert.ok(
      created.environment.variables.some(({name}) => name === 'MY_TOKEN') &&
        created.environment.variables.some(({name}) => name === 'PATH'),
    );
    const {stateDirectory} = fixture.current();
    const directory = path.join(stateDirectory, 'environments');
    const files = (): string[] => readdirSync(directory).filter((name) => name !== 'key');
    const [file] = files();
    assert.equal(statSync(path.join(directory, file!)).mode & 0o777, 0o600);
    assert.equal(statSync(path.join(directory, 'key')).mode & 0o777, 0o600);
    assert.match(readFileSync(path.join(directory, file!), 'utf8'), /a-value-that-nobody-sees-77/);
    for (const shown of [
      readFileSync(path.join(stateDirectory, 'journal.jsonl'), 'utf8'),
      (await from(fixture, fixture.env, 'env', 'r1')).out,
      (await from(fixture, fixture.env, 'env', 'r1', '--json')).out,
      (await from(fixture, fixture.env, 'explain', 'r1')).out,
    ]) {
      assert.doesNotMatch(shown, /a-value-that-nobody-sees-77|4711-pin/);
    }

    fixture.run('discard', 'r1');
    await fixture.until('its values are gone', () => files().length === 0);
  });

  test('what another shell has is told by env and explain, and taken by env refresh alone, for sessions that begin afterwards', async (t) => {
    const fixture = createFixture(t, {
      project: 'environment: [WHERE, LATER]\n',
      rules,
      files: {'check.sh': 'true\n'},
      acts: {t1: 'echo "$WHERE" > t1.txt; exit 0'},
    });
    const [first, second] = [
      {...fixture.env, WHERE: 'first', GOPATH: '/go'},
      {
        ...fixture.env,
        WHERE: 'second',
        LATER: 'x',
        PATH: `${fixture.env['PATH'] ?? ''}:/somewhere/else`,
      },
    ];
    assert.equal((await from(fixture, first, 'run', 'Make it better')).code, 3);
    const same = await reportFrom(fixture, first);
    assert.deepEqual(
      [same.from, same.missing, same.differs],
      ['shell', ['LATER'], {changed: [], onlyRun: [], onlyHere: []}],
    );
    const {differs} = await reportFrom(fixture, second);
    assert.deepEqual(differs, {
      changed: ['PATH', 'WHERE'],
      onlyRun: ['GOPATH'],
      onlyHere: ['LATER'],
      path: {onlyRun: [], onlyHere: ['/somewhere/else'], isReordered: false},
    });
    const planner = fixture.eventsOf('session-asked')[0]!.session;
    const notified = await from(fixture, second, 'explain', planner);
    assert.match(notified.out, /Environment: from the shell that started or refreshed r1/);
    assert.match(notified.out, /different value: PATH, WHERE/);
    assert.match(notified.out, /PATH only here: \/somewhere\/else/);

    const refreshed = await from(fixture, second, 'env', 'refresh', 'r1');
    assert.equal(refreshed.code, 0, refreshed.err);
    assert.match(refreshed.out, /GOPATH, LATER, PATH, WHERE changed/);
    assert.deepEqual(
      fixture.eventsOf('environment-refreshed').map(({changed}) => changed),
      [['GOPATH', 'LATER', 'PATH', 'WHERE']],
    );
    const after = JSON.parse((await from(fixture, second, 'explain', planner, '--json')).out) as {
      readonly environment: EnvironmentReport;
    };
    assert.deepEqual(
      [after.environment.session, after.environment.missing],
      [{id: planner, isOlder: true}, []],
    );
    assert.equal((await from(fixture, first, 'plan', 'approve', 'r1', '--follow')).code, 0);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'second\n');
    assert.match(
      fixture.run('timeline', 'r1').out,
      /you refreshed the environment of r1: GOPATH, LATER, PATH, WHERE /,
    );
  });

  for (const [what, harm] of [
    [
      'missing',
      (file: string) => {
        rmSync(file);
      },
    ],
    [
      'changed',
      (file: string) => {
        writeFileSync(file, readFileSync(file, 'utf8').replace('first', 'other'));
      },
    ],
    [
      'no JSON',
      (file: string) => {
        writeFileSync(file, '{');
      },
    ],
  ] as const) {
    test(`a file that is ${what} is trouble that names the command, and the run goes on after it`, async (t) => {
      const fixture = createFixture(t, {
        project: 'environment: [WHERE]\n',
        rules,
        files: {'check.sh': 'true\n'},
        acts: {t1: 'echo "$WHERE" > t1.txt; exit 0'},
      });
      const shell = {...fixture.env, WHERE: 'first'};
      assert.equal((await from(fixture, shell, 'run', 'Make it better')).code, 3);
      const directory = path.join(fixture.current().stateDirectory, 'environments');
      harm(
        path.join(
          directory,
          readdirSync(directory).find((name) => name !== 'key')!,
        ),
      );
      await from(fixture, shell, 'plan', 'approve', 'r1');
      await fixture.until(
        'the task is in trouble',
        (state) => selectRun(state, 'r1')?.tasks[0]?.trouble !== undefined,
      );
      assert.match(fixture.run('needs').out, /orchestra env refresh r1/);
      assert.match((await reportFrom(fixture, shell)).trouble ?? '', /orchestra env refresh r1/);
      assert.equal(
        fixture.eventsOf('session-running').length,
        1,
        'nothing but the planner has run',
      );
      assert.equal((await from(fixture, shell, 'env', 'refresh', 'r1')).code, 0);
      assert.equal((await from(fixture, shell, 'resume', 'r1.t1')).code, 0);
      await fixture.until(
        'it is merged',
        (state) => selectRun(state, 'r1')?.tasks[0]?.stage.at === 'merged',
      );
      assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'first\n');
    });
  }

  test("a run of which nothing was kept has the daemon's, as before, until it is renewed", async (t) => {
    const fixture = createFixture(t, {
      project: 'environment: [WHERE]\n',
      rules,
      files: {'check.sh': 'true\n'},
      acts: {t1: 'echo "$WHERE" > t1.txt; exit 0'},
    });
    await from(fixture, {...fixture.env, WHERE: 'daemon'}, 'daemon', 'start');
    // Without an environment, as an older client asks.
    await fixture.ask({
      about: 'wish',
      wish: {
        type: 'start-run',
        request: {objective: 'x', worker: 'pretend', planner: 'pretend', queued: false},
        budget: {},
      },
    });
    const report = await reportFrom(fixture, fixture.env);
    assert.equal(report.from, 'daemon');
    assert.ok(report.names.includes('WHERE'));
  });

  test('an agent cannot renew it, and says nothing of what it was given', async (t) => {
    const fixture = createFixture(t, {
      project: 'environment: [MY_TOKEN]\n',
      rules,
      files: {'check.sh': 'true\n'},
      acts: {
        t1: `'${process.execPath}' '${launcher}' env refresh r1 2> t1.txt; echo "the word is $MY_TOKEN"; printf '{"at":"finished","words":"it is %s"}' "$MY_TOKEN" > "$2"; exit 0`,
      },
    });
    const done = await from(
      fixture,
      {...fixture.env, MY_TOKEN: 'only-in-this-shell-1234'},
      'run',
      'Make it better',
      '--approve',
    );
    await fixture.until(
      'it has ended',
      (state) =>
        (selectRun(state, 'r1')?.tasks[0]?.attempts.length ?? 0) > 0 &&
        fixture.eventsOf('agent-finished').length > 0,
    );
    assert.deepEqual(fixture.eventsOf('environment-refreshed'), [], done.out + done.err);
    assert.ok(
      fixture.eventsOf('intrusion-refused').some(({intent}) => intent === 'refresh-environment'),
    );
    await fixture.killDaemon('SIGKILL');
    await from(fixture, fixture.env, 'daemon', 'start');
    const journal = readFileSync(
      path.join(fixture.current().stateDirectory, 'journal.jsonl'),
      'utf8',
    );
    assert.doesNotMatch(journal, /only-in-this-shell-1234/);
    assert.match(journal, /it is \[redacted\]/);
  });

  test('hooks have it for what is about the run, beside what the daemon has', async (t) => {
    const fixture = createFixture(t, {
      project: 'environment: [WHERE]\n',
      rules,
      files: {'check.sh': 'true\n'},
    });
    writeHook(fixture, 'before-work', 'echo "$WHERE $OWN" > "$HOME/hook"');
    const done = await runRestarted(
      fixture,
      {...fixture.env, WHERE: 'first'},
      {...fixture.env, WHERE: 'second', OWN: 'of-the-daemon'},
    );
    assert.equal(done.code, 0, done.out + done.err);
    assert.equal(readFileSync(path.join(fixture.home, 'hook'), 'utf8'), 'first of-the-daemon\n');
  });
});

describe("services and sessions of a person's own", () => {
  test('a service that dies comes back in the environment that it was started in, also under a daemon of another shell', async (t) => {
    const fixture = createFixture(t, {
      project: 'services:\n  web:\n    command: echo "$WHERE" >> "$HOME/web"; exec sleep 1000\n',
    });
    const lines = (): string[] =>
      existsSync(path.join(fixture.home, 'web'))
        ? readFileSync(path.join(fixture.home, 'web'), 'utf8').trim().split('\n')
        : [];
    assert.equal(
      (await from(fixture, {...fixture.env, WHERE: 'first'}, 'service', 'start', 'web')).code,
      0,
    );
    await fixture.until('it runs', () => lines().length === 1);
    await fixture.killDaemon('SIGKILL');
    await from(fixture, {...fixture.env, WHERE: 'second'}, 'daemon', 'start');
    const {stage: up} = (
      await fixture.until('it is known to run', ({services}) => services[0]?.stage.at === 'up')
    ).services[0]!;
    assert.ok(up.at === 'up');
    process.kill(fixture.metaOf(up.session).child!.pid, 'SIGKILL');
    await fixture.until('it runs again', () => lines().length === 2);
    assert.deepEqual(lines(), ['first', 'first']);
    assert.equal(
      (await from(fixture, {...fixture.env, WHERE: 'third'}, 'service', 'restart', 'web')).code,
      0,
    );
    await fixture.until('it runs once more', () => lines().length === 3);
    assert.equal(lines()[2], 'third');
    fixture.run('service', 'stop', 'web');
    await fixture.until('its environment is kept no longer', () =>
      readdirSync(path.join(fixture.current().stateDirectory, 'environments')).every(
        (name) => !name.includes('service'),
      ),
    );
  });

  test('a session that was asked for has the environment of its shell, though the daemon was killed before it started', async (t) => {
    const fixture = createFixture(t);
    await from(
      fixture,
      {...fixture.env, ORCHESTRA_FAILPOINTS: 'run-session.before=1*kill9'},
      'daemon',
      'start',
    );
    const daemon = await fixture.connect();
    const command = {
      type: 'start-session',
      name: 'test',
      command: ['sh', '-c', 'echo "$WHERE" > "$HOME/seen.part"; mv "$HOME/seen.part" "$HOME/seen"'],
      directory: fixture.root,
    } as const;
    await daemon
      .ask({about: 'wish', wish: command, env: {...fixture.env, WHERE: 'first'}})
      .catch(() => undefined);
    await daemon.ended;
    await from(fixture, {...fixture.env, WHERE: 'second'}, 'daemon', 'start');
    await fixture.until('it has run', () => existsSync(path.join(fixture.home, 'seen')));
    assert.equal(readFileSync(path.join(fixture.home, 'seen'), 'utf8'), 'first\n');
    await fixture.until(
      'what it was asked for with is gone',
      () => !existsSync(path.join(fixture.directoryOf('s1'), 'request.json')),
    );
  });
});

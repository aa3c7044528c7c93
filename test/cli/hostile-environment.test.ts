import assert from 'node:assert/strict';
import path from 'node:path';
import {spawn} from 'node:child_process';
import {closeSync, mkdirSync, openSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {collectAll, createProgram} from '../../source/cli/run-command-line.ts';
import type {CliContext} from '../../source/cli/cli-context.ts';
import {
  createDaemonFixture,
  type DaemonFixture,
  launcher,
  type Outcome,
} from '../daemon/support/daemon-fixture.ts';

/** Every command by its name, with arguments that it can be called with. */
const commands: Readonly<Record<string, readonly string[]>> = {
  doctor: [],
  settings: ['theme', 'dark'],
  'rules check': [],
  demo: ['--headless'],
  run: ['x', '--agent', 'playbook', '--playbook', '/dev/null', '--detach'],
  open: ['x', '--agent', 'playbook', '--headless', '--detach'],
  'queue add': ['x', '--agent', 'playbook', '--playbook', '/dev/null'],
  'queue list': [],
  'queue move': ['r9', '1'],
  'queue drop': ['r9'],
  'plan show': [],
  'plan approve': [],
  'plan reject': [],
  'plan comment': ['r9', '1', 'x'],
  'plan edit': [],
  'plan again': [],
  'plan set': ['r9.t1', '--agent', 'claude'],
  status: [],
  brief: [],
  needs: [],
  codes: [],
  timeline: [],
  diff: [],
  resume: ['r9'],
  grant: ['r9.t1'],
  takeover: ['r9.t1'],
  handback: ['r9.t1'],
  reset: ['r9.t1'],
  note: ['r9', 'x'],
  tell: ['r9.t1', 'x'],
  check: ['r9'],
  variants: ['r9'],
  pick: ['r9.t1'],
  accept: [],
  baseline: ['r9'],
  branch: ['r9'],
  env: ['r9'],
  'env refresh': ['r9'],
  discard: ['r9'],
  undo: [],
  gc: ['--dry-run'],
  share: ['node_modules'],
  recall: ['x'],
  audit: [],
  skills: [],
  'agent playbook': ['--mode', 'work', '--playbook', '/dev/null', '--outcome-file', '/dev/null/x'],
  'agent run': [
    '--agent',
    'claude',
    '--mode',
    'work',
    '--prompt-file',
    '/dev/null',
    '--outcome-file',
    '/dev/null/x',
    '--',
    'true',
  ],
  start: ['--', 'true'],
  sessions: [],
  attach: ['s1'],
  logs: ['s1'],
  send: ['s1', 'x'],
  explain: ['s1'],
  stop: ['s9'],
  replay: ['s1', '--export', '/'],
  port: ['3000'],
  facts: [],
  services: [],
  'service start': ['web'],
  'service stop': ['web'],
  'service restart': ['web'],
  'service logs': ['web'],
  'daemon start': [],
  'daemon stop': [],
  'daemon restart': [],
  'daemon status': [],
  'daemon run': [],
  mcp: [],
  tool: ['x'],
  '': [],
  '--help': [],
  '--version': [],
  'no-such-command': [],
};

/**
 * Not where nothing keeps them from doing what they do: a demo takes a minute, and the others end
 * the daemon that the rest talks to.
 */
const lasting = new Set(['demo', 'daemon run', 'daemon stop', 'daemon restart']);

type Hostile = {
  readonly env?: (fixture: DaemonFixture) => Readonly<Record<string, string | undefined>>;
  readonly cwd?: 'removed';
  readonly stdout?: string;
  /** In place of the first argument. */
  readonly argument?: string;
  /** A daemon answers there as usual. */
  readonly isReachable?: boolean;
  readonly codes: readonly number[];
};

const any = [0, 1, 2, 3];
const noState = {XDG_STATE_HOME: undefined, XDG_RUNTIME_DIR: undefined, XDG_CONFIG_HOME: undefined};

const cli: Readonly<Record<string, Hostile>> = {
  'a working directory that was removed': {cwd: 'removed', codes: [2]},
  'a full disk behind its output': {stdout: '/dev/full', isReachable: true, codes: any},
  'a home directory below /proc/self': {
    env: () => ({...noState, HOME: '/proc/self/home'}),
    codes: any,
  },
  'a home directory that is a file': {
    env: ({home}) => ({...noState, HOME: path.join(home, 'file')}),
    codes: any,
  },
  'state below /sys, settings below a file, a runtime directory that is a file': {
    env: ({home}) => ({
      XDG_STATE_HOME: '/sys/x',
      XDG_CONFIG_HOME: path.join(home, 'file', 'x'),
      XDG_RUNTIME_DIR: path.join(home, 'file'),
    }),
    codes: any,
  },
  'directories that are relative, empty or garbage': {
    env: () => ({
      HOME: 'relative',
      XDG_STATE_HOME: '/proc/self/\u001B[2J\n',
      XDG_CONFIG_HOME: '',
      XDG_RUNTIME_DIR: '../..',
      PWD: '/proc/self/cwd/..',
      TERM: '\u001B',
      LANG: '%n',
    }),
    codes: any,
  },
  'an environment of 1.5 MB': {
    env: () =>
      Object.fromEntries(
        Array.from({length: 15}, (_, index) => [`LARGE_${index}`, 'x'.repeat(100_000)]),
      ),
    isReachable: true,
    codes: any,
  },
  'an argument of 100 kB': {argument: 'x'.repeat(100_000), isReachable: true, codes: any},
};

/**
 * How long a command may take on a machine that has much to do; none of them waits for anything.
 */
const limitMs = 90_000;

function run(
  fixture: DaemonFixture,
  name: string,
  {env, cwd, stdout, argument}: Hostile,
): Promise<Outcome> {
  const given = commands[name] ?? [];
  const argv = [
    ...name.split(' ').filter((word) => word !== ''),
    ...(argument === undefined ? given : [argument, ...given.slice(1)]),
  ];
  const directory =
    cwd === 'removed' ? path.join(fixture.home, `gone-${Math.random()}`) : fixture.root;
  if (cwd === 'removed') mkdirSync(directory);
  const output = stdout === undefined ? undefined : openSync(stdout, 'w');
  return new Promise((resolve, reject) => {
    // The shell removes the directory that it stands in, and becomes orchestra.
    const before =
      cwd === 'removed' ? ['-c', 'rmdir "$PWD" && exec "$@"', 'sh', process.execPath] : [];
    const child = spawn(
      cwd === 'removed' ? '/bin/sh' : process.execPath,
      [...before, launcher, ...argv],
      {
        cwd: directory,
        env: {
          ...fixture.env,
          TMPDIR: path.join(fixture.home, 'tmp'),
          ...(cwd === 'removed' ? {PWD: directory} : {}),
          ...env?.(fixture),
        },
        stdio: ['ignore', output ?? 'pipe', 'pipe'],
        timeout: limitMs,
        killSignal: 'SIGKILL',
      },
    );
    const [out, err]: [string[], string[]] = [[], []];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => out.push(text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => err.push(text));
    child.once('error', reject);
    child.once('close', (code) => {
      if (output !== undefined) closeSync(output);
      resolve({code, out: out.join(''), err: err.join('')});
    });
  });
}

/** What is wrong with how a command ended; nothing if it said in a sentence what is the matter. */
function formatProblems({code, out, err}: Outcome, {codes, stdout}: Hostile): readonly string[] {
  // Wrong use is answered by the argument parser, with a hint on a line of its own.
  const lines = err.startsWith('error: ') || code === 2 ? 3 : 1;
  return [
    ...(code !== null && codes.includes(code) ? [] : ['it did not end, or not with such a code']),
    ...(/^ {4}at |^Node\.js v|file:\/\/\/|node:internal|^\w*Error: /m.test(err)
      ? ['a stack trace']
      : []),
    ...(err.includes('fault of orchestra itself') ? ['an error that nobody expected'] : []),
    ...(/[\u0000-\u0008\u000B-\u001F\u007F]/.test(err) ? ['control characters'] : []),
    ...(code === 1 && stdout === undefined && err === '' && out === ''
      ? ['it failed without a word']
      : []),
    ...(err.trimEnd().split('\n').length <= lines ? [] : ['more than a sentence']),
  ];
}

/** A few at a time. */
async function getEach(
  names: readonly string[],
  act: (name: string) => Promise<void>,
): Promise<void> {
  const waiting = [...names];
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await act(name);
  };

  await Promise.all([work(), work(), work()]);
}

async function hostilePlace(t: TestContext): Promise<DaemonFixture> {
  const fixture = createDaemonFixture(t);
  mkdirSync(path.join(fixture.home, 'tmp'));
  writeFileSync(path.join(fixture.home, 'file'), '');
  await fixture.start('true');
  await fixture.endOf('s1');
  return fixture;
}

describe('no command prints a stack trace or hangs', () => {
  it('and all that there are, are tried', () => {
    const program = createProgram(
      (act) => async () => {
        await act();
      },
      {out: () => undefined, err: () => undefined} as unknown as CliContext,
    );
    const leaves = collectAll(program).filter((command) => command.commands.length === 0);
    const getName = (command: (typeof leaves)[number]): string => {
      const {parent} = command;
      return parent?.parent == null ? command.name() : `${getName(parent)} ${command.name()}`;
    };
    const names = leaves.map(getName);
    assert.deepEqual(
      names.filter((name) => commands[name] === undefined),
      [],
    );
    assert.ok(names.length > 45);
  });

  for (const [name, hostile] of Object.entries(cli)) {
    it(`with ${name}`, async (t) => {
      const fixture = await hostilePlace(t);
      const tried = Object.keys(commands).filter(
        (command) =>
          hostile.isReachable !== true ||
          !lasting.has(command) ||
          (hostile.stdout !== undefined && command === 'demo'),
      );
      const found: string[] = [];
      await getEach(tried, async (command) => {
        const outcome = await run(fixture, command, hostile);
        for (const problem of formatProblems(outcome, hostile))
          found.push(
            `orchestra ${command}: ${problem}: exit ${outcome.code ?? 'by a signal'}: ${outcome.err.slice(0, 1000)}`,
          );
      });
      assert.deepEqual(found, []);
    });
  }

  it('with a full disk behind its output and its errors both, or a reader that has gone', async (t) => {
    const fixture = await hostilePlace(t);
    const full = openSync('/dev/full', 'w');
    t.after(() => {
      closeSync(full);
    });
    for (const argv of [['status'], ['doctor'], ['--help'], ['stop', 's9'], ['no-such-command']]) {
      const child = spawn(process.execPath, [launcher, ...argv], {
        cwd: fixture.root,
        env: fixture.env,
        stdio: ['ignore', full, full],
        timeout: limitMs,
        killSignal: 'SIGKILL',
      });
      const code = await new Promise((resolve) => {
        child.once('close', resolve);
      });
      assert.ok([1, 2].includes(code as number), `${argv.join(' ')}: ${String(code)}`);
      const piped = spawn(
        '/bin/sh',
        ['-c', '"$@" | true', 'sh', process.execPath, launcher, ...argv],
        {
          cwd: fixture.root,
          env: fixture.env,
          stdio: ['ignore', 'ignore', 'pipe'],
          timeout: limitMs,
          killSignal: 'SIGKILL',
        },
      );
      let err = '';
      piped.stderr.setEncoding('utf8').on('data', (text: string) => {
        err += text;
      });
      await new Promise((resolve) => {
        piped.once('close', resolve);
      });
      assert.doesNotMatch(err, /^ {4}at |^Node\.js v|EPIPE/m, argv.join(' '));
    }
  });

  it('where the recording should be written to what is no file, or cannot be', async (t) => {
    const fixture = await hostilePlace(t);
    for (const file of [
      '/',
      '.',
      '/dev/full',
      '/no/such/directory/x',
      '/proc/self/x',
      'x'.repeat(5000),
    ]) {
      const {code, err} = await fixture.launch('replay', 's1', '--export', file);
      assert.equal(code, 2, err);
      assert.match(err, /^orchestra: expected a writable file for the recording, got .*\n$/);
    }
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {type TestContext, test} from 'node:test';
import {doctor} from '../../../source/cli/doctor/doctor.ts';
import type {CliContext} from '../../../source/cli/index.ts';
import type {DoctorFacts, DoctorReport, Finding} from '../../../source/reports/index.ts';
import {openJournal} from '../../../source/journal/index.ts';
import {findProgram} from '../../../source/system/index.ts';
import {temporaryDirectory, writeProgram} from '../../system/fixtures.ts';
import {bubblewrap, needs} from '../../support/needs.ts';

type World = {
  readonly home: string;
  /** The only directory on PATH; it has git, and what the test puts there. */
  readonly programs: string;
  readonly repository: string;
  readonly git: (...argv: readonly string[]) => void;
  readonly ask: (
    change?: Partial<CliContext>,
    options?: {journal?: boolean},
    limit?: number,
  ) => Promise<Answer>;
};

type Answer = DoctorReport & {readonly facts: DoctorFacts; readonly exitCode: number};

/** A home, a few programs and a repository of its own: nothing of this machine but git is seen. */
function world(t: TestContext): World {
  const root = temporaryDirectory(t);
  const [home, programs, repository] = [
    path.join(root, 'home'),
    path.join(root, 'programs'),
    path.join(root, 'app'),
  ];
  for (const directory of [home, programs, repository]) mkdirSync(directory);
  const realGit = findProgram('git', {path: process.env['PATH'] ?? ''}).file;
  assert.ok(realGit, 'expected git on PATH: these tests need it');
  symlinkSync(realGit, path.join(programs, 'git'));
  const env = {PATH: programs, HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8'};
  const git = (...argv: readonly string[]): void => {
    const author = [
      '-c',
      'user.name=Ada',
      '-c',
      'user.email=ada@example.org',
      '-c',
      'commit.gpgSign=false',
    ];
    execFileSync(realGit, [...author, ...argv], {
      cwd: repository,
      env: {...env, PATH: process.env['PATH']},
      stdio: 'pipe',
    });
  };

  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'first');
  return {
    home,
    programs,
    repository,
    git,
    // What is slow is waited for; only who looks at what hangs has a limit of its own.
    ask: async (change = {}, options = {}, limit = 120_000) => {
      const written: string[] = [];
      const out = (text: string): void => void written.push(text);
      const exitCode = await doctor(
        {...options, json: true},
        {
          env,
          cwd: repository,
          out,
          write: () => undefined,
          err: out,
          isTerminal: true,
          columns: 100,
          rows: 30,
          ...change,
          ...(change.env === undefined ? {} : {env: {...env, ...change.env}}),
        },
        limit,
      );
      return {exitCode, ...(JSON.parse(written.join('')) as Omit<Answer, 'exitCode'>)};
    },
  };
}

function getFinding(answer: DoctorReport, name: string): Finding {
  return (
    answer.findings.find((finding) => finding.name === name) ?? assert.fail(`no finding ${name}`)
  );
}

test('a bare machine works: nothing is an error, and nothing was changed', async (t) => {
  const {home, repository, ask} = world(t);
  const answer = await ask();
  assert.equal(answer.exitCode, 0);
  assert.equal(answer.ok, true);
  assert.deepEqual(
    answer.findings.map(({name}) => name),
    [
      'node',
      'platform',
      'git',
      'repository',
      'terminal',
      'state',
      'runtime',
      'disk',
      'agents',
      'sandbox',
      'approval',
      'network',
      'logout',
      'gh',
    ],
  );
  assert.equal(answer.facts.defaultAgent, 'playbook');
  assert.equal(getFinding(answer, 'repository').text, repository);
  assert.match(
    getFinding(answer, 'state').text,
    new RegExp(`^${home}/\\.local/state/orchestra/app-[0-9a-f]{12} \\(new\\)$`),
  );
  assert.equal(getFinding(answer, 'terminal').text, 'xterm-256color, 100x30, colour');
  assert.deepEqual(readdirSync(home), []);
});

test('problems of the project file are shown with their line', async (t) => {
  const {repository, ask} = world(t);
  mkdirSync(path.join(repository, '.orchestra'));
  writeFileSync(
    path.join(repository, '.orchestra', 'project.yaml'),
    'setup: npm ci\nworker: [1]\n',
  );
  const {level, text} = getFinding(await ask(), 'project');
  assert.equal(level, 'warning');
  assert.match(text, /project\.yaml: what is not understood is ignored\nline 2: /);
});

test('for people it prints lines and a verdict', async (t) => {
  const {home, programs} = world(t);
  const written: string[] = [];
  const out = (text: string): void => void written.push(text);
  assert.equal(
    await doctor(
      {},
      {
        env: {PATH: programs, HOME: home},
        cwd: '/',
        out,
        write: () => undefined,
        err: out,
        isTerminal: false,
        columns: undefined,
        rows: undefined,
      },
      120_000,
    ),
    0,
  );
  assert.match(
    written.join(''),
    /^ok {7}node {7}\d[^]*\nok {7}git {8}\d[^]*\nok {7}repository none here[^]*\n\nNo errors, \d warnings?: orchestra works here\.\n$/,
  );
});

test('the versions of all programs are read in parallel', async (t) => {
  const {programs, ask} = world(t);
  const answers = {
    claude: '2.1.325 (Claude Code)',
    codex: 'codex-cli 0.166.0',
    gemini: '0.61.0',
    opencode: '1.18.2',
    pi: '0.73.1',
    gh: 'gh version 2.62.0 (2024-11-14)',
    bwrap: '',
  };
  const started = (name: string): string => path.join(programs, `${name}.started`);
  // Each waits for all the others: asked one after the other, none would ever answer.
  const others = Object.keys(answers)
    .map((name) => `[ -e ${started(name)} ]`)
    .join(' && ');
  for (const [name, answer] of Object.entries(answers))
    writeProgram(
      programs,
      name,
      `: > ${started(name)}`,
      `until ${others}; do /bin/sleep 0.01; done`,
      `echo "${answer}"`,
    );
  const answer = await ask();
  assert.deepEqual(
    answer.facts.agents.map((agent) => [agent.name, agent.at === 'works' ? agent.version : agent]),
    [
      ['claude', '2.1.325'],
      ['codex', '0.166.0'],
      ['gemini', '0.61.0'],
      ['opencode', '1.18.2'],
      ['pi', '0.73.1'],
    ],
  );
  assert.equal(answer.facts.defaultAgent, 'claude');
  assert.equal(getFinding(answer, 'gh').text, `2.62.0 (${path.join(programs, 'gh')})`);
  if (process.platform === 'linux')
    assert.deepEqual(
      [getFinding(answer, 'sandbox').level, getFinding(answer, 'sandbox').text.split('\n')[0]],
      ['ok', `bubblewrap (${path.join(programs, 'bwrap')})`],
    );
});

test('a version on standard error is one as well', async (t) => {
  const {programs, ask} = world(t);
  writeProgram(programs, 'pi', 'echo 0.73.1 >&2');
  const pi = (await ask()).facts.agents.find(({name}) => name === 'pi');
  assert.equal(pi?.at === 'works' && pi.version, '0.73.1');
});

test(
  'agents are started in the sandbox as well, where programs under /tmp are seen and what is hidden is not',
  needs('bubblewrap'),
  async (t) => {
    const {programs, home, ask} = world(t);
    symlinkSync(bubblewrap(), path.join(programs, 'bwrap'));
    const hidden = path.join(home, 'runtime');
    mkdirSync(hidden, {mode: 0o700});
    writeProgram(hidden, 'interpreter', 'echo "codex-cli 0.166.0"');
    writeProgram(programs, 'claude', 'echo "2.1.325 (Claude Code)"');
    writeProgram(programs, 'codex', `exec ${path.join(hidden, 'interpreter')}`);
    const answer = await ask({cwd: '/', env: {XDG_RUNTIME_DIR: hidden}});
    if (answer.facts.sandbox.at !== 'works') return;
    const trials = Object.fromEntries(
      answer.facts.agents.map((agent) => [agent.name, agent.sandboxed?.at]),
    );
    assert.deepEqual(
      [trials['claude'], trials['codex'], trials['gemini']],
      ['works', 'fails', undefined],
    );
    const {level, text, advice} = getFinding(answer, 'agents');
    assert.equal(level, 'warning');
    assert.match(text, /codex does not start in the sandbox: exit code 12[67]; it printed: /);
    assert.match(advice ?? '', /codex starts in your shell but not in the sandbox/);
  },
);

test('codex with a provider of its own: the variable that no session gets is named', async (t) => {
  const {programs, home, repository, ask} = world(t);
  writeProgram(programs, 'codex', 'echo "codex-cli 0.166.0"');
  mkdirSync(path.join(home, '.codex'));
  writeFileSync(
    path.join(home, '.codex', 'config.toml'),
    'model_provider = "mine"\n[model_providers.mine]\nenv_key = "MINE_KEY"\n',
  );
  const {level, text} = getFinding(await ask({env: {MINE_KEY: 'x'}}), 'agents');
  assert.equal(level, 'warning');
  assert.match(text, /codex needs the variable MINE_KEY.*environment: \[MINE_KEY\]/);
  mkdirSync(path.join(repository, '.orchestra'));
  writeFileSync(path.join(repository, '.orchestra', 'project.yaml'), 'environment: [MINE_KEY]\n');
  assert.doesNotMatch(getFinding(await ask({env: {MINE_KEY: 'x'}}), 'agents').text, /MINE_KEY/);
});

test('programs that hang, fail or print garbage are warnings', async (t) => {
  const {programs, ask} = world(t);
  writeProgram(programs, 'claude', 'exec /bin/sleep 1000');
  writeProgram(programs, 'codex', 'echo codex-cli 0.166.0', 'exit 9');
  writeProgram(
    programs,
    'gemini',
    String.raw`printf '\033]0;owned\007\n\nok       git        9.9.9\n'`,
  );
  writeProgram(programs, 'opencode', 'while :; do echo flood; done');
  writeProgram(programs, 'gh', 'kill -SEGV $$');
  writeProgram(
    programs,
    'bwrap',
    'echo "bwrap: setting up uid map: Permission denied" >&2',
    'exit 1',
  );
  writeProgram(programs, 'loginctl', 'echo KillUserProcesses=yes');
  // Long enough for all the others to answer, beside one that takes a processor for itself.
  const answer = await ask({}, {}, 10_000);
  assert.equal(answer.exitCode, 0);
  const agents = getFinding(answer, 'agents');
  assert.equal(agents.level, 'warning');
  assert.match(
    agents.text,
    /claude: \S+ did not print its version within 10 s, the default\ncodex: \S+ did not print its version: exit code 9\n/,
  );
  assert.match(
    agents.text,
    /gemini: \S+ printed no version, but: \\u\{1b\}\]0;owned\\u\{7\} {2}ok {7}git {8}9\.9\.9\nopencode: \S+ did not print its version within 10 s\nnot found: pi$/,
  );
  assert.match(getFinding(answer, 'gh').text, /SIGSEGV$/);
  if (process.platform === 'linux')
    assert.match(
      getFinding(answer, 'sandbox').text,
      /does not work here: .*\nit printed: bwrap: setting up uid map: Permission denied\n/,
    );
  assert.equal(getFinding(answer, 'logout').level, 'warning');
});

test('without git, or with an old one, the machine is not ready', async (t) => {
  const {ask, home, programs} = world(t);
  const without = await ask({env: {PATH: home}});
  assert.equal(without.exitCode, 1);
  assert.equal(getFinding(without, 'git').level, 'error');
  assert.equal(getFinding(without, 'repository').text, 'unknown without git');
  const old = path.join(programs, 'old');
  mkdirSync(old);
  writeProgram(old, 'git', 'echo git version 2.30.2');
  assert.equal((await ask({env: {PATH: old}})).exitCode, 1);
});

test('a program that the repository brought along is never run', async (t) => {
  const {repository, programs, ask} = world(t);
  const planted = path.join(repository, 'node_modules', '.bin');
  mkdirSync(planted, {recursive: true});
  for (const name of ['git', 'claude', 'bwrap', 'loginctl', 'gh'])
    writeProgram(planted, name, `echo ${name} >> ${repository}/was-run`);
  // Found on PATH outside the repository, but it looks for its interpreter.
  writeFileSync(path.join(programs, 'codex'), '#!/usr/bin/env claude\n');
  chmodSync(path.join(programs, 'codex'), 0o755);
  const answer = await ask({env: {PATH: `${planted}:node_modules/.bin:${programs}`}});
  assert.ok(!existsSync(path.join(repository, 'was-run')));
  assert.equal(getFinding(answer, 'git').level, 'ok');
  assert.match(
    getFinding(answer, 'agents').text,
    /claude: \S+\/node_modules\/\.bin\/claude is ignored because it is inside this repository/,
  );
  assert.equal(answer.facts.defaultAgent, 'codex');
});

test('each kind of repository is reported', async (t) => {
  const {repository, git, ask, home} = world(t);
  const kinds = path.join(home, 'kinds');
  git('init', '--quiet', '--bare', path.join(kinds, 'bare.git'));
  git('init', '--quiet', path.join(kinds, 'empty'));
  git('commit', '--quiet', '--allow-empty', '--message', 'second');
  git('clone', '--quiet', '--depth', '1', `file://${repository}`, path.join(kinds, 'shallow'));
  git('worktree', 'add', '--quiet', '--detach', path.join(kinds, 'worktree'));
  writeFileSync(path.join(kinds, 'shallow', '.gitmodules'), '');
  const at = async (cwd: string): Promise<string> =>
    getFinding(await ask({cwd}), 'repository').text.replace(kinds, '');
  assert.equal(await at(path.join(kinds, 'bare.git')), '/bare.git (bare, no commit yet)');
  assert.equal(await at(path.join(kinds, 'empty')), '/empty (no commit yet)');
  assert.equal(await at(path.join(kinds, 'shallow')), '/shallow (shallow clone, submodules)');
  assert.equal(await at(path.join(kinds, 'worktree')), '/worktree');
  assert.equal(await at(kinds), 'none here; orchestra needs a git repository');
});

test('all worktrees of a repository, and links to it, share one state directory', async (t) => {
  const {repository, git, ask} = world(t);
  git('worktree', 'add', '--quiet', '--detach', `${repository}-other`);
  symlinkSync(repository, `${repository}-link`);
  const state = async (cwd: string): Promise<string> => (await ask({cwd})).facts.state.path;
  assert.equal(await state(`${repository}-other`), await state(repository));
  assert.equal(await state(`${repository}-link`), await state(repository));
});

test('an unsafe state directory is an error that says how to close it', async (t) => {
  const {home, ask} = world(t);
  const state = path.join(home, '.local', 'state', 'orchestra');
  mkdirSync(state, {recursive: true});
  chmodSync(state, 0o777);
  const answer = await ask();
  assert.equal(answer.exitCode, 1);
  assert.deepEqual(getFinding(answer, 'state'), {
    name: 'state',
    level: 'error',
    text: `${state}: expected a private directory of your own, got mode 0777, open to other users`,
    advice: `Close it: chmod 700 ${state}\nOr set XDG_STATE_HOME to a directory of your own.`,
  });
});

test('a runtime directory that is too long for sockets is replaced, and reported', async (t) => {
  const {home, ask} = world(t);
  const long = path.join(home, 'x'.repeat(100), 'y'.repeat(100));
  const answer = await ask({env: {XDG_RUNTIME_DIR: long, XDG_STATE_HOME: '/no/such/place'}});
  assert.equal(getFinding(answer, 'runtime').level, 'warning');
  assert.deepEqual(answer.facts.runtime.tooLong, [`${long}/orchestra`]);
});

test('with --journal every journal is read, and damage is an error', async (t) => {
  const {home, ask} = world(t);
  const state = path.join(home, '.local', 'state', 'orchestra');
  mkdirSync(path.join(state, 'not-a-journal'), {recursive: true, mode: 0o700});
  assert.deepEqual(getFinding(await ask({}, {journal: true}), 'journal'), {
    name: 'journal',
    level: 'ok',
    text: 'none yet',
  });
  for (const name of ['a-1', 'b-2']) {
    const ignore = (): void => undefined;
    const journal = await openJournal({
      directory: path.join(state, name),
      clock: {wall: () => 0, mono: () => 0n},
      boot: 'boot',
      knows: () => true,
      replay: ignore,
      report: ignore,
    });
    for (const text of ['one', 'two'])
      await journal.append([{type: 'note-added', data: {on: 'r1', text}}]);
    await journal.close();
  }

  assert.equal((await ask({}, {journal: true})).exitCode, 0);
  const file = path.join(state, 'b-2', 'journal.jsonl');
  writeFileSync(file, readFileSync(file, 'utf8').replace('one', 'ONE'));
  const answer = await ask({}, {journal: true});
  assert.equal(answer.exitCode, 1);
  const journals = answer.findings.filter(({name}) => name === 'journal');
  assert.deepEqual(journals[0], {
    name: 'journal',
    level: 'ok',
    text: `${path.join(state, 'a-1')}\n2 records, 0 blobs`,
  });
  assert.equal(journals[1]?.level, 'error');
  assert.match(journals[1].text, /b-2\n0 records, 0 blobs\nThe journal is damaged at line 1/);
});

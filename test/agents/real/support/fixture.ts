import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type {TestContext} from 'node:test';
import {getCache, getProgram} from '../../../../scripts/agents/places.ts';
import {
  type Activity,
  type AgentCommand,
  type AgentOutcome,
  type Driver,
  findDriver,
  type Job,
  parseActivityFile,
  parseOutcomeFile,
  toTerminalArgv,
} from '../../../../source/agents/index.ts';
import {selectAgentEnvironment} from '../../../../source/secrets/index.ts';
import {createModelServer, type ModelServer} from '../../model-server/model-server.ts';
import type {Script} from '../../model-server/script.ts';
import {confined} from './confined.ts';
import {homes} from './homes.ts';

export type Performance = {
  readonly code: number | null;
  readonly screen: string;
  readonly outcome: AgentOutcome | undefined;
  /** The stream as it was kept. */
  readonly stream: string;
};

export type Started = {
  readonly ended: Promise<Performance>;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly screen: () => string;
};

/** A worktree, a clean home and a scripted model for one real agent. Gone when the test is over. */
export type Fixture = {
  readonly driver: Driver;
  readonly directory: string;
  readonly server: ModelServer;
  readonly run: (job: Partial<Job>, isSandboxed?: boolean) => Promise<Performance>;
  readonly start: (job: Partial<Job>, isSandboxed?: boolean) => Started;
  /** What a person's own terminal would run. */
  readonly command: (job: Partial<Job>) => {
    readonly argv: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** What differs from the commit, as git sees it. */
  readonly changes: () => string;
  readonly home: string;
  /** What it is doing, as it was left last. */
  readonly activity: () => Activity | undefined;
};

export async function createFixture(
  t: TestContext,
  name: string,
  renderer: string,
  script: (directory: string) => Script,
  more: Readonly<Record<string, string>> = {},
): Promise<Fixture> {
  const program = getProgram(name, process.env);
  // Not under the temp directory: codex keeps that writable, and refuses to have its home there.
  const stages = path.join(getCache(process.env), 'stages');
  mkdirSync(stages, {recursive: true});
  const base = realpathSync(mkdtempSync(path.join(stages, `${name}-`)));
  const [home, directory, exchange, temporary] = ['home', 'worktree', 'exchange', 'temporary'].map(
    (part) => path.join(base, part),
  ) as [string, string, string, string];
  for (const place of [home, exchange, temporary]) mkdirSync(place);
  // Our sandbox has a temp directory of its own, in which nothing of ours is.
  const own = path.join(base, 'render.mjs');
  copyFileSync(renderer, own);
  createRepository(path.join(base, 'repository'), directory);
  const server = await createModelServer(script(directory));
  t.after(async () => {
    await server.close();
    rmSync(base, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
  });
  const {env, model} = homes[name]?.(home, server.url, directory) ?? {env: {}, model: ''};
  const found = findDriver(name, []);
  assert('driver' in found);
  const {driver} = found;
  // Only what a daemon would pass on: what an agent needs must be among its needs.
  const given = selectAgentEnvironment(
    {
      PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
      HOME: home,
      TMPDIR: temporary,
      LANG: 'C.UTF-8',
      TERM: 'xterm-256color',
      ...env,
      ...more,
    },
    {allow: ['SCRIPTED_KEY'], needs: driver.needs ?? []},
  );
  const getCommand = (changes: Partial<Job>): AgentCommand => {
    const [promptFile, outcomeFile, inbox] = [
      path.join(exchange, 'prompt.md'),
      path.join(exchange, 'outcome.json'),
      path.join(exchange, 'inbox'),
    ];
    const job: Job = {
      mode: 'work',
      directory,
      prompt: '',
      promptFile,
      outcomeFile,
      inbox,
      model,
      ...changes,
    };
    writeFileSync(promptFile, job.prompt);
    const command = driver.commandOf(job);
    assert('argv' in command, 'refused' in command ? command.refused : '');
    for (const {path: file, text} of command.files ?? []) writeFileSync(file, text);
    return command;
  };

  const start = (changes: Partial<Job>, isSandboxed = false): Started => {
    const command = getCommand({
      nestsSandboxes: process.getuid?.() !== 0 || !isSandboxed,
      ...changes,
    });
    const plain = toTerminalArgv(command, [program], [process.execPath, own]);
    const [file = '', ...rest] = isSandboxed
      ? confined(plain, {
          driver,
          directory,
          exchange,
          home,
          temporary,
          mode: changes.mode ?? 'work',
          env: given,
        })
      : plain;
    const child = spawn(file, rest, {
      cwd: directory,
      env: {...given, ...command.env},
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      screen += text;
    });
    const ended = once(child, 'close').then((end) => {
      const [code] = end as [number | null];
      const outcome = textIn(path.join(exchange, 'outcome.json'));
      return {
        code,
        screen,
        outcome: outcome === '' ? undefined : parseOutcomeFile(outcome),
        stream: textIn(path.join(exchange, 'stream.jsonl')),
      };
    });
    return {ended, screen: () => screen, kill: (signal) => void child.kill(signal)};
  };

  return {
    driver,
    directory,
    server,
    home,
    start,
    activity: () => parseActivityFile(textIn(path.join(exchange, 'activity.json'))),
    run: async (job, isSandboxed) => start(job, isSandboxed).ended,
    command: (changes) => {
      const command = getCommand(changes);
      return {argv: toTerminalArgv(command, [program]), env: {...given, ...command.env}};
    },
    changes: () => git(directory, 'status', '--porcelain', '--untracked-files=all').trim(),
  };
}

function createRepository(repository: string, directory: string): void {
  mkdirSync(repository);
  writeFileSync(path.join(repository, 'a.txt'), 'one\n');
  git(repository, 'init', '--quiet');
  git(repository, 'add', '--all');
  git(
    repository,
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@b',
    'commit',
    '--quiet',
    '--message',
    'start',
  );
  git(repository, 'worktree', 'add', '--quiet', '--detach', directory);
}

function git(cwd: string, ...argv: readonly string[]): string {
  return execFileSync('git', argv, {
    cwd,
    encoding: 'utf8',
    env: {PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1', HOME: '/nonexistent'},
  });
}

function textIn(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Names of all files in the worktree but git's own. */
export function filesIn(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name !== '.git')
    .toSorted();
}

import {errorText} from '../../shared/index.ts';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {existsSync} from 'node:fs';
import {agents, ownInterfaces} from '../../agents/index.ts';
import {checkRules} from '../../rules/index.ts';
import {isCi, parseProject} from '../../project-config/index.ts';
import {fileFingerprint, readRegularFile, tryReadText} from '../../files/index.ts';
import {findProgram} from '../../system/index.ts';
import type {GitRepository} from '../../config/index.ts';
import {repositoryAt} from '../repo-paths.ts';
import type {Repository as AppRepository, StarterRules} from '../../app/index.ts';
import type {CliContext} from '../cli-context.ts';
import {draftStarterRules} from './starter-rules.ts';

export type AppRepositoryFacts = {
  readonly name: string;
  readonly trouble?: 'no-git' | 'no-commits';
  readonly rules: AppRepository['rules'];
  /** Where there is no rules file. */
  readonly starter: StarterRules | undefined;
  readonly agents: readonly string[];
  readonly interfaces: NonNullable<AppRepository['interfaces']>;
  readonly head?: {readonly branch: string; readonly commit: string};
  readonly project: {readonly problems: number; readonly first: string};
};

/** What the app shows about the directory where it was started. */
export function readRepository({cwd, env}: Pick<CliContext, 'cwd' | 'env'>): AppRepositoryFacts {
  const found = repositoryAt({cwd, env});
  const root = found?.root ?? cwd;
  const trouble = findTrouble(found, env);
  const search = {path: env['PATH'] ?? '', outside: root};
  // The built-in agent needs a playbook, which only the command line can name.
  const installed = (): readonly string[] =>
    agents
      .filter(
        ({program}) =>
          program !== undefined && findProgram(program.command, search).file !== undefined,
      )
      .map(({name}) => name);
  const agentNames = createCached(agentsMs, installed);
  const head = found === undefined ? undefined : readHead(found);
  const rules = whenChanged(path.join(root, '.rulesfile.md'), (file) => readRules(root, file));
  const project = whenChanged(path.join(root, '.orchestra', 'project.yaml'), (file) =>
    readProject(root, file),
  );
  const starter = createCached(agentsMs, () => draftStarterRules(root));
  return {
    name: root,
    ...(trouble === undefined ? {} : {trouble}),
    ...(head === undefined ? {} : {head}),
    interfaces: {builtIn: ownInterfaces, isCi: isCi(env)},
    // Looked for again while the app runs: somebody may install one meanwhile.
    get agents() {
      return agentNames();
    },
    // Getters, because only a repository without runs shows them, and checking needs a tokenizer.
    get rules() {
      return rules();
    },
    get project() {
      return project();
    },
    get starter() {
      return trouble === 'no-git' || rules().exists ? undefined : starter();
    },
  };
}

function findTrouble(
  found: GitRepository | undefined,
  env: CliContext['env'],
): 'no-git' | 'no-commits' | undefined {
  if (found === undefined) return 'no-git';
  return readHead(found) !== undefined || hasCommits(found.root, env) ? undefined : 'no-commits';
}

const maxRefBytes = 64 * 1024;
const maxBytes = 16 * 1024 * 1024;

/**
 * The checked out branch and its commit, from git's files: starting git takes longer than the whole
 * first frame. Undefined if they do not say it, as with packed refs.
 */
function readHead({root, commonDirectory}: GitRepository): AppRepositoryFacts['head'] {
  try {
    const ref = /^ref: refs\/heads\/(.+)$/m.exec(
      tryReadText(path.join(root, '.git', 'HEAD'), {maxBytes: maxRefBytes}) ?? '',
    )?.[1];
    if (ref === undefined) return undefined;
    const commit = /^[\da-f]{40,64}$/m.exec(
      tryReadText(path.join(commonDirectory, 'refs', 'heads', ref), {maxBytes: maxRefBytes}) ?? '',
    )?.[0];
    return commit === undefined ? undefined : {branch: ref, commit};
  } catch {
    return undefined;
  }
}

const agentsMs = 5000;

function createCached<Value>(ms: number, read: () => Value): () => Value {
  let last: {readonly at: number; readonly value: Value} | undefined;
  return () => {
    const now = Date.now();
    if (last === undefined || now - last.at >= ms) last = {at: now, value: read()};
    return last.value;
  };
}

function hasCommits(root: string, env: CliContext['env']): boolean {
  // Never a git program inside of the repository.
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) return false;
  try {
    execFileSync(
      file,
      [
        '-c',
        'core.hooksPath=/dev/null',
        '-c',
        'core.fsmonitor=false',
        'rev-parse',
        '--verify',
        '--quiet',
        'HEAD',
      ],
      {cwd: root, env, stdio: 'ignore'},
    );
    return true;
  } catch {
    return false;
  }
}

/** Reads again when the file has changed, so that a corrected file takes effect. */
function whenChanged<Value>(file: string, read: (file: string) => Value): () => Value {
  let cached: {readonly print: string; readonly value: Value} | undefined;
  return () => {
    const print = fileFingerprint(file);
    if (cached?.print !== print) cached = {print, value: read(file)};
    return cached.value;
  };
}

function readProject(root: string, file: string): AppRepositoryFacts['project'] {
  const reading = readRegularFile(file, {maxBytes, below: root, links: 'inside'});
  if (reading.at === 'refused')
    return reading.why === 'missing'
      ? {problems: 0, first: ''}
      : {problems: 1, first: `1: the file ${reading.message}.`};
  const {problems} = parseProject(reading.bytes);
  return {
    problems: problems.length,
    first: problems
      .slice(0, 1)
      .map(({line, text}) => `${line}: ${text}`)
      .join(''),
  };
}

function readRules(root: string, file: string): AppRepositoryFacts['rules'] {
  const reading = readRegularFile(file, {maxBytes, below: root, links: 'inside'});
  if (reading.at === 'refused')
    return {
      exists: reading.why !== 'missing',
      rules: 0,
      enforced: 0,
      checks: [],
      problems: reading.why === 'missing' ? 0 : 1,
    };
  const {rules, checks, findings} = checkRules('.rulesfile.md', reading.bytes);
  return {
    exists: true,
    rules: rules.length,
    enforced: rules.filter(({tooth}) => tooth !== undefined).length,
    checks: checks.map(({name, command}) => ({name, command})),
    problems: findings.filter(({level}) => level === 'error').length,
  };
}

/**
 * When the person asks: creates a repository or a first commit where there is none. Their files are
 * only read.
 */
export function prepareRepository(
  what: 'no-git' | 'no-commits',
  {cwd, env}: Pick<CliContext, 'cwd' | 'env'>,
): Promise<void> {
  const reason = reasonAgainst({cwd, env});
  if (reason !== undefined) return Promise.reject(new Error(reason));
  try {
    const directory = repositoryAt({cwd, env})?.root ?? cwd;
    const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: directory});
    if (file === undefined) throw new Error('git is not on PATH; install it');
    const git = (...argv: readonly string[]): void =>
      void execFileSync(file, argv, {cwd: directory, env, stdio: ['ignore', 'ignore', 'pipe']});
    if (what === 'no-git') git('init', '--quiet');
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'Begin');
    return Promise.resolve();
  } catch (error) {
    const output =
      error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : errorText(error);
    return Promise.reject(new Error(output));
  }
}

/** Why a commit of everything would do harm, or is impossible. */
function reasonAgainst({cwd, env}: Pick<CliContext, 'cwd' | 'env'>): string | undefined {
  if (['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(cwd, name))))
    return 'this is a bare repository without files. Clone it, and start orchestra in the clone';
  const isAbove = [env['HOME'], '/'].some(
    (directory) =>
      directory !== undefined && directory !== '' && path.resolve(cwd) === path.resolve(directory),
  );
  return isAbove
    ? 'this is your home directory or the root, not one project. Start orchestra in the directory of a project'
    : undefined;
}

import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {agents} from '../../agents/index.ts';
import {checkRules, readProject} from '../../documents/index.ts';
import {filePrint, readRegularFile, tryReadText} from '../../files/index.ts';
import {findProgram} from '../../machine/index.ts';
import type {Repository} from '../../settings/index.ts';
import {repositoryAt} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';

export type RepositoryFacts = {
  readonly name: string;
  readonly trouble?: 'no-git' | 'no-commits';
  readonly rules: {readonly exists: boolean; readonly rules: number; readonly problems: number};
  readonly agents: readonly string[];
  readonly project: {readonly problems: number; readonly first: string};
};

/** What the app says about where it was started. */
export function readRepository({cwd, env}: Pick<Surroundings, 'cwd' | 'env'>): RepositoryFacts {
  const found = repositoryAt({cwd, env});
  const root = found?.root ?? cwd;
  const trouble =
    found === undefined
      ? 'no-git'
      : hasBranch(found) || hasCommits(root, env)
        ? undefined
        : 'no-commits';
  const search = {path: env['PATH'] ?? '', outside: root};
  // The built-in agent needs a playbook, which only the command line can name.
  const installed = agents
    .filter(
      ({program}) =>
        program !== undefined && findProgram(program.command, search).file !== undefined,
    )
    .map(({name}) => name);
  const rules = whenChanged(path.join(root, '.rulesfile.md'), (file) => rulesIn(root, file));
  const project = whenChanged(path.join(root, '.orchestra', 'project.yaml'), (file) =>
    projectIn(root, file),
  );
  return {
    name: root,
    ...(trouble === undefined ? {} : {trouble}),
    agents: installed,
    // Only a repository with nothing to do yet shows them, and looking for problems takes a tokenizer.
    get rules() {
      return rules();
    },
    get project() {
      return project();
    },
  };
}

const mostRefBytes = 64 * 1024;
const mostBytes = 16 * 1024 * 1024;

/** Whether the branch that is checked out is there, as far as files tell: a process of git takes longer than all that is drawn. */
function hasBranch({root, commonDirectory}: Repository): boolean {
  try {
    const branch = /^ref: (refs\/heads\/.+)$/m.exec(
      tryReadText(path.join(root, '.git', 'HEAD'), {maxBytes: mostRefBytes}) ?? '',
    )?.[1];
    return (
      branch !== undefined &&
      /^[\da-f]{40,64}$/m.test(
        tryReadText(path.join(commonDirectory, branch), {maxBytes: mostRefBytes}) ?? '',
      )
    );
  } catch {
    return false;
  }
}

function hasCommits(root: string, env: Surroundings['env']): boolean {
  // Never one that the repository brought along.
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

/** Read again when the file is another one: whoever mends it sees that it is mended. */
function whenChanged<Value>(file: string, read: (file: string) => Value): () => Value {
  let kept: {readonly print: string; readonly value: Value} | undefined;
  return () => {
    const print = filePrint(file);
    if (kept?.print !== print) kept = {print, value: read(file)};
    return kept.value;
  };
}

function projectIn(root: string, file: string): RepositoryFacts['project'] {
  const reading = readRegularFile(file, {maxBytes: mostBytes, below: root, links: 'inside'});
  if (reading.at === 'refused')
    return reading.why === 'missing'
      ? {problems: 0, first: ''}
      : {problems: 1, first: `1: the file ${reading.message}.`};
  const {problems} = readProject(reading.bytes);
  return {
    problems: problems.length,
    first: problems
      .slice(0, 1)
      .map(({line, text}) => `${line}: ${text}`)
      .join(''),
  };
}

function rulesIn(root: string, file: string): RepositoryFacts['rules'] {
  const reading = readRegularFile(file, {maxBytes: mostBytes, below: root, links: 'inside'});
  if (reading.at === 'refused')
    return {
      exists: reading.why !== 'missing',
      rules: 0,
      problems: reading.why === 'missing' ? 0 : 1,
    };
  const {rules, findings} = checkRules('.rulesfile.md', reading.bytes);
  return {
    exists: true,
    rules: rules.length,
    problems: findings.filter(({level}) => level === 'error').length,
  };
}

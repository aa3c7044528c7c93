import {execFileSync} from 'node:child_process';
import {readFileSync, statSync} from 'node:fs';
import path from 'node:path';
import {agents} from '../../agents/index.ts';
import {checkRules, readProject} from '../../documents/index.ts';
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
  const trouble = found === undefined ? 'no-git' : hasBranch(found) || hasCommits(root, env) ? undefined : 'no-commits';
  const search = {path: env['PATH'] ?? '', outside: root};
  // The built-in agent needs a playbook, which only the command line can name.
  const installed = agents.filter(({program}) => program !== undefined && findProgram(program.command, search).file !== undefined).map(({name}) => name);
  const rules = whenChanged(path.join(root, '.rulesfile.md'), rulesIn);
  const project = whenChanged(path.join(root, '.orchestra', 'project.yaml'), projectIn);
  return {
    name: root, ...(trouble === undefined ? {} : {trouble}), agents: installed,
    // Only a repository with nothing to do yet shows them, and looking for problems takes a tokenizer.
    get rules() {
      return rules();
    },
    get project() {
      return project();
    },
  };
}

/** Whether the branch that is checked out is there, as far as files tell: a process of git takes longer than all that is drawn. */
function hasBranch({root, commonDirectory}: Repository): boolean {
  try {
    const branch = /^ref: (refs\/heads\/.+)$/m.exec(readFileSync(path.join(root, '.git', 'HEAD'), 'utf8'))?.[1];
    return branch !== undefined && /^[\da-f]{40,64}$/m.test(readFileSync(path.join(commonDirectory, branch), 'utf8'));
  } catch {
    return false;
  }
}

function hasCommits(root: string, env: Surroundings['env']): boolean {
  // Never one that the repository brought along.
  const {file} = findProgram('git', {path: env['PATH'] ?? '', outside: root});
  if (file === undefined) return false;
  try {
    execFileSync(file, ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', 'rev-parse', '--verify', '--quiet', 'HEAD'], {cwd: root, env, stdio: 'ignore'});
    return true;
  } catch {
    return false;
  }
}

/** Read again when the file is another one: whoever mends it sees that it is mended. */
function whenChanged<Value>(file: string, read: (file: string) => Value): () => Value {
  let kept: {readonly print: string; readonly value: Value} | undefined;
  return () => {
    const found = statSync(file, {throwIfNoEntry: false, bigint: true});
    const print = found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeNs}`;
    if (kept?.print !== print) kept = {print, value: read(file)};
    return kept.value;
  };
}

function projectIn(file: string): RepositoryFacts['project'] {
  try {
    const {problems} = readProject(readFileSync(file));
    return {problems: problems.length, first: problems.slice(0, 1).map(({line, text}) => `${line}: ${text}`).join('')};
  } catch {
    return {problems: 0, first: ''};
  }
}

function rulesIn(file: string): RepositoryFacts['rules'] {
  try {
    const {rules, findings} = checkRules('.rulesfile.md', readFileSync(file));
    return {exists: true, rules: rules.length, problems: findings.filter(({level}) => level === 'error').length};
  } catch {
    return {exists: false, rules: 0, problems: 0};
  }
}

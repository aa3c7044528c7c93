import path from 'node:path';
import {realpathSync, statSync, existsSync} from 'node:fs';
import {type AgentWorktree, findAgentWorktree, isWorktreeAdminName} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';

/** What git reports about the directory in which it was asked. */
export type RepositoryFacts =
  | {readonly at: 'none'}
  /** git failed or could not be asked; `said` is its first line. */
  | {readonly at: 'unknown'; readonly said: string}
  | {
      readonly at: 'repository';
      /** Shared by all worktrees; the repository's identity. */
      readonly commonDirectory: string;
      /** Absent in a bare repository and inside a `.git` directory. */
      readonly topLevel?: string;
      readonly isBare: boolean;
      readonly isShallow: boolean;
      readonly hasCommit: boolean;
    };

/** Keeps git from running programs that the repository's configuration names. */
const hardened = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null'];

/** `--show-toplevel` comes last, because git stops there in a bare repository. */
export const repositoryQuestion: readonly string[] = [
  ...hardened,
  'rev-parse',
  '--path-format=absolute',
  '--is-bare-repository',
  '--is-shallow-repository',
  '--git-common-dir',
  '--show-toplevel',
];

/** Exit code 0: there is a commit. */
export const headQuestion: readonly string[] = [
  ...hardened,
  'rev-parse',
  '--verify',
  '--quiet',
  'HEAD^{commit}',
];

/** Both answers come from git under `LC_ALL=C`. */
export function parseRepositoryFacts(
  answer: {readonly stdout: string; readonly stderr: string},
  hasCommit: boolean,
): RepositoryFacts {
  const [isBare, isShallow, commonDirectory, topLevel] = answer.stdout.split('\n');
  if (
    (isBare !== 'true' && isBare !== 'false') ||
    commonDirectory === undefined ||
    commonDirectory === ''
  ) {
    return answer.stderr.includes('not a git repository')
      ? {at: 'none'}
      : {at: 'unknown', said: answer.stderr.trim().split('\n')[0] ?? ''};
  }

  return {
    at: 'repository',
    commonDirectory,
    ...(topLevel === undefined || topLevel === '' ? {} : {topLevel}),
    isBare: isBare === 'true',
    isShallow: isShallow === 'true',
    hasCommit,
  };
}

/** A checkout, and the git directory that all worktrees of its repository share. */
export type GitRepository = {readonly root: string; readonly commonDirectory: string};

/** A `.git` file of a linked worktree is one line; a larger file is ignored. */
const maxBytes = 64 * 1024;

/**
 * Finds the repository without git, because every command begins here. `undefined` outside of any.
 * Inside of a worktree that orchestra made for an agent, it is the checkout beside which the
 * worktree was made; nothing in the worktree is read, since the agent may have written all of it.
 * `logical` is the directory as the shell names it, including links.
 */
export function findRepository(from: string, logical?: string): GitRepository | undefined {
  const place = realpathSync.native(from);
  const agents = findAgentWorktree(place) ?? agentWorktreeOnTheWay(place, logical);
  if (agents !== undefined) return repositoryBeside(agents);
  const root = nearestCheckout(place);
  return root === undefined ? undefined : readRepository(root);
}

/**
 * A link in an agent's worktree leads wherever the agent wanted, so the path with the link is
 * checked too.
 */
function agentWorktreeOnTheWay(
  place: string,
  logical: string | undefined,
): AgentWorktree | undefined {
  if (logical === undefined || !path.isAbsolute(logical) || getRealPath(logical) !== place)
    return undefined;
  const parts = path.normalize(logical).split(path.sep);
  for (let count = 2; count <= parts.length; count++) {
    const found = findAgentWorktree(getRealPath(parts.slice(0, count).join(path.sep)));
    if (found !== undefined) return found;
  }

  return undefined;
}

function repositoryBeside({worktree, checkout}: AgentWorktree): GitRepository {
  if (nearestCheckout(checkout) === checkout) return readRepository(checkout);
  throw new Error(
    `${worktree} is a worktree that orchestra made for an agent of ${checkout}, but that ` +
      'repository is gone. Change to the repository at its new place; orchestra trusts no ' +
      'files that an agent could write.',
  );
}

function readRepository(checkout: string): GitRepository {
  const root = realpathSync.native(checkout);
  const dotGit = path.join(root, '.git');
  const gitDirectory = statSync(dotGit).isDirectory() ? dotGit : readLinkedDirectory(root, dotGit);
  const commonDirectory = realpathSync.native(readCommonDirectory(gitDirectory));
  return isAgentAdmin(gitDirectory)
    ? findMainCheckout(root, commonDirectory)
    : {root, commonDirectory};
}

/** An agent's worktree that was moved elsewhere still does not belong to the person. */
function isAgentAdmin(gitDirectory: string): boolean {
  return (
    path.basename(path.dirname(gitDirectory)) === 'worktrees' &&
    (isWorktreeAdminName(path.basename(gitDirectory)) ||
      readLine(path.join(gitDirectory, 'locked')) === 'orchestra')
  );
}

function findMainCheckout(worktree: string, commonDirectory: string): GitRepository {
  if (path.basename(commonDirectory) === '.git')
    return readRepository(path.dirname(commonDirectory));
  throw new Error(
    `${worktree} is a worktree that orchestra made for an agent of ${commonDirectory}. ` +
      'Change to a checkout of your own; orchestra trusts no files that an agent could ' +
      'write.',
  );
}

/** In a linked worktree `.git` is a file that names its git directory. */
function readLinkedDirectory(root: string, file: string): string {
  const target = /^gitdir: (?<target>.+)$/m.exec(readLine(file) ?? '')?.groups?.['target'];
  if (target === undefined)
    throw new Error(`${file}: expected "gitdir: <path>"; is this a git worktree?`);
  return path.resolve(root, target);
}

function readCommonDirectory(gitDirectory: string): string {
  const line = readLine(path.join(gitDirectory, 'commondir'));
  return line === undefined ? gitDirectory : path.resolve(gitDirectory, line);
}

/** Reads regular files only: a pipe would never end. */
function readLine(file: string): string | undefined {
  return tryReadText(file, {maxBytes, links: 'follow'})?.trim();
}

/**
 * The nearest parent directory with a `.git`, found before any program is run. Inside of an agent's
 * worktree it is that worktree, whatever the agent made of its `.git`.
 */
export function findCheckout(from: string): string | undefined {
  return findAgentWorktree(getRealPath(from))?.worktree ?? nearestCheckout(from);
}

/** Looks for `.git` only. */
export function nearestCheckout(from: string): string | undefined {
  if (existsSync(path.join(from, '.git'))) return from;
  const parent = path.dirname(from);
  return parent === from ? undefined : nearestCheckout(parent);
}

/** A path that does not exist is returned unchanged. */
export function getRealPath(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

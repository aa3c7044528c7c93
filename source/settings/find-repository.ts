import {realpathSync, statSync} from 'node:fs';
import path from 'node:path';
import {agentWorktreeIn, isWorktreeAdminName, type AgentWorktree} from '../domain/index.ts';
import {tryReadText} from '../files/index.ts';
import {nearestCheckout, realPathOf} from './find-checkout.ts';

/** A checkout, and the git directory that all worktrees of its repository share. */
export type Repository = {readonly root: string; readonly commonDirectory: string};

/** A `.git` of a linked worktree is one line; whatever is longer is none. */
const maxBytes = 64 * 1024;

/**
 * Found without git, because every command begins here. Nothing when there is no repository. Inside of a worktree that
 * orchestra made for an agent it is the checkout that this worktree was made beside, and nothing in the worktree is read:
 * the agent may have written all of it. `logical` is the directory as the shell names it, with the links on the way.
 */
export function findRepository(from: string, logical?: string): Repository | undefined {
  const place = realpathSync.native(from);
  const agents = agentWorktreeIn(place) ?? agentWorktreeOnTheWay(place, logical);
  if (agents !== undefined) return repositoryBeside(agents);
  const root = nearestCheckout(place);
  return root === undefined ? undefined : repositoryOf(root);
}

/** A link in an agent's worktree leads wherever the agent wanted; who came through it still stands in that worktree. */
function agentWorktreeOnTheWay(
  place: string,
  logical: string | undefined,
): AgentWorktree | undefined {
  if (logical === undefined || !path.isAbsolute(logical) || realPathOf(logical) !== place)
    return undefined;
  const parts = path.normalize(logical).split(path.sep);
  for (let count = 2; count <= parts.length; count++) {
    const found = agentWorktreeIn(realPathOf(parts.slice(0, count).join(path.sep)));
    if (found !== undefined) return found;
  }

  return undefined;
}

function repositoryBeside({worktree, checkout}: AgentWorktree): Repository {
  if (nearestCheckout(checkout) === checkout) return repositoryOf(checkout);
  throw new Error(
    `${worktree} is a worktree that orchestra made for an agent of ${checkout}, but no repository is there. Go to the repository, wherever it is now; nothing that an agent could write counts as one.`,
  );
}

function repositoryOf(checkout: string): Repository {
  const root = realpathSync.native(checkout);
  const dotGit = path.join(root, '.git');
  const gitDirectory = statSync(dotGit).isDirectory() ? dotGit : linkedDirectory(root, dotGit);
  const commonDirectory = realpathSync.native(commonOf(gitDirectory));
  return isAgentAdmin(gitDirectory) ? mainOf(root, commonDirectory) : {root, commonDirectory};
}

/** An agent's worktree that somebody has moved elsewhere is still none of the person's own. */
function isAgentAdmin(gitDirectory: string): boolean {
  return (
    path.basename(path.dirname(gitDirectory)) === 'worktrees' &&
    (isWorktreeAdminName(path.basename(gitDirectory)) ||
      lineOf(path.join(gitDirectory, 'locked')) === 'orchestra')
  );
}

function mainOf(worktree: string, commonDirectory: string): Repository {
  if (path.basename(commonDirectory) === '.git') return repositoryOf(path.dirname(commonDirectory));
  throw new Error(
    `${worktree} is a worktree that orchestra made for an agent of ${commonDirectory}. Go to a checkout of your own: what an agent wrote does not count as the project's.`,
  );
}

/** In a linked worktree `.git` is a file that says where its git directory is. */
function linkedDirectory(root: string, file: string): string {
  const target = /^gitdir: (?<target>.+)$/m.exec(lineOf(file) ?? '')?.groups?.['target'];
  if (target === undefined)
    throw new Error(`${file}: expected "gitdir: <path>"; is this a git worktree?`);
  return path.resolve(root, target);
}

function commonOf(gitDirectory: string): string {
  const line = lineOf(path.join(gitDirectory, 'commondir'));
  return line === undefined ? gitDirectory : path.resolve(gitDirectory, line);
}

/** Only of an ordinary file: a pipe would never end. */
function lineOf(file: string): string | undefined {
  return tryReadText(file, {maxBytes, links: 'follow'})?.trim();
}

/** A worktree that orchestra made for an agent, and the checkout beside which it stands. */
export type AgentWorktree = {readonly worktree: string; readonly checkout: string};

const suffix = '.worktrees';

/** Whether a directory beside a repository is called as we call ours: `r1-t3`, `r1-plan`, `r1-merge-2`. */
export function isWorktreeName(name: string): boolean {
  return /^r[1-9]\d*-(?:t[1-9]\d*|plan|merge)(?:-[1-9]\d?)?$/.test(name);
}

/** Whether git's own directory of a worktree is called as git calls it for ours, after the place where it was built: `r1-t3-9f2c01ab34`. */
export function isWorktreeAdminName(name: string): boolean {
  return /^r[1-9]\d*-(?:t[1-9]\d*|plan|merge)-[\da-f]{10}\d*$/.test(name);
}

/**
 * The outermost agent's worktree on a path, known by the path alone: an agent writes everything below it, its `.git`
 * and repositories of its own included, but not the name that it has beside the repository. What we build and remove
 * there ourselves (`.orchestra-making`, `.orchestra-trash`) holds files of agents as well. The path is absolute, without links.
 */
export function agentWorktreeIn(place: string): AgentWorktree | undefined {
  const parts = place.split('/');
  // On a disk that does not tell upper from lower case the person may have come by another spelling.
  const names = parts.map((part) => part.toLowerCase());
  const at = names.findIndex(
    (name, index) =>
      isBesideRepository(names[index - 1]) &&
      (isWorktreeName(name) || name.startsWith('.orchestra-')),
  );
  if (at === -1) return undefined;
  return {
    worktree: parts.slice(0, at + 1).join('/'),
    checkout: parts.slice(0, at).join('/').slice(0, -suffix.length),
  };
}

function isBesideRepository(parent: string | undefined): boolean {
  return parent !== undefined && parent.length > suffix.length && parent.endsWith(suffix);
}

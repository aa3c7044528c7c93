import path from 'node:path';

export type WorktreePlaces = {
  /** Checkouts of the person's that the shell may have pointed into. */
  readonly checkouts: readonly string[];
  readonly worktree: string;
  readonly isThere: (place: string) => boolean;
};

/**
 * The variables as they hold in a worktree: a path inside of the checkout (`PATH`, `VIRTUAL_ENV`, what direnv exported) leads to the
 * same place in the worktree, if that is there. Of what is not, the checkout's own stays: better an interpreter of the
 * checkout than none. Only whole values are paths; those of names that end in PATH or PATHS are lists of them.
 */
export function environmentInWorktree(
  variables: Readonly<Record<string, string>>,
  places: WorktreePlaces,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      isList(name)
        ? value
            .split(':')
            .map((entry) => moved(entry, places))
            .join(':')
        : moved(value, places),
    ]),
  );
}

function isList(name: string): boolean {
  return /PATHS?$/i.test(name);
}

function moved(value: string, {checkouts, worktree, isThere}: WorktreePlaces): string {
  if (!path.isAbsolute(value)) return value;
  const plain = path.normalize(value);
  for (const checkout of checkouts) {
    const relative = path.relative(checkout, plain);
    if (relative.startsWith('..') || path.isAbsolute(relative)) continue;
    const place = path.join(worktree, relative);
    if (isThere(place)) return place;
  }

  return value;
}

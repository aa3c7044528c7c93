import {dropMark, markSince} from '../commit/mark.ts';
import {moveRef, readRef, settleRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {pastLocks} from '../worktree/past-locks.ts';
import {aside} from './aside.ts';

const prefix = 'refs/orchestra/keep';

/** Names an object, so that `git gc` never takes it, and gives the name. Inside a turn already: `keepNow`. */
export function keepObject(workspace: Workspace, group: string, object: string): Promise<string> {
  return workspace.inTurn(() => keepNow(workspace, group, object));
}

export async function keepNow(
  workspace: Workspace,
  group: string,
  object: string,
): Promise<string> {
  const name = `${prefix}/${partOf(group)}/${object}`;
  // With marks and patience for locks as any ref of ours: killed here, git leaves a lock on this name.
  if ((await readRef(workspace, name)) === object) settleRef(workspace, name);
  else await moveRef(workspace, {ref: name, to: object, from: null});
  return name;
}

/** The objects that are kept for a group. */
export async function keptIn(workspace: Workspace, group: string): Promise<readonly string[]> {
  const start = `${prefix}/${partOf(group)}/`;
  const names = (
    await aside(workspace, ['for-each-ref', '--format=%(refname)', start], {isRead: true})
  ).split('\n');
  return names.filter((name) => name.startsWith(start)).map((name) => name.slice(start.length));
}

/** Lets go what was kept for a group: a worktree that is gone for good, merges that are published. Gives how many. */
export function releaseKept(workspace: Workspace, group: string): Promise<number> {
  return workspace.inTurn(async () => {
    const names = (await keptIn(workspace, group)).map(
      (object) => `${prefix}/${partOf(group)}/${object}`,
    );
    if (names.length === 0) return 0;
    const since = markSince(workspace, 'release');
    await pastLocks(workspace, since, () =>
      aside(workspace, ['update-ref', '--no-deref', '--stdin', '-z'], {
        input: names.map((name) => `delete ${name}\0\0`).join(''),
      }),
    );
    dropMark(workspace, 'release');
    return names.length;
  });
}

function partOf(group: string): string {
  return (
    group
      .replaceAll(/[^\w-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 80) || 'other'
  );
}

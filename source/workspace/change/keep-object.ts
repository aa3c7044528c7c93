import type {Workspace} from '../open-workspace.ts';
import {aside} from './aside.ts';

const prefix = 'refs/orchestra/keep';

/** Names an object, so that `git gc` never takes it, and gives the name. Inside a turn already: `keepNow`. */
export function keepObject(workspace: Workspace, group: string, object: string): Promise<string> {
  return workspace.inTurn(() => keepNow(workspace, group, object));
}

export async function keepNow(workspace: Workspace, group: string, object: string): Promise<string> {
  const name = `${prefix}/${partOf(group)}/${object}`;
  if (await isKept(workspace, name)) return name;
  await aside(workspace, ['update-ref', '--no-deref', name, object]);
  return name;
}

/** Lets go what was kept for a group: a worktree that is gone for good, merges that are published. Gives how many. */
export function releaseKept(workspace: Workspace, group: string): Promise<number> {
  return workspace.inTurn(async () => {
    const names = (await aside(workspace, ['for-each-ref', '--format=%(refname)', `${prefix}/${partOf(group)}/`], {isRead: true})).split('\n').filter((name) => name !== '');
    if (names.length > 0) await aside(workspace, ['update-ref', '--no-deref', '--stdin', '-z'], {input: names.map((name) => `delete ${name}\0\0`).join('')});
    return names.length;
  });
}

async function isKept(workspace: Workspace, name: string): Promise<boolean> {
  return (await aside(workspace, ['for-each-ref', '--format=%(refname)', name], {isRead: true})).trim() === name;
}

function partOf(group: string): string {
  return group.replaceAll(/[^\w-]+/g, '-').replaceAll(/^-+|-+$/g, '').slice(0, 80) || 'other';
}

import path from 'node:path';
import type {Workspace} from '../open-workspace.ts';
import {readNotes} from '../worktree/note.ts';
import {lineOf} from '../worktree/registered.ts';

/** The person's branches and tags with the commit of each, where their checkout stands, and whether ours are there. */
export type Branches = {
  readonly head: string | null;
  readonly refs: Readonly<Record<string, string>>;
  /** Branches of our worktrees: `there` or `gone`. We move them, so where they point does not count. */
  readonly own: Readonly<Record<string, 'there' | 'gone'>>;
};

export type MovedBranch = {
  readonly ref: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** `prefix` is what our own branches begin with: `orchestra` for `orchestra/…` and `orchestra-2/…`. */
export async function branchesOf(workspace: Workspace, prefix = 'orchestra'): Promise<Branches> {
  const lines = (
    await workspace.git(
      workspace.root,
      [
        'for-each-ref',
        '--format=%(objectname) %(refname)',
        'refs/heads',
        'refs/tags',
        'refs/stash',
      ],
      {isRead: true},
    )
  )
    .split('\n')
    .filter((line) => line !== '');
  const all = lines.map((line): [string, string] => [
    line.slice(line.indexOf(' ') + 1),
    line.slice(0, line.indexOf(' ')),
  ]);
  const names = new Set(all.map(([ref]) => ref));
  const ours = readNotes(workspace)
    .filter(({at, branch}) => at === 'placed' && branch !== null)
    .map(({branch}) => `refs/heads/${branch ?? ''}`);
  const isOurs = (ref: string): boolean =>
    ours.includes(ref) ||
    ref.slice('refs/heads/'.length).replace(/^(?<name>[^/]*?)(?:-\d+)?\/.*$/s, '$<name>/') ===
      `${prefix}/`;
  return {
    head: lineOf(path.join(workspace.commonDirectory, 'HEAD')),
    refs: Object.fromEntries(all.filter(([ref]) => !isOurs(ref))),
    own: Object.fromEntries(ours.map((ref) => [ref, names.has(ref) ? 'there' : 'gone'])),
  };
}

/** People move their own branches: this only says which moved, and from where to where. */
export function movedBranches(before: Branches, after: Branches): readonly MovedBranch[] {
  const refs = [...new Set([...Object.keys(before.refs), ...Object.keys(after.refs)])].sort();
  const moved = refs
    .map((ref) => ({ref, before: before.refs[ref] ?? null, after: after.refs[ref] ?? null}))
    .filter((one) => one.before !== one.after);
  const gone = Object.keys(after.own)
    .filter((ref) => before.own[ref] === 'there' && after.own[ref] === 'gone')
    .map((ref) => ({ref, before: 'there', after: null}));
  return [
    ...(before.head === after.head ? [] : [{ref: 'HEAD', before: before.head, after: after.head}]),
    ...moved,
    ...gone,
  ];
}

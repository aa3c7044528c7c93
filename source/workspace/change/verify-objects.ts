import type {Workspace} from '../open-workspace.ts';
import {aside, partsOf} from './aside.ts';
import type {Difference} from './differences-of.ts';

/** Objects whose content is not what their name says: somebody wrote into the repository's object store. */
export class TamperedObjects extends Error {
  override readonly name = 'TamperedObjects';

  constructor(found: readonly NamedObject[]) {
    const shown = found
      .slice(0, 5)
      .map(({id, path}) => (path === undefined ? id : `${path} (${id})`))
      .join(', ');
    super(
      `expected every object in .git/objects to hold what its name says, got other content for ${shown}${found.length > 5 ? ` and ${found.length - 5} more` : ''}. Somebody wrote into the repository's objects; nothing was merged. Look with "git fsck --full", restore the objects from a clone, then resume.`,
    );
  }
}

type NamedObject = {readonly id: string; readonly path?: string};

/** What a change consists of: the files of both sides. Throws when one of them is not what it is called. */
export function verifyDifferences(
  workspace: Workspace,
  differences: readonly Difference[],
): Promise<void> {
  const objects = differences.flatMap((one) =>
    [one.old, one.new].flatMap((entry) =>
      entry === null || entry.mode === '160000' ? [] : [{id: entry.object, path: one.path}],
    ),
  );
  return verify(workspace, objects);
}

/** Every commit, directory and file that one commit has and another has not. */
export async function verifyRange(
  workspace: Workspace,
  {from, to}: {readonly from: string; readonly to: string},
): Promise<void> {
  const lines = (
    await aside(workspace, ['rev-list', '--objects', '--no-object-names', to, `^${from}`], {
      isRead: true,
    })
  ).split('\n');
  await verify(
    workspace,
    lines.filter((line) => line !== '').map((id) => ({id})),
  );
}

/** All files and directories of a commit, also those that nobody changed. */
export async function verifyTree(workspace: Workspace, commit: string): Promise<void> {
  const lines = partsOf(
    await aside(workspace, ['ls-tree', '-r', '-t', '-z', '--full-tree', commit], {isRead: true}),
  );
  const entries = lines.map((line) => ({
    id: line.split(/[ \t]/, 3)[2] ?? '',
    path: line.slice(line.indexOf('\t') + 1),
    isLink: line.startsWith('160000'),
  }));
  await verify(workspace, [
    {id: commit},
    ...entries.filter(({isLink}) => !isLink).map(({id, path}) => ({id, path})),
  ]);
}

async function verify(workspace: Workspace, objects: readonly NamedObject[]): Promise<void> {
  const byId = new Map(objects.map((one) => [one.id, one]));
  const ids = [...byId.keys()];
  const names = await workspace.hashObjects(workspace.commonDirectory, ids);
  // One that is not there (a partial clone) is git's to fetch or to miss.
  const wrong = ids
    .filter((id, index) => names[index] !== undefined && names[index] !== id)
    .flatMap((id) => byId.get(id) ?? []);
  if (wrong.length > 0) throw new TamperedObjects(wrong);
}

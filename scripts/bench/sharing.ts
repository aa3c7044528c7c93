// Approval to worktrees that can be worked in: three tasks with 272 MB of dependencies each, shared
// ahead and not, in the same run.
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {
  ensureWorktree,
  prepareShares,
  prepareWorktrees,
  provisionWorktree,
  type Workspace,
} from '../../source/git/index.ts';
import {makeRepository} from '../../test/git/support/repository.ts';
import {getTable, show} from './sessions/figures.ts';

const packages = 600;
const filesEach = 40;
const bytesEach = 11_333;
const share = ['node_modules'];

export async function benchSharing(): Promise<string> {
  const {workspace, root, remove} = makeRepository({
    '.gitignore': 'node_modules/\n',
    'readme.md': 'hello\n',
  });
  try {
    fill(path.join(root, 'node_modules'));
    const before = await time(() => approve(workspace, ['r1.t1', 'r1.t2', 'r1.t3']));
    const owners = ['r2.t1', 'r2.t2', 'r2.t3'];
    const ahead = await time(async () => {
      await prepareWorktrees(
        workspace,
        owners.map((owner) => ({owner, from: 'HEAD'})),
      );
      for (const owner of owners) await prepareShares(workspace, owner, share, () => undefined);
    });
    const after = await time(() => approve(workspace, owners));
    return [
      `${packages * filesEach} files, ${Math.round((packages * filesEach * bytesEach) / 1e6)} MB of dependencies, three tasks.`,
      '',
      ...getTable(
        ['what', 'not ahead (ms)', 'ahead (ms)', 'ratio'],
        [
          [
            'approval to three worktrees with their dependencies',
            show(before),
            show(after),
            `${show(before / after)} times as fast`,
          ],
          ['while the plan is read', '–', show(ahead), '–'],
        ],
      ),
      '',
    ].join('\n');
  } finally {
    remove();
  }
}

async function approve(workspace: Workspace, owners: readonly string[]): Promise<void> {
  await Promise.all(
    owners.map(async (owner) => {
      const {path: place} = await ensureWorktree(workspace, {
        owner,
        branch: `orchestra/${owner.replace('.', '-')}`,
        from: 'HEAD',
        mayRebuild: true,
      });
      await provisionWorktree(workspace, place, {copy: [], share}, {owner});
    }),
  );
}

function fill(directory: string): void {
  const text = 'x'.repeat(bytesEach);
  for (let one = 0; one < packages; one++) {
    const place = path.join(directory, `package-${one}`, 'lib');
    mkdirSync(place, {recursive: true});
    for (let file = 0; file < filesEach; file++)
      writeFileSync(path.join(place, `${file}.js`), text);
  }
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

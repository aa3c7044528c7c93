import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  ensureWorktree,
  gcReport,
  listLeftovers,
  type RemovalOptions,
  removeWorktree,
  sweepLeftovers,
} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

describe('what could go', () => {
  it('is told with its size and the reason, and what was kept is listed', async () => {
    const repository = makeRepository();
    try {
      const {workspace, gitIn, git} = repository;
      const commands: RemovalOptions[] = [];
      for (const number of [1, 2, 3, 4, 5]) {
        const {
          path: place,
          branch,
          commit,
        } = await ensureWorktree(workspace, {
          owner: `r1.t${number}`,
          branch: `orchestra/r1-t${number}`,
          from: 'HEAD',
          mayRebuild: true,
        });
        commands.push({owner: `r1.t${number}`, path: place, branch, base: commit});
      }

      const [, files, commits, merged, live] = commands;
      writeFileSync(path.join(files!.path, 'new'), '12345');
      gitIn(commits!.path, 'commit', '-q', '--allow-empty', '-m', 'mine');
      writeFileSync(path.join(merged!.path, 'done'), 'done\n');
      gitIn(merged!.path, 'add', '-A');
      gitIn(merged!.path, 'commit', '-q', '-m', 'done');
      git('merge', '-q', '--no-ff', '-m', 'merged', merged!.branch!);
      const known = commands.map((options) => ({
        ...options,
        ...(options === merged ? {mergedInto: 'main'} : {}),
        ...(options === live ? {isLive: () => true} : {}),
      }));
      const report = await gcReport(workspace, known);
      assert.deepEqual(
        report.worktrees.map(({owner, mayGo, why}) => [owner, mayGo, why]),
        [
          ['r1.t1', true, 'nothing was changed in it'],
          [
            'r1.t2',
            false,
            'it has files that are in no commit; removing it keeps them as a ref and a patch',
          ],
          [
            'r1.t3',
            false,
            'it has commits that are not merged; removing it keeps them as a ref and a patch',
          ],
          ['r1.t4', true, 'everything in it is merged'],
          ['r1.t5', false, 'a session runs in it'],
        ],
      );
      assert.equal(report.worktrees[1]!.bytes - report.worktrees[0]!.bytes, 5);
      assert.deepEqual([report.leftovers, report.backups], [[], []]);
      const {backup, patch} = await removeWorktree(workspace, files!);
      assert.deepEqual(
        (await gcReport(workspace, [])).backups.map((backup) => [
          backup.ref,
          backup.patch,
          backup.bytes > 0,
          backup.at,
        ]),
        [[backup, patch, true, 1_700_000_000_000]],
      );
    } finally {
      repository.remove();
    }
  });

  it('among what nobody knows is only what bears a name of ours; only what is ours alone is swept', async () => {
    const repository = makeRepository();
    try {
      const {workspace} = repository;
      const known = await ensureWorktree(workspace, {
        owner: 'r1.t1',
        branch: 'orchestra/r1-t1',
        from: 'HEAD',
        mayRebuild: true,
      });
      const missing = await ensureWorktree(workspace, {
        owner: 'r1.t2',
        branch: 'orchestra/r1-t2',
        from: 'HEAD',
        mayRebuild: true,
      });
      const gone = await ensureWorktree(workspace, {
        owner: 'r1.t3',
        branch: 'orchestra/r1-t3',
        from: 'HEAD',
        mayRebuild: true,
      });
      rmSync(gone.path, {recursive: true});
      rmSync(path.join(workspace.private, 'worktrees', 'r1-t3.json'));
      for (const name of ['mine', 'r1-t9']) mkdirSync(path.join(workspace.worktrees, name));
      mkdirSync(path.join(workspace.private, 'making', 'r1-t5-0123456789'), {recursive: true});
      mkdirSync(path.join(workspace.private, 'trash', 'r1-t6-0123456789'), {recursive: true});
      const found = listLeftovers(workspace, [known.path]);
      assert.deepEqual(
        found.map(({kind, why}) => [kind, why]),
        [
          ['worktree', 'it belongs to no run'],
          ['worktree', 'it belongs to no run, and git does not know it'],
          ['making', 'its creation was never finished'],
          ['trash', 'it was removed, but could not be deleted'],
          ['registration', `its worktree ${gone.path} is gone`],
        ],
      );
      assert.deepEqual(
        await sweepLeftovers(workspace, [known.path]),
        found.slice(2).map(({path: place}) => place),
      );
      assert.deepEqual(
        listLeftovers(workspace, [known.path]).map(({path: place}) => place),
        [missing.path, path.join(workspace.worktrees, 'r1-t9')],
      );
      assert.equal(existsSync(path.join(workspace.worktrees, 'mine')), true);
    } finally {
      repository.remove();
    }
  });
});

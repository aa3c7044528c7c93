import assert from 'node:assert/strict';
import path from 'node:path';
import {describe, it} from 'node:test';
import {checkDisk} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

describe('the disk, before a worktree is made', () => {
  it('is refused below a gigabyte or twice the size, and warned of below five', async () => {
    const repository = makeRepository({'a.txt': 'x'.repeat(1000)});
    try {
      const {workspace, home, git} = repository;
      const tree = git('rev-parse', 'HEAD^{tree}').trim();
      const free = (bytes: number) => ({tree, freeAt: () => Promise.resolve(bytes)});
      assert.deepEqual(await checkDisk(workspace, free(50e9)), {
        free: 50e9,
        size: 1000,
        warning: null,
      });
      assert.deepEqual(await checkDisk(workspace, free(4.2e9)), {
        free: 4.2e9,
        size: 1000,
        warning: `Only 4.2 GB are free at ${home}. Below 1 GB no worktree is made.`,
      });
      await assert.rejects(checkDisk(workspace, free(999e6)), {
        message: `Expected at least 1 GB free at ${home} before a worktree is made, but there are 999 MB. Free some space ("orchestra gc --dry-run" lists what orchestra can remove), then resume.`,
      });
      await assert.rejects(
        checkDisk(workspace, {...free(2500), min: 0, times: 3}),
        /Expected at least 3 kB free/,
      );
      assert.equal((await checkDisk(workspace)).free > 0, true);
      assert.equal(path.dirname(workspace.worktrees), home);
    } finally {
      repository.remove();
    }
  });
});

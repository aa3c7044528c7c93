import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {GitFailure} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

describe('git as we run it', () => {
  it('answers with what git printed, and throws with status and words when it fails', async () => {
    const repository = makeRepository();
    try {
      const {workspace, root} = repository;
      assert.equal(
        await workspace.git(root, ['rev-parse', 'HEAD'], {isRead: true}),
        `${repository.head()}\n`,
      );
      await assert.rejects(
        workspace.git(root, ['rev-parse', '--verify', 'nothing']),
        (error) =>
          error instanceof GitFailure &&
          error.code === 128 &&
          error.stderr.includes('single revision'),
      );
    } finally {
      repository.remove();
    }
  });

  it('runs no hook, no file system monitor, no external diff and no pager of the repository', async () => {
    const repository = makeRepository();
    try {
      const {workspace, root, git} = repository;
      const proof = path.join(repository.home, 'ran');
      const script = path.join(repository.home, 'payload');
      writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> '${proof}'\n`);
      chmodSync(script, 0o755);
      for (const name of [
        'core.fsmonitor',
        'core.pager',
        'core.editor',
        'core.sshCommand',
        'diff.external',
        'gpg.program',
      ])
        git('config', name, script);
      git('config', 'commit.gpgSign', 'true');
      const hooks = path.join(root, '.git', 'hooks');
      mkdirSync(hooks, {recursive: true});
      for (const name of [
        'post-checkout',
        'reference-transaction',
        'pre-commit',
        'post-index-change',
        'post-merge',
      ]) {
        writeFileSync(path.join(hooks, name), `#!/bin/sh\necho ${name} >> '${proof}'\n`);
        chmodSync(path.join(hooks, name), 0o755);
      }

      repository.write('readme.md', 'changed\n');
      await workspace.git(root, ['status', '--porcelain']);
      await workspace.git(root, ['diff', '--no-ext-diff', '--no-textconv']);
      const index = path.join(workspace.private, 'index');
      await workspace.git(root, ['read-tree', 'HEAD'], {index});
      await workspace.git(root, ['add', '-A'], {index});
      const tree = (await workspace.git(root, ['write-tree'], {index})).trim();
      const commit = (
        await workspace.git(root, ['commit-tree', tree, '-p', repository.head(), '-F', '-'], {
          input: 'a message\n',
          identity: {name: 'A', email: 'a@b', at: 5000},
        })
      ).trim();
      await workspace.git(root, ['update-ref', 'refs/heads/other', commit]);
      await workspace.git(root, [
        'worktree',
        'add',
        '--detach',
        path.join(repository.home, 'tree'),
        commit,
      ]);
      assert.equal(existsSync(proof), false);
      assert.match(git('cat-file', 'commit', commit), /author A <a@b> 5 \+0000/);
    } finally {
      repository.remove();
    }
  });

  it('makes the same commit again', async () => {
    const repository = makeRepository();
    try {
      const {workspace, root} = repository;
      const make = (): Promise<string> =>
        workspace.git(root, ['commit-tree', 'HEAD^{tree}', '-F', '-'], {
          input: 'once\n',
          identity: {name: 'A', email: 'a@b', at: 1_700_000_000_123},
        });
      assert.equal(await make(), await make());
    } finally {
      repository.remove();
    }
  });
});

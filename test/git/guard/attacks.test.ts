import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {chmodSync, existsSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  type Branches,
  changedOutside,
  changedSince,
  ensureWorktree,
  type GitGuard,
  hashTree,
  inspectRepository,
  movedBranches,
  type Outside,
  outsideFingerprint,
  prepareWorktrees,
  readBranches,
  readGuard,
  readHeadCommit,
  removeWorktree,
  tamperedPaths,
  type Workspace,
} from '../../../source/git/index.ts';
import {getEnvironment, makeRepository} from '../support/repository.ts';
import {type Attack, attacks} from './attacks.ts';

type Seen = {readonly guard: GitGuard; readonly outside: Outside; readonly branches: Branches};

describe('an agent that attacks from inside of its worktree', () => {
  for (const attack of attacks) {
    it(`with ${attack.name} is ${attack.by === 'nobody' ? 'harmless' : `named by the ${attack.by}`}, and nothing of it runs`, () =>
      play(attack));
  }
});

async function play({script, by, names}: Attack): Promise<void> {
  const repository = makeRepository({'readme.md': 'hello\n', 'source.txt': 'same\n'});
  const {workspace, home, root} = repository;
  try {
    const proof = path.join(home, 'ran');
    const payload = path.join(home, 'payload');
    writeFileSync(payload, `#!/bin/sh\necho "$0 $*" >> '${proof}'\ncat\n`);
    chmodSync(payload, 0o755);
    repository.git('branch', 'feature');
    repository.write('readme.md', 'an edit of the person\n');
    const from = repository.head();
    const own = await ensureWorktree(workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from,
      mayRebuild: true,
    });
    const sibling = await ensureWorktree(workspace, {
      owner: 'r1.t2',
      branch: 'orchestra/r1-t2',
      from,
      mayRebuild: true,
    });
    const before: Seen = {
      guard: await readGuard(workspace),
      outside: await outsideFingerprint(workspace, {siblings: [sibling.path], home}),
      branches: await readBranches(workspace),
    };
    assert.deepEqual(tamperedPaths(before.guard, await readGuard(workspace)), []);

    execFileSync('/bin/sh', ['-c', script], {
      cwd: own.path,
      env: {...getEnvironment(home), MAIN: root, SIBLING: sibling.path, PAYLOAD: payload},
      stdio: 'ignore',
    });
    // The agent may run what it likes; what counts is what runs in our hands.
    rmSync(proof, {force: true});
    const tampered = tamperedPaths(before.guard, await readGuard(workspace));
    if (by === 'guard') {
      assert.deepEqual(
        tampered.filter((name) => names?.test(name)).length,
        1,
        `not named among: ${tampered.join(', ')}`,
      );
    } else {
      assert.deepEqual(tampered, []);
      const named =
        by === 'branches'
          ? movedBranches(before.branches, await readBranches(workspace)).map(({ref}) => ref)
          : changedOutside(
              before.outside,
              await outsideFingerprint(workspace, {siblings: [sibling.path], home}),
            );
      if (by === 'nobody') assert.deepEqual(named, []);
      else
        assert.notEqual(
          named.find((name) => names?.test(name)),
          undefined,
          `not named among: ${named.join(', ')}`,
        );
      await doEverything(workspace, own, sibling.path, by === 'branches');
    }

    assert.equal(existsSync(proof), false, 'something of the agent ran in our hands');
  } finally {
    repository.remove();
  }
}

/** Whatever we do with git while a run goes on. */
async function doEverything(
  workspace: Workspace,
  own: {
    readonly path: string;
    readonly branch: string | null;
    readonly commit: string;
    readonly tree: string;
  },
  sibling: string,
  mayLackHead: boolean,
): Promise<void> {
  await hashTree(workspace, own.path);
  await changedSince(workspace, own.path, own.tree);
  await hashTree(workspace, sibling);
  await readHeadCommit(workspace, own.path);
  await ensureWorktree(workspace, {
    owner: 'r1.t1',
    branch: own.branch,
    from: own.commit,
    mayRebuild: false,
  });
  await prepareWorktrees(workspace, [{owner: 'r1.t7', from: own.commit}]);
  if (!mayLackHead) await inspectRepository(workspace);
  const {backup} = await removeWorktree(workspace, {
    owner: 'r1.t1',
    path: own.path,
    branch: own.branch,
    base: own.commit,
  });
  assert.equal(existsSync(own.path), false);
  if (backup !== null) await workspace.git(workspace.root, ['cat-file', '-e', backup]);
}

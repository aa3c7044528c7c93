import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {it} from 'node:test';
import {
  changedAround,
  type OutsideContext,
  rememberOutside,
} from '../../../source/daemon/launch/outside.ts';
import {ensureWorktree, provisionWorktree} from '../../../source/git/index.ts';
import {conclude, report} from '../../domain/support/harness.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {runToExit, sessionOfTask, working} from '../../domain/support/stages.ts';
import {makeRepository} from '../../git/support/repository.ts';

it('what the project file shares and we bring into the worktree of a stopped task while another is at work is no change that a person is asked about', async (t) => {
  const repository = makeRepository({'readme.md': 'hello\n', '.gitignore': 'deps/\n.env\n'});
  t.after(repository.remove);
  const {workspace, root, home, write} = repository;
  const worktree = (
    await ensureWorktree(workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from: 'HEAD',
      mayRebuild: true,
    })
  ).path;
  const harness = working([plannedTask('t1'), plannedTask('t2')]);
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.t1',
      path: worktree,
      branch: 'orchestra/r1.t1',
      commit: 'base',
      tree: 'tree-base',
    },
    'r1.t1/make',
  );
  for (const attempt of [1, 2]) {
    runToExit(harness, sessionOfTask(harness, 'r1.t1'), 1);
    conclude(harness, 'read-outcome', {
      type: 'agent-failed',
      task: 'r1.t1',
      attempt,
      words: 'exit 1',
    });
  }

  const own: Omit<OutsideContext, 'store' | 'uid'> & {
    readonly store: Pick<OutsideContext['store'], 'name'>;
  } = {
    state: () => harness.state,
    workspace: () => workspace,
    root,
    home,
    now: () => harness.time + 1,
    stateDirectory: path.join(home, 'state'),
    store: {name: 'j1'},
  };
  const context = own as OutsideContext;
  await provisionWorktree(workspace, worktree, {copy: [], share: []}, {owner: 'r1.t1'});
  // Edited before the other begins; brought while it works.
  write('deps/a', 'a');
  write('.env', 'A=1\n');
  await rememberOutside(context, 'r1.t2', 1);
  await provisionWorktree(
    workspace,
    worktree,
    {copy: ['.env'], share: ['deps']},
    {owner: 'r1.t1', isUsed: true},
  );
  assert.deepEqual(await changedAround(context, 'r1.t2', 1), []);
  writeFileSync(path.join(worktree, 'readme.md'), 'somebody else\n');
  assert.deepEqual(await changedAround(context, 'r1.t2', 1), [path.join(worktree, 'readme.md')]);
});

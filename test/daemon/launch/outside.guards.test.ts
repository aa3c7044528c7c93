import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {mkdtempSync, rmSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createGuards} from '../../../source/daemon/launch/outside.ts';
import {ensureWorktree, removeWorktree, tamperedPaths} from '../../../source/git/index.ts';
import {makeRepository} from '../../git/support/repository.ts';

describe('the guard of a run', () => {
  it('watches a worktree that was made after it was set, and lets our own removal pass at every moment of it', async (t) => {
    const repository = makeRepository({'readme.md': 'hello\n'});
    const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-guards-'));
    t.after(() => {
      repository.remove();
      rmSync(directory, {recursive: true, force: true});
    });
    const guards = createGuards({directory, journal: 'j', workspace: () => repository.workspace});
    assert.deepEqual(await guards.check('r1'), []);
    const from = repository.head();
    const made = await ensureWorktree(repository.workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from,
      mayRebuild: true,
    });
    await guards.extend('r1');
    assert.deepEqual(await guards.check('r1'), []);
    const own = path.join(made.path, '.git');
    rmSync(own);
    assert.deepEqual(await guards.check('r1'), [own]);

    const other = await ensureWorktree(repository.workspace, {
      owner: 'r1.t2',
      branch: 'orchestra/r1-t2',
      from,
      mayRebuild: true,
    });
    guards.forget('r1');
    assert.deepEqual(await guards.check('r1'), []);
    const removal = {isOver: false};
    const removing = removeWorktree(repository.workspace, {
      owner: 'r1.t2',
      path: other.path,
      branch: 'orchestra/r1-t2',
      base: from,
    }).finally(() => {
      removal.isOver = true;
    });
    const seen: string[] = [];
    while (!removal.isOver) seen.push(...(await guards.check('r1')));
    await removing;
    assert.deepEqual([...seen, ...(await guards.check('r1'))], []);
  });

  it('names files that vanished, unless we are removing them', () => {
    const [key, place] = ['worktree /x/r1-t1/.git', '/x/r1-t1'];
    const before = {entries: {[key]: 'r1-t1 abc def'}, made: [], removed: []};
    const after = {entries: {[key]: 'r1-t1 absent def'}, made: [], removed: []};
    assert.deepEqual(
      [tamperedPaths(before, after), tamperedPaths(before, {...after, removed: [place]})],
      [['/x/r1-t1/.git'], []],
    );
  });
});

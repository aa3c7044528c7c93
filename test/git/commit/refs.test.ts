import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {backUpObject, commitChange, publishMerge} from '../../../source/git/index.ts';
import {makeRepository} from '../support/repository.ts';

test('a mark that a kill left right after its ref was moved goes when the move is found to be made', async (t) => {
  const {workspace, git, head, remove} = makeRepository();
  t.after(remove);
  const [base, tree, message, at] = [
    head(),
    git('rev-parse', 'HEAD^{tree}').trim(),
    'work\n',
    1_700_000_000_000,
  ];
  const command = {branch: 'orchestra/r1-t1', parent: base, tree, message, at};
  const commit = await commitChange(workspace, command);
  assert.equal(
    await publishMerge(workspace, {branch: 'orchestra/r1', candidate: commit, onto: base}),
    'published',
  );
  await backUpObject(workspace, 'r1.t1', tree);

  const marks = path.join(workspace.private, 'marks', 'refs');
  mkdirSync(marks, {recursive: true});
  for (const name of [
    'refs-heads-orchestra-r1-t1',
    'refs-heads-orchestra-r1',
    `refs-orchestra-keep-r1-t1-${tree}`,
  ])
    writeFileSync(path.join(marks, name), '');
  assert.equal(await commitChange(workspace, command), commit);
  assert.equal(
    await publishMerge(workspace, {branch: 'orchestra/r1', candidate: commit, onto: base}),
    'published',
  );
  await backUpObject(workspace, 'r1.t1', tree);
  assert.deepEqual(readdirSync(marks), []);
});

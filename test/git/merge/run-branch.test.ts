import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {findMovedRunBranch, publishMerge, restoreBranch} from '../../../source/git/index.ts';
import {makeRepository, type TestRepository} from '../support/repository.ts';

const branch = 'orchestra/r1';
const ref = `refs/heads/${branch}`;

type Fixture = TestRepository & {
  readonly base: string;
  readonly child: (parent: string, text: string) => string;
};

/** A repository whose run left its branch at the base. */
function opened(t: TestContext): Fixture {
  const repository = makeRepository({'a.txt': 'a\n'});
  t.after(() => {
    repository.remove();
  });
  const base = repository.head();
  repository.git('update-ref', ref, base);
  return {
    ...repository,
    base,
    child: (parent, text) =>
      repository.git('commit-tree', '-p', parent, '-m', text, `${base}^{tree}`).trim(),
  };
}

describe('a branch that somebody else moved', () => {
  it('is nothing to speak of when it is where the run left it, or not there at all', async (t) => {
    const {workspace, git, base} = opened(t);
    assert.equal(await findMovedRunBranch(workspace, {branch, expected: base}), undefined);
    git('update-ref', '-d', ref);
    assert.equal(await findMovedRunBranch(workspace, {branch, expected: base}), undefined);
  });

  it('is told with what is there, and what that has to do with what was left there', async (t) => {
    const {workspace, git, base, child} = opened(t);
    const ours = child(base, 'ours');
    const theirs = child(ours, 'theirs');
    const other = git('commit-tree', '-m', 'an orphan', `${base}^{tree}`).trim();
    for (const [found, relation] of [
      [theirs, 'ahead'],
      [base, 'behind'],
      [other, 'apart'],
    ] as const) {
      git('update-ref', ref, found);
      assert.deepEqual(await findMovedRunBranch(workspace, {branch, expected: ours}), {
        found,
        relation,
      });
    }
  });

  it('is not built upon by whoever publishes, and what is there stays', async (t) => {
    const {workspace, git, base, child} = opened(t);
    const candidate = child(base, 'candidate');
    const theirs = child(base, 'theirs');
    git('update-ref', ref, theirs);
    assert.equal(await publishMerge(workspace, {branch, candidate, onto: base}), 'outdated');
    assert.equal(git('rev-parse', ref).trim(), theirs);
  });
});

describe('putting the branch back', () => {
  it('moves it in one step and keeps what was there from `git gc`, as often as it is done', async (t) => {
    const {workspace, git, base, child} = opened(t);
    const theirs = child(base, 'theirs');
    git('update-ref', ref, theirs);
    const retained = `refs/orchestra/keep/moved/${theirs}`;
    assert.deepEqual(await restoreBranch(workspace, {branch, to: base, from: theirs}), {retained});
    assert.deepEqual(
      await restoreBranch(workspace, {branch, to: base, from: theirs}),
      {retained},
      'after a crash it is told as done',
    );
    git('reflog', 'expire', '--expire=now', '--all');
    git('gc', '-q', '--prune=now');
    assert.deepEqual(
      [
        git('rev-parse', ref).trim(),
        git('rev-parse', retained).trim(),
        git('cat-file', '-t', theirs).trim(),
      ],
      [base, theirs, 'commit'],
    );
  });

  it('touches nothing when it moved again meanwhile', async (t) => {
    const {workspace, git, base, child} = opened(t);
    const [theirs, later] = [child(base, 'theirs'), child(base, 'later')];
    git('update-ref', ref, later);
    assert.deepEqual(await restoreBranch(workspace, {branch, to: base, from: theirs}), {
      found: later,
      relation: 'ahead',
    });
    assert.equal(git('rev-parse', ref).trim(), later);
  });

  it('brings back one that was deleted meanwhile', async (t) => {
    const {workspace, git, base, child} = opened(t);
    const theirs = child(base, 'theirs');
    git('update-ref', '-d', ref);
    await restoreBranch(workspace, {branch, to: base, from: theirs});
    assert.equal(git('rev-parse', ref).trim(), base);
  });

  it('refuses with the place where it is checked out, and says what to do', async (t) => {
    const {workspace, git, base, child, root} = opened(t);
    const theirs = child(base, 'theirs');
    git('update-ref', ref, theirs);
    git('checkout', '-q', branch);
    await assert.rejects(
      restoreBranch(workspace, {branch, to: base, from: theirs}),
      new RegExp(`checked out nowhere, but it is in ${root}.*git switch --detach`, 's'),
    );
    assert.equal(git('rev-parse', ref).trim(), theirs);
  });
});

describe('a ref that somebody wrote by hand', () => {
  const contents = [
    {
      name: 'a tree',
      of: ({git, base}: Fixture) => git('rev-parse', `${base}^{tree}`).trim(),
      isKept: true,
    },
    {name: 'an object that is not there', of: () => '1'.repeat(40), isKept: false},
  ];
  for (const {name, of, isKept} of contents) {
    it(`(${name}) is asked about like any other, and put back`, async (t) => {
      const fixture = opened(t);
      const {workspace, git, base, root} = fixture;
      const found = of(fixture);
      const file = path.join(root, '.git', ref);
      mkdirSync(path.dirname(file), {recursive: true});
      writeFileSync(file, `${found}\n`);
      assert.deepEqual(await findMovedRunBranch(workspace, {branch, expected: base}), {
        found,
        relation: 'apart',
      });
      assert.deepEqual(await restoreBranch(workspace, {branch, to: base, from: found}), {
        retained: isKept ? `refs/orchestra/keep/moved/${found}` : null,
      });
      assert.equal(git('rev-parse', ref).trim(), base);
    });
  }
});

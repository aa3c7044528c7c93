import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {createFixture} from '../e2e/loop/support/loop-fixture.ts';

const files = {'.gitignore': '.orchestra/knowledge/\nnode_modules/\n.venv/\n'};
const rules = '# 1. Validation\n1. It works. `test: node -e "require(\'a\')"`\n';

describe('orchestra share', () => {
  it('shows what there is, takes one or all, and keeps the project file as it was', async (t) => {
    const fixture = createFixture(t, {
      files,
      project: '# why this is here\nbranch: work # short\n',
    });
    const file = path.join(fixture.root, '.orchestra/project.yaml');
    const before = readFileSync(file, 'utf8');
    assert.match(fixture.run('share').out, /^No directory of dependencies was found/);
    fixture.write('node_modules/a/package.json', '{}');
    fixture.write('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    fixture.write('source/x', 'x');
    assert.match(fixture.run('share').out, /not shared +\.venv \(a Python virtualenv, /);
    assert.match(
      fixture.run('doctor').out,
      /git ignores these, so tasks do not have them[\s\S]*node_modules: Node packages/,
    );
    for (const [name, text] of [
      ['source', /source cannot be shared: git does not ignore it/],
      ['nowhere', /nowhere cannot be shared: there is none in your checkout/],
      ['../x', /cannot be shared: it is not a directory inside of the repository/],
    ] as const) {
      const {code, err} = fixture.run('share', 'node_modules', name);
      assert.equal(code, 1);
      assert.match(err, text);
    }

    assert.equal(readFileSync(file, 'utf8'), before);
    const one = fixture.run('share', 'node_modules/');
    assert.deepEqual(
      [one.code, readFileSync(file, 'utf8')],
      [0, `${before}share: [node_modules]\n`],
    );
    await fixture.until(
      'it holds',
      ({project}) => project.share?.length === 1 && project.share[0] === 'node_modules',
    );
    assert.deepEqual(fixture.json('share', '--detected'), {
      added: ['.venv'],
      already: ['node_modules'],
      file,
    });
    assert.equal(readFileSync(file, 'utf8'), `${before}share: [node_modules, .venv]\n`);
    await fixture.until('both hold', ({project}) => project.share?.length === 2);
    assert.equal(fixture.run('doctor').out.includes('git ignores these'), false);
  });

  it("writes through a link of the person's own, and not into a file that it cannot read", (t) => {
    const fixture = createFixture(t, {files});
    const file = path.join(fixture.root, '.orchestra/project.yaml');
    fixture.write('node_modules/a/package.json', '{}');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, 'share: [\n');
    const wrong = fixture.run('share', 'node_modules');
    assert.deepEqual([wrong.code, readFileSync(file, 'utf8')], [1, 'share: [\n']);
    assert.match(wrong.err, /project\.yaml was not changed: it cannot be read: line \d/);
    mkdirSync(path.join(fixture.root, 'settings'));
    writeFileSync(path.join(fixture.root, 'settings/project.yaml'), text);
    symlinkSync('../settings/project.yaml', `${file}.link`);
    renameSync(`${file}.link`, file);
    assert.equal(fixture.run('share', 'node_modules').code, 0);
    assert.equal(
      readFileSync(path.join(fixture.root, 'settings/project.yaml'), 'utf8'),
      `${text}share: [node_modules]\n`,
    );
  });

  it('is proposed with the plan, and where a check is red for want of it', async (t) => {
    const fixture = createFixture(t, {files, rules});
    fixture.write('node_modules/a/package.json', '{"name": "a"}');
    fixture.write('node_modules/a/index.js', '');
    const {out} = await fixture.objective();
    assert.match(
      out,
      /Missing in the worktrees of tasks, because git ignores it:\n +node_modules \(Node packages, .* in 2 files\): .*about .* s[\s\S]*orchestra share node_modules\n/,
    );
    assert.match(fixture.run('plan', 'show', 'r1').out, /orchestra share node_modules\n$/);
    assert.deepEqual(
      (
        fixture.json('plan', 'show', 'r1') as {
          readonly unshared: readonly {readonly path: string}[];
        }
      ).unshared.map(({path: name}) => name),
      ['node_modules'],
    );
    const red = fixture.run('plan', 'approve', 'r1', '--follow');
    assert.equal(red.code, 3);
    assert.match(
      red.out,
      /`node_modules` is in your checkout and not in this worktree, because git ignores it\. Share it with every task, then resume: `orchestra share node_modules`/,
    );
    assert.equal(fixture.run('share', 'node_modules').code, 0);
    await fixture.until('it reached the worktree', () =>
      existsSync(path.join(fixture.worktree('r1.t1'), 'node_modules/a/index.js')),
    );
    assert.equal(fixture.run('grant', 'r1.t1', '--hint', 'again').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  });
});

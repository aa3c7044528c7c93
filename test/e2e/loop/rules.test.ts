import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import type {Failure} from '../../../source/domain/index.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

const validation = '\n# 9. Validation\n1. Nothing is red. `test: sh check.sh`\n';

describe('what a worker may change', () => {
  it('is what the plan names: anything else is red, named, and never merged', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'exec sh "$PRETEND/out-of-scope.sh"'}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(getFailures(fixture), [
      {kind: 'scope', paths: ['unasked.txt']},
      {kind: 'scope', paths: ['unasked.txt']},
    ]);
    assert.match(out, /unasked\.txt/);
    assert.match(fixture.prompts()[2]!, /unasked\.txt/);
    assertNothingMerged(fixture);
  });

  it('is not a link that leads out of the worktree, even under a planned name', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'ln -sf /etc t1.txt'}});
    assert.equal((await fixture.objective('--approve')).code, 3);
    const [first] = getFailures(fixture);
    assert.deepEqual(
      first?.kind === 'scope' && [first.paths, first.refused?.map(({path}) => path)],
      [['t1.txt'], ['t1.txt']],
    );
    assertNothingMerged(fixture);
  });

  it('and an agent that breaks a rule is told which, once, and what it then makes of it is judged anew', async (t) => {
    const fixture = createFixture(t, {
      rules: `# 1. Constraints\n- No debugging left behind. \`forbid: /console\\.log\\(/\`\n${validation}`,
      acts: {t1: 'exec sh "$PRETEND/break-rule.sh"'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(
      getFailures(fixture).map((failure) => failure.kind === 'rule' && failure.number),
      ['1.1'],
    );
    assert.match(fixture.prompts()[2]!, /No debugging left behind[\s\S]*t1\.txt/);
    assert.deepEqual(
      fixture.eventsOf('change-judged').map(({judgement}) => judgement.rules[0]?.verdict),
      ['broken', 'kept'],
    );
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'done by t1\n');
  });

  for (const {directive, act, detail, name} of [
    {
      name: 'protect',
      directive: '- The base stays. `protect: base.txt`',
      act: 'echo more >> base.txt',
      detail: /base\.txt/,
    },
    {
      name: 'only',
      directive: '- Only texts. `only: *.txt`',
      act: 'echo x > t1.md',
      detail: /t1\.md/,
    },
    {
      name: 'forbid-path',
      directive: '- No services. `forbid-path: services/**`',
      act: 'mkdir services; echo x > services/a.txt',
      detail: /services\/a\.txt/,
    },
    {
      name: 'max-files',
      directive: '- Few files. `max-files: 1`',
      act: 'echo x > t1.txt; echo x > t1.md',
      detail: /2/,
    },
    {
      name: 'max-lines',
      directive: '- Few lines. `max-lines: 3`',
      act: 'seq 10 > t1.txt',
      detail: /10/,
    },
    {
      name: 'forbid',
      directive: '- No debugging. `forbid: /console\\.log\\(/`',
      act: 'echo "console.log(1)" > t1.txt',
      detail: /t1\.txt/,
    },
    {
      name: 'require',
      directive: '- It is signed. `require: grep -q signed t1.txt`',
      act: 'echo plain > t1.txt',
      detail: /grep -q signed|1/,
    },
  ]) {
    it(`is limited by the directive ${name}, and the rule is named`, async (t) => {
      const fixture = createFixture(t, {
        rules: `# 1. Constraints\n- Words only.\n${directive}\n${validation}`,
        tasks: [{id: 't1', files: ['t1.txt', 't1.md', 'base.txt', 'services/**']}],
        acts: {t1: act},
      });
      const {code, out} = await fixture.objective('--approve');
      assert.equal(code, 3, out);
      const [first] = getFailures(fixture);
      assert.ok(first?.kind === 'rule', JSON.stringify(first));
      assert.equal(first.number, '1.2');
      assert.match(first.detail, detail);
      assert.equal(
        fixture.eventsOf('check-finished').length,
        0,
        'no check is run on what breaks a rule',
      );
      assertNothingMerged(fixture);
    });
  }
});

function getFailures(fixture: LoopFixture): readonly Failure[] {
  return fixture.eventsOf('attempt-failed').map(({failure}) => failure);
}

function assertNothingMerged(fixture: LoopFixture): void {
  assert.equal(fixture.eventsOf('task-merged').length, 0);
  assert.equal(fixture.git('for-each-ref', 'refs/heads/orchestra/r1'), '');
  assert.equal(fixture.git('status', '--porcelain'), '');
}

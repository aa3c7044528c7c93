import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import type {Outcome} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

const both = [
  {id: 't1', files: ['base.txt']},
  {id: 't2', files: ['base.txt']},
];
/** The second is at work before the first is merged, so that both begin at the same base. */
const connect = (task: string, other: string): string =>
  `touch "$HOME/${task}-here"; while [ ! -e "$HOME/${other}-here" ]; do sleep 0.05; done`;

/** So that it is the second that is merged last. */
const letFirstBeMerged = 'while [ ! -e "$HOME/t1-merged" ]; do sleep 0.05; done';

async function runBoth(fixture: LoopFixture): Promise<Outcome> {
  const following = fixture.objective('--approve');
  await fixture.until('the first is merged', () =>
    fixture.eventsOf('task-merged').some(({task}) => task === 'r1.t1'),
  );
  writeFileSync(path.join(fixture.home, 't1-merged'), '');
  return following;
}

describe('two tasks that change the same line', () => {
  it('are merged one after the other: the second is repaired on top of the first', async (t) => {
    const fixture = createFixture(t, {
      tasks: both,
      acts: {
        t1: `${connect('t1', 't2')}; echo "one" > base.txt`,
        t2: `${connect('t2', 't1')}; if grep -q "<<<<<<<\\|^one" base.txt; then printf 'one\\ntwo\\n' > base.txt; else ${letFirstBeMerged}; echo two > base.txt; fi`,
      },
    });
    const {code, out} = await runBoth(fixture);
    assert.equal(code, 0, out);
    const [conflict] = fixture.eventsOf('merge-conflicted');
    assert.deepEqual([conflict?.task, conflict?.paths], ['r1.t2', ['base.txt']]);
    assert.equal(fixture.eventsOf('worktree-renewed').length, 1);
    assert.equal(fixture.git('show', 'orchestra/r1:base.txt'), 'one\ntwo\n');
    assert.match(fixture.prompts().at(-1)!, /base\.txt/);
  });

  it('stop and explain when the second cannot be repaired; the first stays merged', async (t) => {
    const fixture = createFixture(t, {
      tasks: both,
      acts: {
        t1: `${connect('t1', 't2')}; echo "one" > base.txt`,
        t2: `${connect('t2', 't1')}; ${letFirstBeMerged}; test -e "$HOME/once" && echo 'red' > base.txt || echo two > base.txt; touch "$HOME/once"`,
      },
    });
    const {code, out} = await runBoth(fixture);
    assert.equal(code, 3, out);
    assert.deepEqual(
      fixture.eventsOf('task-merged').map(({task}) => task),
      ['r1.t1'],
    );
    assert.equal(fixture.git('show', 'orchestra/r1:base.txt'), 'one\n');
    assert.match(out, /orchestra grant r1\.t2/);
  });

  it('that pass alone and fail together fail on the merge', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1'}, {id: 't2'}],
      files: {
        'check.sh':
          'if test -e t1.txt && test -e t2.txt && ! grep -q fits t2.txt; then echo "FAIL they do not fit"; exit 1; fi\n',
      },
      acts: {
        t1: `${connect('t1', 't2')}; echo x > t1.txt`,
        t2: `${connect('t2', 't1')}; if test -e t1.txt; then echo fits > t2.txt; else ${letFirstBeMerged}; echo x > t2.txt; fi`,
      },
    });
    const {code, out} = await runBoth(fixture);
    assert.equal(code, 0, out);
    assert.deepEqual(
      fixture
        .eventsOf('merge-refused')
        .map(({task, failure}) => [task, failure.kind === 'check' && failure.on]),
      [['r1.t2', 'merge']],
    );
    assert.equal(fixture.git('show', 'orchestra/r1:t2.txt'), 'fits\n');
  });
});

describe('a task that is merged and gets comments', () => {
  it('goes on from what is merged: it does not conflict with its own work', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['base.txt']}],
      acts: {
        t1: 'if grep -q better base.txt; then echo best > base.txt; else echo better > base.txt; fi',
      },
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(fixture.git('show', 'orchestra/r1:base.txt'), 'better\n');
    assert.equal(fixture.run('grant', 'r1.t1', '--hint', 'best, please').code, 0);
    await fixture.until('it is merged again', () => fixture.eventsOf('task-merged').length === 2);
    assert.deepEqual(
      [fixture.git('show', 'orchestra/r1:base.txt'), fixture.eventsOf('merge-conflicted')],
      ['best\n', []],
    );
  });
});

describe('accepting a run', () => {
  it('is refused when the person has edited the same file, says so, and works once that is out of the way', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['base.txt']}],
      acts: {t1: 'echo better > base.txt'},
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    fixture.write('base.txt', 'mine\n');
    fixture.write('own.txt', 'mine too\n');
    const rejected = fixture.run('accept', 'r1');
    assert.equal(rejected.code, 1, rejected.out);
    assert.match(rejected.err, /r1 was not accepted: .*base\.txt/s);
    assert.deepEqual(
      [fixture.read('base.txt'), fixture.git('log', '--format=%s', 'main')],
      ['mine\n', 'The beginning\n'],
    );
    const need = fixture.run('needs');
    assert.match(need.out, /base\.txt/);
    fixture.git('checkout', '--quiet', 'base.txt');
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.deepEqual(
      [fixture.read('base.txt'), fixture.read('own.txt')],
      ['better\n', 'mine too\n'],
    );
  });

  it('merges into a branch that has moved on meanwhile', async (t) => {
    const fixture = createFixture(t, {});
    assert.equal((await fixture.objective('--approve')).code, 0);
    fixture.write('own.txt', 'mine\n');
    fixture.git('add', 'own.txt');
    fixture.git('commit', '--quiet', '--message', 'My own');
    const {code, err} = fixture.run('accept', 'r1');
    assert.equal(code, 0, err);
    assert.deepEqual(
      [fixture.read('own.txt'), fixture.read('t1.txt'), fixture.git('status', '--porcelain')],
      ['mine\n', 'done by t1\n', ''],
    );
    assert.equal(fixture.git('merge-base', '--is-ancestor', 'orchestra/r1', 'main'), '');
  });
});

import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {selectNeeds} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';
import {startDaemon} from './support/start-daemon.ts';

/** What a command leaves at exit 0. */
function expectDone(fixture: LoopFixture, ...argv: readonly string[]): string {
  const {code, out, err} = fixture.run(...argv);
  assert.equal(code, 0, `${out}${err}`);
  return out;
}

describe('undo', () => {
  it('takes an accept back, with its files; the run is ready again and can be accepted again', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['**']}],
      acts: {t1: 'echo made > made.txt'},
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    const before = fixture.git('rev-parse', 'HEAD').trim();
    expectDone(fixture, 'accept', 'r1');
    assert.equal(fixture.read('made.txt'), 'made\n');
    assert.match(expectDone(fixture, 'undo'), /^undoes: accept r1/);
    assert.equal(fixture.git('rev-parse', 'HEAD').trim(), before);
    assert.equal(fixture.git('status', '--porcelain', '--untracked-files=no').trim(), '');
    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['accept'],
    );
    expectDone(fixture, 'accept', 'r1');
    assert.equal(fixture.read('made.txt'), 'made\n');
  });

  it('brings a discarded task back with its branch and its work, and it goes on when it is resumed', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['**']}],
      acts: {t1: 'echo half > half.txt; exit 1'},
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    expectDone(fixture, 'discard', 'r1.t1');
    const {code, out, err} = fixture.run('undo', 'r1.t1', '--json');
    assert.equal(code, 0, err);
    assert.deepEqual(JSON.parse(out), {what: 'r1.t1', kind: 'discard', undone: true});
    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['stopped'],
    );
    assert.match(expectDone(fixture, 'diff', 'r1', 't1'), /half\.txt/);
    assert.equal(fixture.run('undo', 'r1.t1').code, 2);
  });

  for (const point of ['before-intent', 'before', 'before-report', 'after-report'])
    it(`goes on after the daemon was killed at undo-accept.${point}`, async (t) => {
      const fixture = createFixture(t, {
        tasks: [{id: 't1', files: ['**']}],
        acts: {t1: 'echo made > made.txt'},
      });
      assert.equal((await fixture.objective('--approve')).code, 0);
      const before = fixture.git('rev-parse', 'HEAD').trim();
      expectDone(fixture, 'accept', 'r1');
      await fixture.killDaemon('SIGKILL');
      const daemon = startDaemon(fixture, `undo-accept.${point}=1*kill9`);
      await eventually('the daemon has its lock', daemon.hasLock);
      await fixture.launch('undo', 'r1');
      await eventually('the daemon was killed', daemon.isOver);
      await fixture.until('the run is ready again', (state) =>
        selectNeeds(state).some(({kind}) => kind === 'accept'),
      );
      assert.equal(fixture.git('rev-parse', 'HEAD').trim(), before);
      assert.equal(fixture.eventsOf('accept-undone').length, 1);
    });
});

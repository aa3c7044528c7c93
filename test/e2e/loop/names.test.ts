import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createFixture} from './support/loop-fixture.ts';

describe('an agent that makes a file whose name is not UTF-8', () => {
  it('has a red attempt with the reason, is repaired or stops like any other, and is no trouble of the run', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['**']}],
      acts: {t1: 'echo x > "$(printf \'f\\351.txt\')"; echo x > "$(printf \'f\\350.txt\')"'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(fixture.eventsOf('trouble-met'), []);
    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['stopped'],
    );
    assert.match(fixture.needs()[0]!.words, /its name is not UTF-8/);
    assert.equal(fixture.run('diff', 'r1', 't1').code, 0);
    assert.equal(fixture.run('discard', 'r1').code, 0);
  });

  it('and takes it away when it is told, is merged and accepted, with whatever other names it has', async (t) => {
    const fixture = createFixture(t, {
      tasks: [{id: 't1', files: ['**']}],
      acts: {
        t1: 'if grep -qi repair "$1"; then rm -f f*; echo x > ./-dash; echo y > \'"quoted" \'; else echo x > "$(printf \'f\\351.txt\')"; fi',
      },
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.deepEqual([fixture.read('-dash'), fixture.read('"quoted" ')], ['x\n', 'y\n']);
  });
});

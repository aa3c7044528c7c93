import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createFixture} from './support/loop-fixture.ts';

/** The agent's service wants to be left alone until then, whatever it is asked. */
const putOff = (until: string): string =>
  `printf '{"at":"unavailable","words":"the model is tired","until":%s}' ${until} > "$2"; exit 1`;

describe('an agent whose service puts it off', () => {
  it('is started a few times and no more, however soon it names: each pause is twice as long as the one before', async (t) => {
    const fixture = createFixture(t, {
      project: 'limits:\n  pauseSeconds: 1\n',
      acts: {t1: putOff('"$(date +%s)000"')},
    });
    void fixture.objective('--approve');
    await fixture.until(
      'it was put off three times',
      () => fixture.eventsOf('attempt-paused').length >= 3,
    );
    const [one, two, three] = fixture.eventsOf('attempt-paused').map(({until}) => until);
    assert.ok(
      two! - one! >= 2000 && three! - two! >= 4000,
      `${two! - one!} and ${three! - two!} ms`,
    );
    assert.ok(
      fixture.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'attempt').length <=
        4,
    );
    assert.equal(fixture.run('discard', 'r1').code, 0);
  });

  for (const until of ['1e308', '99999999999999999']) {
    it(`is a need at once when it names a time that never comes (${until}), with its words; resume tries at once`, async (t) => {
      const fixture = createFixture(t, {acts: {t1: putOff(until)}});
      const {code, out} = await fixture.objective('--approve');
      assert.equal(code, 3, out);
      assert.deepEqual(
        fixture.needs().map(({kind}) => kind),
        ['trouble'],
      );
      assert.match(fixture.needs()[0]!.words, /asks for .*the model is tired/);
      assert.deepEqual(fixture.eventsOf('attempt-paused'), []);
      fixture.act('t1', 'echo done > t1.txt');
      assert.equal(fixture.run('resume', 'r1.t1').code, 0);
      await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
      assert.deepEqual(
        fixture.eventsOf('attempt-started').map(({attempt}) => attempt),
        [1],
        'no try was spent',
      );
    });
  }
});

describe("a commit of somebody else on the run's branch", () => {
  const first = [{id: 't1'}, {id: 't2', after: ['t1']}];
  /** The second waits until the person has had their say. */
  const acts = {
    t1: 'echo one > t1.txt',
    t2: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo two > t2.txt',
  };

  it("is met before any check runs on it, asked about once, and taken over at the person's word", async (t) => {
    const fixture = createFixture(t, {tasks: first, acts});
    void fixture.objective('--approve');
    await fixture.until('the first is merged', () => fixture.eventsOf('task-merged').length === 1);
    const left = fixture.git('rev-parse', 'orchestra/r1').trim();
    const mine = fixture.git('commit-tree', '-p', left, '-m', 'mine', `${left}^{tree}`).trim();
    fixture.git('update-ref', 'refs/heads/orchestra/r1', mine);
    fixture.run('start', '--', 'touch', `${fixture.home}/go`);
    await fixture.until('the person is asked', () => fixture.eventsOf('branch-moved').length === 1);
    assert.deepEqual(
      fixture
        .eventsOf('branch-moved')
        .map(({branch, expected, found, relation}) => [branch, expected, found, relation]),
      [['orchestra/r1', left, mine, 'ahead']],
    );
    assert.deepEqual(
      fixture.eventsOf('check-finished').filter(({task, on}) => task === 'r1.t2' && on === 'merge'),
      [],
      'nothing was checked in vain',
    );
    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['branch'],
    );
    assert.match(
      fixture.run('accept', 'r1').err,
      /somebody moved orchestra\/r1; decide first which commit counts/,
    );
    const shown = JSON.parse(fixture.run('branch', 'r1', '--json').out) as {
      readonly found: string;
      readonly relation: string;
    };
    assert.deepEqual([shown.found, shown.relation], [mine, 'ahead']);
    assert.equal(fixture.run('branch', 'r1', '--adopt', '--restore').code, 2);
    assert.equal(fixture.run('branch', 'r1', '--adopt').code, 0);
    await fixture.until('the second is merged', () => fixture.eventsOf('task-merged').length === 2);
    assert.match(fixture.git('log', '--format=%s', 'orchestra/r1'), /^mine$/m);
    assert.equal(fixture.eventsOf('branch-moved').length, 1);
    await fixture.until('its summary is written', () =>
      fixture.eventsOf('summary-written').some(({task}) => task === undefined),
    );
    const summary = fixture.eventsOf('summary-written').find(({task}) => task === undefined)!;
    assert.match(fixture.read(summary.path), new RegExp(`## Taken over\\n- ${mine.slice(0, 12)}`));
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.match(fixture.git('log', '--format=%s', 'main'), /^mine$/m);
  });

  it("is put back at the person's word and kept; what was merged stays", async (t) => {
    const fixture = createFixture(t, {tasks: first, acts});
    void fixture.objective('--approve');
    await fixture.until('the first is merged', () => fixture.eventsOf('task-merged').length === 1);
    const left = fixture.git('rev-parse', 'orchestra/r1').trim();
    const theirs = fixture.git('commit-tree', '-m', 'something else', `${left}^{tree}`).trim();
    fixture.git('update-ref', 'refs/heads/orchestra/r1', theirs);
    fixture.run('start', '--', 'touch', `${fixture.home}/go`);
    await fixture.until('the person is asked', () => fixture.eventsOf('branch-moved').length === 1);
    assert.match(fixture.run('branch', 'r1', '--adopt').err, /does not contain what r1 has merged/);
    const restored = fixture.run('branch', 'r1', '--restore');
    assert.equal(restored.code, 0, restored.err);
    assert.equal(fixture.git('rev-parse', `refs/orchestra/keep/moved/${theirs}`).trim(), theirs);
    await fixture.until('the second is merged', () => fixture.eventsOf('task-merged').length === 2);
    assert.equal(fixture.git('merge-base', '--is-ancestor', left, 'orchestra/r1'), '');
  });

  it('after the last merge is met when the run is accepted: nothing is left behind unseen', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'echo one > t1.txt'}});
    assert.equal((await fixture.objective('--approve')).code, 0);
    const left = fixture.git('rev-parse', 'orchestra/r1').trim();
    const mine = fixture.git('commit-tree', '-p', left, '-m', 'mine', `${left}^{tree}`).trim();
    fixture.git('update-ref', 'refs/heads/orchestra/r1', mine);
    assert.equal(fixture.run('accept', 'r1').code, 1);
    assert.deepEqual(
      fixture.needs().map(({kind}) => kind),
      ['branch'],
    );
    assert.equal(fixture.run('branch', 'r1', '--adopt').code, 0);
    assert.match(fixture.needs()[0]!.words, /no check has seen the commits that you took over/);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    assert.equal(fixture.git('rev-parse', 'main').trim(), mine);
  });
});

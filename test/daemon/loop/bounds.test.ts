import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createStage} from './support/stage.ts';

/** The agent's service wants to be left alone until then, whatever it is asked. */
const putOff = (until: string): string =>
  `printf '{"at":"unavailable","words":"the model is tired","until":%s}' ${until} > "$2"; exit 1`;

describe('an agent whose service puts it off', () => {
  it('is started a few times and no more, however soon it names: each pause is twice as long as the one before', async (t) => {
    const stage = createStage(t, {
      project: 'limits:\n  pauseSeconds: 1\n',
      acts: {t1: putOff('"$(date +%s)000"')},
    });
    void stage.objective('--approve');
    await stage.until(
      'it was put off three times',
      () => stage.eventsOf('attempt-paused').length >= 3,
    );
    const [one, two, three] = stage.eventsOf('attempt-paused').map(({until}) => until);
    assert.ok(
      two! - one! >= 2000 && three! - two! >= 4000,
      `${two! - one!} and ${three! - two!} ms`,
    );
    assert.ok(
      stage.eventsOf('session-asked').filter(({purpose}) => purpose.for === 'attempt').length <= 4,
    );
    assert.equal(stage.run('discard', 'r1').code, 0);
  });

  for (const until of ['1e308', '99999999999999999']) {
    it(`is a need at once when it names a time that never comes (${until}), with its words; resume tries at once`, async (t) => {
      const stage = createStage(t, {acts: {t1: putOff(until)}});
      const {code, out} = await stage.objective('--approve');
      assert.equal(code, 3, out);
      assert.deepEqual(
        stage.needs().map(({kind}) => kind),
        ['trouble'],
      );
      assert.match(stage.needs()[0]!.words, /would have to be waited for .*the model is tired/);
      assert.deepEqual(stage.eventsOf('attempt-paused'), []);
      stage.act('t1', 'echo done > t1.txt');
      assert.equal(stage.run('resume', 'r1.t1').code, 0);
      await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
      assert.deepEqual(
        stage.eventsOf('attempt-started').map(({attempt}) => attempt),
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
    const stage = createStage(t, {tasks: first, acts});
    void stage.objective('--approve');
    await stage.until('the first is merged', () => stage.eventsOf('task-merged').length === 1);
    const left = stage.git('rev-parse', 'orchestra/r1').trim();
    const mine = stage.git('commit-tree', '-p', left, '-m', 'mine', `${left}^{tree}`).trim();
    stage.git('update-ref', 'refs/heads/orchestra/r1', mine);
    stage.run('start', '--', 'touch', `${stage.home}/go`);
    await stage.until('the person is asked', () => stage.eventsOf('branch-moved').length === 1);
    assert.deepEqual(
      stage
        .eventsOf('branch-moved')
        .map(({branch, expected, found, relation}) => [branch, expected, found, relation]),
      [['orchestra/r1', left, mine, 'ahead']],
    );
    assert.deepEqual(
      stage.eventsOf('check-finished').filter(({task, on}) => task === 'r1.t2' && on === 'merge'),
      [],
      'nothing was checked in vain',
    );
    assert.deepEqual(
      stage.needs().map(({kind}) => kind),
      ['branch'],
    );
    assert.match(stage.run('accept', 'r1').err, /was moved; say first what holds/);
    const shown = JSON.parse(stage.run('branch', 'r1', '--json').out) as {
      readonly found: string;
      readonly relation: string;
    };
    assert.deepEqual([shown.found, shown.relation], [mine, 'ahead']);
    assert.equal(stage.run('branch', 'r1', '--adopt', '--restore').code, 2);
    assert.equal(stage.run('branch', 'r1', '--adopt').code, 0);
    await stage.until('the second is merged', () => stage.eventsOf('task-merged').length === 2);
    assert.match(stage.git('log', '--format=%s', 'orchestra/r1'), /^mine$/m);
    assert.equal(stage.eventsOf('branch-moved').length, 1);
    await stage.until('its summary is written', () =>
      stage.eventsOf('summary-written').some(({task}) => task === undefined),
    );
    const summary = stage.eventsOf('summary-written').find(({task}) => task === undefined)!;
    assert.match(stage.read(summary.path), new RegExp(`## Taken over\\n- ${mine.slice(0, 12)}`));
    assert.equal(stage.run('accept', 'r1').code, 0);
    assert.match(stage.git('log', '--format=%s', 'main'), /^mine$/m);
  });

  it("is put back at the person's word and kept; what was merged stays", async (t) => {
    const stage = createStage(t, {tasks: first, acts});
    void stage.objective('--approve');
    await stage.until('the first is merged', () => stage.eventsOf('task-merged').length === 1);
    const left = stage.git('rev-parse', 'orchestra/r1').trim();
    const theirs = stage.git('commit-tree', '-m', 'something else', `${left}^{tree}`).trim();
    stage.git('update-ref', 'refs/heads/orchestra/r1', theirs);
    stage.run('start', '--', 'touch', `${stage.home}/go`);
    await stage.until('the person is asked', () => stage.eventsOf('branch-moved').length === 1);
    assert.match(
      stage.run('branch', 'r1', '--adopt').err,
      /does not hold what r1 has merged so far/,
    );
    const restored = stage.run('branch', 'r1', '--restore');
    assert.equal(restored.code, 0, restored.err);
    assert.equal(stage.git('rev-parse', `refs/orchestra/keep/moved/${theirs}`).trim(), theirs);
    await stage.until('the second is merged', () => stage.eventsOf('task-merged').length === 2);
    assert.equal(stage.git('merge-base', '--is-ancestor', left, 'orchestra/r1'), '');
  });

  it('after the last merge is met when the run is accepted: nothing is left behind unseen', async (t) => {
    const stage = createStage(t, {acts: {t1: 'echo one > t1.txt'}});
    assert.equal((await stage.objective('--approve')).code, 0);
    const left = stage.git('rev-parse', 'orchestra/r1').trim();
    const mine = stage.git('commit-tree', '-p', left, '-m', 'mine', `${left}^{tree}`).trim();
    stage.git('update-ref', 'refs/heads/orchestra/r1', mine);
    assert.equal(stage.run('accept', 'r1').code, 1);
    assert.deepEqual(
      stage.needs().map(({kind}) => kind),
      ['branch'],
    );
    assert.equal(stage.run('branch', 'r1', '--adopt').code, 0);
    assert.match(stage.needs()[0]!.words, /no check has seen what you took over/);
    assert.equal(stage.run('accept', 'r1').code, 0);
    assert.equal(stage.git('rev-parse', 'main').trim(), mine);
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {isRunning} from '../../daemon/support/daemon-fixture.ts';
import {createFixture} from './support/loop-fixture.ts';

const play = (program: string): string => `exec sh "$PRETEND/${program}" "$@"`;

describe('a run of pretend agents, from objective to acceptance', () => {
  it("merges every task in order, with one commit for each, and leaves the person's branch alone until it is accepted", async (t) => {
    const fixture = createFixture(t, {tasks: [{id: 't1'}, {id: 't2', after: ['t1']}, {id: 't3'}]});
    const before = fixture.git('rev-parse', 'main');
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.match(
      out,
      /r1 is ready on orchestra\/r1\. Look at it and accept it:\n {2}orchestra diff r1\n {2}orchestra accept r1 --commit [\da-f]{12}\n$/,
    );
    assert.deepEqual(
      [fixture.git('rev-parse', 'main'), fixture.git('status', '--porcelain')],
      [before, ''],
    );
    const merged = fixture.eventsOf('task-merged').map(({task}) => task);
    assert.deepEqual(merged.toSorted(), ['r1.t1', 'r1.t2', 'r1.t3']);
    assert.ok(merged.indexOf('r1.t1') < merged.indexOf('r1.t2'));
    const commits = fixture
      .git(
        'log',
        '--no-merges',
        '--format=%s|%(trailers:key=Orchestra-Run,valueonly,separator=)|%(trailers:key=Orchestra-Task,valueonly,separator=)|%(trailers:key=Orchestra-Plan,valueonly,separator=)',
        'main..orchestra/r1',
      )
      .trim()
      .split('\n')
      .toSorted();
    const {plan} = fixture.eventsOf('plan-approved')[0]!;
    assert.deepEqual(
      commits,
      ['t1', 't2', 't3'].map((id) => `Do ${id}|r1|r1.${id}|${plan}`),
    );

    assert.deepEqual(fixture.run('accept', 'r1').code, 0);
    assert.equal(fixture.git('rev-parse', 'main'), fixture.git('rev-parse', 'orchestra/r1'));
    assert.deepEqual(
      [
        fixture.git('status', '--porcelain'),
        fixture.read('t1.txt'),
        fixture.read('t2.txt'),
        fixture.read('t3.txt'),
      ],
      ['', 'done by t1\n', 'done by t2\n', 'done by t3\n'],
    );
    await fixture.until('of each is told', () => fixture.eventsOf('summary-written').length === 4);
    const retained = readdirSync(path.join(fixture.root, '.orchestra', 'knowledge'))
      .map((name) => name.replace(/^\d{4}-\d\d-\d\d-/, ''))
      .toSorted();
    assert.deepEqual(retained, ['r1-t1.md', 'r1-t2.md', 'r1-t3.md', 'r1.md']);
  });

  it('repairs a failed check once, and the prompt has the first failure only', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('fail-once.sh')}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(
      fixture.eventsOf('attempt-started').map(({attempt, repairs}) => [attempt, repairs?.kind]),
      [
        [1, undefined],
        [2, 'check'],
      ],
    );
    assert.match(fixture.prompts()[2]!, /TEST_FAILURE[\s\S]*FAIL a file is red/);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'green\n');
  });

  it('stops after the second red, explains, and is ended by a grant with a hint', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('fail-twice.sh')}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.equal(fixture.eventsOf('attempt-failed').length, 2);
    for (const command of [
      'orchestra grant r1.t1 --hint',
      'orchestra takeover r1.t1',
      'orchestra discard r1.t1',
    ])
      assert.ok(out.includes(command), `${command} is not in: ${out}`);
    assert.match(out, /TEST_FAILURE/);
    await fixture.until('its end is told', () => fixture.eventsOf('summary-written').length === 1);
    assert.ok(
      readdirSync(path.join(fixture.root, '.orchestra', 'knowledge')).some((name) =>
        name.endsWith('r1-t1.md'),
      ),
      'why a path failed is kept',
    );

    fixture.act('t1', 'echo green > t1.txt');
    assert.equal(fixture.run('grant', 'r1.t1', '--hint', 'try green').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.match(fixture.prompts().at(-1)!, /try green/);
    assert.deepEqual(
      fixture.eventsOf('attempt-started').map(({attempt, hint}) => [attempt, hint]),
      [
        [1, undefined],
        [2, undefined],
        [3, 'try green'],
      ],
    );
  });

  it('keeps a summary of each end that a task comes to, also of two on one day', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('fail-twice.sh')}});
    assert.equal((await fixture.objective('--approve')).code, 3);
    await fixture.until(
      'its first end is told',
      () => fixture.eventsOf('summary-written').length === 1,
    );
    const [first] = fixture.eventsOf('summary-written');
    const notified = fixture.read(first!.path);
    fixture.act('t1', 'echo green > t1.txt');
    assert.equal(fixture.run('grant', 'r1.t1').code, 0);
    await fixture.until(
      'its second end is told',
      () => fixture.eventsOf('summary-written').filter(({task}) => task === 'r1.t1').length === 2,
    );
    const paths = fixture
      .eventsOf('summary-written')
      .filter(({task}) => task === 'r1.t1')
      .map(({path: file}) => file);
    assert.deepEqual(
      paths.map((file) => file.replace(/\d{4}-\d\d-\d\d/, 'DATE')),
      ['.orchestra/knowledge/DATE-r1-t1.md', '.orchestra/knowledge/DATE-r1-t1-2.md'],
    );
    assert.equal(fixture.read(paths[0]!), notified);
    assert.match(fixture.read(paths[1]!), /VALIDATION_OK|passed|green/i);
  });

  it('hands a task to a person and validates what the person made of it', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('fail-twice.sh')}, env: {SHELL: '/bin/sh'}});
    assert.equal((await fixture.objective('--approve')).code, 3);
    const taken = fixture.run('takeover', 'r1.t1');
    assert.equal(taken.code, 0, taken.err);
    assert.match(
      taken.out,
      /^r1\.t1 is yours in s\d+\. When you are done, run its checks: orchestra resume r1\.t1\. Or let its agent continue: orchestra resume r1\.t1 --agent\n$/,
    );
    writeFileSync(path.join(fixture.worktree('r1.t1'), 't1.txt'), 'made by hand\n');
    assert.equal(fixture.run('resume', 'r1.t1').out, 'r1.t1 is handed back; its checks run\n');
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'made by hand\n');
  });

  it('keeps what a discarded task did, and says how to get it back', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: play('fail-twice.sh')},
      tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    const {code, out} = fixture.run('discard', 'r1.t1');
    assert.equal(code, 0);
    assert.match(out, /^r1\.t1 is discarded\. Its work is kept:\n/);
    const [{kept}] = fixture.eventsOf('worktree-removed') as unknown as [{kept: string}];
    assert.equal(fixture.git('show', `${kept}:t1.txt`), 'red\nred\n');
    assert.ok(out.includes(kept), out);
    const patch = /(?<file>\/\S+\.patch)/.exec(out)?.groups?.['file'];
    assert.match(readFileSync(patch!, 'utf8'), /\+red/);
    assert.equal(existsSync(fixture.worktree('r1.t1')), false);
    assert.deepEqual(
      fixture.eventsOf('task-discarded').map(({task, why}) => [task, why.kind]),
      [
        ['r1.t1', 'person'],
        ['r1.t2', 'needs'],
      ],
    );
  });

  it('does not trust an agent that has changed nothing', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('no-op.sh')}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      fixture.eventsOf('attempt-failed').map(({failure}) => failure.kind),
      ['no-change', 'no-change'],
    );
    assert.match(out, /changed nothing/);
  });

  it('stops at once when the agent says itself that it cannot', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('give-up.sh')}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
    assert.match(out, /I cannot see what is wrong\./);
  });

  it('counts an agent that dies as an interruption and not as a try, and stops after three', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('crash.sh')}});
    const {code} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      [fixture.eventsOf('attempt-started').length, fixture.eventsOf('attempt-interrupted').length],
      [1, 3],
    );
    assert.deepEqual(
      fixture.eventsOf('task-stopped').map(({why}) => why),
      [{kind: 'interrupted', times: 3}],
    );
  });

  it('takes the change and not the commits of an agent that commits by itself', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('commit-itself.sh')}});
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(
      fixture.git('log', '--format=%s', 'main..orchestra/r1'),
      'Merge r1.t1: Make it better\nDo t1\n',
    );
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'done by t1\n');
  });

  it('ends what an agent left running before it looks at the change', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('fork-server.sh')}});
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(isRunning(Number(readFileSync(path.join(fixture.home, 'forked'), 'utf8'))), false);
  });

  it('works with an agent that prints 100 MB', async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('spew.sh')}});
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(fixture.git('show', 'orchestra/r1:t1.txt'), 'done by t1\n');
    const log = path.join(fixture.directoryOf('s2'), 'out');
    const [retained, journal] = [
      readdirSync(log).reduce((sum, name) => sum + statSync(path.join(log, name)).size, 0),
      statSync(path.join(fixture.current().stateDirectory, 'journal.jsonl')).size,
    ];
    assert.ok(
      retained < 70_000_000 && journal < 1_000_000,
      `${retained} bytes of output are kept, and ${journal} are in the journal`,
    );
  });

  it("lets no control sequence of an agent reach the person's terminal or the journal", async (t) => {
    const fixture = createFixture(t, {acts: {t1: play('escapes.sh')}});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0);
    const notified = [
      out,
      ...fixture.prompts(),
      ...['status', 'timeline', 'brief', 'needs'].map((view) => fixture.run(view).out),
      readFileSync(path.join(fixture.current().stateDirectory, 'journal.jsonl'), 'utf8'),
    ];
    for (const text of notified)
      assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u0080-\u009F]/);
  });
});

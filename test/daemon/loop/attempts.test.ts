import assert from 'node:assert/strict';
import {existsSync, readFileSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {isRunning} from '../support/place.ts';
import {createStage} from './support/stage.ts';

const play = (program: string): string => `exec sh "$PRETEND/${program}" "$@"`;

describe('a run of pretend agents, from objective to acceptance', () => {
  it("merges every task in order, with one commit for each, and leaves the person's branch alone until it is accepted", async (t) => {
    const stage = createStage(t, {tasks: [{id: 't1'}, {id: 't2', after: ['t1']}, {id: 't3'}]});
    const before = stage.git('rev-parse', 'main');
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 0, out);
    assert.match(
      out,
      /r1 is ready on orchestra\/r1\. Look at it and take it:\n {2}orchestra diff r1\n {2}orchestra accept r1 --commit [\da-f]{12}\n$/,
    );
    assert.deepEqual(
      [stage.git('rev-parse', 'main'), stage.git('status', '--porcelain')],
      [before, ''],
    );
    const merged = stage.eventsOf('task-merged').map(({task}) => task);
    assert.deepEqual(merged.toSorted(), ['r1.t1', 'r1.t2', 'r1.t3']);
    assert.ok(merged.indexOf('r1.t1') < merged.indexOf('r1.t2'));
    const commits = stage
      .git(
        'log',
        '--no-merges',
        '--format=%s|%(trailers:key=Orchestra-Run,valueonly,separator=)|%(trailers:key=Orchestra-Task,valueonly,separator=)|%(trailers:key=Orchestra-Plan,valueonly,separator=)',
        'main..orchestra/r1',
      )
      .trim()
      .split('\n')
      .toSorted();
    const {plan} = stage.eventsOf('plan-approved')[0]!;
    assert.deepEqual(
      commits,
      ['t1', 't2', 't3'].map((id) => `Do ${id}|r1|r1.${id}|${plan}`),
    );

    assert.deepEqual(stage.run('accept', 'r1').code, 0);
    assert.equal(stage.git('rev-parse', 'main'), stage.git('rev-parse', 'orchestra/r1'));
    assert.deepEqual(
      [
        stage.git('status', '--porcelain'),
        stage.read('t1.txt'),
        stage.read('t2.txt'),
        stage.read('t3.txt'),
      ],
      ['', 'done by t1\n', 'done by t2\n', 'done by t3\n'],
    );
    await stage.until('of each is told', () => stage.eventsOf('summary-written').length === 4);
    const kept = readdirSync(path.join(stage.root, '.orchestra', 'knowledge'))
      .map((name) => name.replace(/^\d{4}-\d\d-\d\d-/, ''))
      .toSorted();
    assert.deepEqual(kept, ['r1-t1.md', 'r1-t2.md', 'r1-t3.md', 'r1.md']);
  });

  it('repairs once what was red, and tells the worker the first failure only', async (t) => {
    const stage = createStage(t, {acts: {t1: play('fail-once.sh')}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(
      stage.eventsOf('attempt-started').map(({attempt, repairs}) => [attempt, repairs?.kind]),
      [
        [1, undefined],
        [2, 'check'],
      ],
    );
    assert.match(stage.prompts()[2]!, /TEST_FAILURE[\s\S]*FAIL a file is red/);
    assert.equal(stage.git('show', 'orchestra/r1:t1.txt'), 'green\n');
  });

  it('stops after the second red, explains, and is ended by a grant with a hint', async (t) => {
    const stage = createStage(t, {acts: {t1: play('fail-twice.sh')}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3, out);
    assert.equal(stage.eventsOf('attempt-failed').length, 2);
    for (const command of [
      'orchestra grant r1.t1 --hint',
      'orchestra takeover r1.t1',
      'orchestra discard r1.t1',
    ])
      assert.ok(out.includes(command), `${command} is not in: ${out}`);
    assert.match(out, /TEST_FAILURE/);
    await stage.until('its end is told', () => stage.eventsOf('summary-written').length === 1);
    assert.ok(
      readdirSync(path.join(stage.root, '.orchestra', 'knowledge')).some((name) =>
        name.endsWith('r1-t1.md'),
      ),
      'why a path failed is kept',
    );

    stage.act('t1', 'echo green > t1.txt');
    assert.equal(stage.run('grant', 'r1.t1', '--hint', 'try green').code, 0);
    await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
    assert.match(stage.prompts().at(-1)!, /try green/);
    assert.deepEqual(
      stage.eventsOf('attempt-started').map(({attempt, hint}) => [attempt, hint]),
      [
        [1, undefined],
        [2, undefined],
        [3, 'try green'],
      ],
    );
  });

  it('keeps a summary of each end that a task comes to, also of two on one day', async (t) => {
    const stage = createStage(t, {acts: {t1: play('fail-twice.sh')}});
    assert.equal((await stage.objective('--approve')).code, 3);
    await stage.until(
      'its first end is told',
      () => stage.eventsOf('summary-written').length === 1,
    );
    const [first] = stage.eventsOf('summary-written');
    const told = stage.read(first!.path);
    stage.act('t1', 'echo green > t1.txt');
    assert.equal(stage.run('grant', 'r1.t1').code, 0);
    await stage.until(
      'its second end is told',
      () => stage.eventsOf('summary-written').filter(({task}) => task === 'r1.t1').length === 2,
    );
    const paths = stage
      .eventsOf('summary-written')
      .filter(({task}) => task === 'r1.t1')
      .map(({path: file}) => file);
    assert.deepEqual(
      paths.map((file) => file.replace(/\d{4}-\d\d-\d\d/, 'DATE')),
      ['.orchestra/knowledge/DATE-r1-t1.md', '.orchestra/knowledge/DATE-r1-t1-2.md'],
    );
    assert.equal(stage.read(paths[0]!), told);
    assert.match(stage.read(paths[1]!), /VALIDATION_OK|passed|green/i);
  });

  it('hands a task to a person and validates what the person made of it', async (t) => {
    const stage = createStage(t, {acts: {t1: play('fail-twice.sh')}, env: {SHELL: '/bin/sh'}});
    assert.equal((await stage.objective('--approve')).code, 3);
    const taken = stage.run('takeover', 'r1.t1');
    assert.equal(taken.code, 0, taken.err);
    assert.match(
      taken.out,
      /^r1\.t1 is yours in s\d+\. When you are done: orchestra resume r1\.t1 has it checked as it is; orchestra resume r1\.t1 --agent lets its agent go on\n$/,
    );
    writeFileSync(path.join(stage.worktree('r1.t1'), 't1.txt'), 'made by hand\n');
    assert.equal(
      stage.run('resume', 'r1.t1').out,
      'r1.t1 is handed back; it is validated as it is\n',
    );
    await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
    assert.equal(stage.git('show', 'orchestra/r1:t1.txt'), 'made by hand\n');
  });

  it('keeps what a discarded task did, and says how to get it back', async (t) => {
    const stage = createStage(t, {
      acts: {t1: play('fail-twice.sh')},
      tasks: [{id: 't1'}, {id: 't2', after: ['t1']}],
    });
    assert.equal((await stage.objective('--approve')).code, 3);
    const {code, out} = stage.run('discard', 'r1.t1');
    assert.equal(code, 0);
    assert.match(out, /^r1\.t1 is discarded\. What it did is kept:\n/);
    const [{kept}] = stage.eventsOf('worktree-removed') as unknown as [{kept: string}];
    assert.equal(stage.git('show', `${kept}:t1.txt`), 'red\nred\n');
    assert.ok(out.includes(kept), out);
    const patch = /(?<file>\/\S+\.patch)/.exec(out)?.groups?.['file'];
    assert.match(readFileSync(patch!, 'utf8'), /\+red/);
    assert.equal(existsSync(stage.worktree('r1.t1')), false);
    assert.deepEqual(
      stage.eventsOf('task-discarded').map(({task, why}) => [task, why.kind]),
      [
        ['r1.t1', 'person'],
        ['r1.t2', 'needs'],
      ],
    );
  });

  it('does not take an agent at its word that has changed nothing', async (t) => {
    const stage = createStage(t, {acts: {t1: play('no-op.sh')}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      stage.eventsOf('attempt-failed').map(({failure}) => failure.kind),
      ['no-change', 'no-change'],
    );
    assert.match(out, /changed nothing/);
  });

  it('stops at once when the agent says itself that it cannot', async (t) => {
    const stage = createStage(t, {acts: {t1: play('give-up.sh')}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 3);
    assert.equal(stage.eventsOf('attempt-started').length, 1);
    assert.match(out, /I cannot see what is wrong\./);
  });

  it('counts an agent that dies as an interruption and not as a try, and stops after three', async (t) => {
    const stage = createStage(t, {acts: {t1: play('crash.sh')}});
    const {code} = await stage.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      [stage.eventsOf('attempt-started').length, stage.eventsOf('attempt-interrupted').length],
      [1, 3],
    );
    assert.deepEqual(
      stage.eventsOf('task-stopped').map(({why}) => why),
      [{kind: 'interrupted', times: 3}],
    );
  });

  it('takes the change and not the commits of an agent that commits by itself', async (t) => {
    const stage = createStage(t, {acts: {t1: play('commit-itself.sh')}});
    assert.equal((await stage.objective('--approve')).code, 0);
    assert.equal(
      stage.git('log', '--format=%s', 'main..orchestra/r1'),
      'Merge r1.t1: Make it better\nDo t1\n',
    );
    assert.equal(stage.git('show', 'orchestra/r1:t1.txt'), 'done by t1\n');
  });

  it('ends what an agent left running before it looks at the change', async (t) => {
    const stage = createStage(t, {acts: {t1: play('fork-server.sh')}});
    assert.equal((await stage.objective('--approve')).code, 0);
    assert.equal(isRunning(Number(readFileSync(path.join(stage.home, 'forked'), 'utf8'))), false);
  });

  it('works with an agent that prints 100 MB', async (t) => {
    const stage = createStage(t, {acts: {t1: play('spew.sh')}});
    assert.equal((await stage.objective('--approve')).code, 0);
    assert.equal(stage.git('show', 'orchestra/r1:t1.txt'), 'done by t1\n');
    const log = path.join(stage.directoryOf('s2'), 'out');
    const [kept, journal] = [
      readdirSync(log).reduce((sum, name) => sum + statSync(path.join(log, name)).size, 0),
      statSync(path.join(stage.here().stateDirectory, 'journal.jsonl')).size,
    ];
    assert.ok(
      kept < 70_000_000 && journal < 1_000_000,
      `${kept} bytes of output are kept, and ${journal} are in the journal`,
    );
  });

  it("lets nothing that an agent prints act on the person's terminal or stand in the journal", async (t) => {
    const stage = createStage(t, {acts: {t1: play('escapes.sh')}});
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 0);
    const told = [
      out,
      ...stage.prompts(),
      ...['status', 'timeline', 'brief', 'needs'].map((view) => stage.run(view).out),
      readFileSync(path.join(stage.here().stateDirectory, 'journal.jsonl'), 'utf8'),
    ];
    for (const text of told) assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u0080-\u009F]/);
  });
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {isRunning} from '../../daemon/support/daemon-fixture.ts';
import {createFixture} from './support/loop-fixture.ts';

const rulesWith = (command: string): string =>
  `# 1. Validation\n1. It holds. \`test: ${command}\`\n`;

describe('checks of a run', () => {
  it('that hang are ended by the limit with everything they started, and are red', async (t) => {
    const fixture = createFixture(t, {
      rules: rulesWith('sh check.sh'),
      files: {'check.sh': 'sleep 1000 & echo "$!" > "$HOME/hanging"; echo waiting; wait\n'},
      project: 'limits:\n  checkMinutes: 1\n',
      env: {ORCHESTRA_MINUTE_MS: '1500'},
    });
    const {code} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      fixture
        .eventsOf('check-finished')
        .map(({result: {outcome, firstFailure}}) => [outcome, firstFailure?.includes('waiting')]),
      [
        ['timed-out', true],
        ['timed-out', true],
      ],
    );
    // That it took too long is told before it is ended.
    await fixture.until('nothing of it runs', (state) => state.live.length === 0);
    assert.equal(
      isRunning(Number(readFileSync(path.join(fixture.home, 'hanging'), 'utf8'))),
      false,
    );
  });

  it('whose command is not there are trouble and no failure of the change; repaired and resumed, the run goes on', async (t) => {
    const fixture = createFixture(t, {rules: rulesWith('./missing-check --all')});
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.equal(fixture.eventsOf('attempt-failed').length, 0);
    assert.deepEqual(
      fixture.eventsOf('trouble-met').map(({owner, why}) => [owner, why]),
      [['r1.t1', {kind: 'broken-check', name: 'test'}]],
    );
    assert.match(out, /orchestra resume r1\.t1/);
    writeFileSync(path.join(fixture.worktree('r1.t1'), 'missing-check'), '#!/bin/sh\nexit 0\n', {
      mode: 0o755,
    });
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until(
      'the check is read anew',
      () => fixture.eventsOf('check-finished').length > 1,
    );
    assert.equal(fixture.eventsOf('attempt-started').length, 1);
  });

  it('that change tracked files are told so, and the change is not committed', async (t) => {
    const fixture = createFixture(t, {rules: rulesWith('echo formatted >> base.txt')});
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.deepEqual(
      fixture
        .eventsOf('check-finished')
        .map(({on, result: {outcome, touched}}) => [on, outcome, touched]),
      [
        ['change', 'passed', ['base.txt']],
        ['merge', 'passed', ['base.txt']],
      ],
    );
    assert.equal(fixture.git('show', 'orchestra/r1:base.txt'), 'base\n');
    assert.equal(readFileSync(path.join(fixture.worktree('r1.t1'), 'base.txt'), 'utf8'), 'base\n');
  });

  it('of the plan are run beside those of the rules', async (t) => {
    const fixture = createFixture(t, {});
    writeFileSync(
      path.join(fixture.home, 'plan.json'),
      JSON.stringify({
        problem: 'p',
        rootCause: 'r',
        tasks: [{id: 't1', title: 'T', brief: 'B', files: ['t1.txt']}],
        validation: [{name: 'build', command: 'test -e t1.txt'}],
      }),
    );
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.deepEqual(
      fixture.eventsOf('check-finished').map(({on, result}) => `${on} ${result.check.name}`),
      ['change test', 'change build', 'merge test', 'merge build'],
    );
  });
});

describe('the setup of a worktree', () => {
  it('is run once before the first attempt', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup: echo x >> set-up',
      files: {'.gitignore': 'set-up\n.orchestra/knowledge/\n'},
      acts: {t1: 'test -e set-up && exec sh "$PRETEND/fail-once.sh"'},
    });
    assert.equal((await fixture.objective('--approve')).code, 0);
    assert.equal(readFileSync(path.join(fixture.worktree('r1.t1'), 'set-up'), 'utf8'), 'x\n');
  });

  it('that fails is trouble with its status; nobody works in a worktree that is not set up', async (t) => {
    const fixture = createFixture(t, {
      project: 'setup: test -e may-set-up || exit 9',
      files: {'.gitignore': 'may-set-up\n.orchestra/knowledge/\n'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3, out);
    assert.deepEqual(
      fixture.eventsOf('trouble-met').map(({why}) => why),
      [{kind: 'setup', code: 9}],
    );
    assert.equal(fixture.eventsOf('attempt-started').length, 0);
    assert.match(out, /orchestra resume r1\.t1/);
    writeFileSync(path.join(fixture.worktree('r1.t1'), 'may-set-up'), '');
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    // The worktree for merges is set up by the same command.
    await fixture.until(
      'its setup fails there, too',
      () => fixture.eventsOf('trouble-met').length === 2,
    );
    writeFileSync(path.join(fixture.worktree('r1.merge'), 'may-set-up'), '');
    assert.equal(fixture.run('resume', 'r1.t1').code, 0);
    await fixture.until('it is merged', () => fixture.eventsOf('task-merged').length === 1);
  });
});

describe('limits of an attempt', () => {
  it('stop an agent that never stops, and all that it started', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: 'echo $$ > "$HOME/pid"; exec sh "$PRETEND/never-stop.sh"'},
      project: 'limits:\n  attemptMinutes: 1\n',
      env: {ORCHESTRA_MINUTE_MS: '2000'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 3);
    assert.deepEqual(
      fixture
        .eventsOf('task-stopped')
        .map(({why}) => why.kind === 'budget' && [why.budget, why.limit]),
      [['wall-clock', 2000]],
    );
    assert.match(out, /orchestra grant r1\.t1/);
    await fixture.until('nothing of it runs', (state) => state.live.length === 0);
    assert.equal(isRunning(Number(readFileSync(path.join(fixture.home, 'pid'), 'utf8'))), false);
    assert.equal(existsSync(fixture.worktree('r1.t1')), true);
  });

  it('stop an agent that shows no progress', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: 'sleep 1000'},
      project: 'limits:\n  noProgressMinutes: 1\n',
      env: {ORCHESTRA_MINUTE_MS: '2000'},
    });
    assert.equal((await fixture.objective('--approve')).code, 3);
    assert.deepEqual(
      fixture
        .eventsOf('task-stopped')
        .map(({why}) => why.kind === 'budget' && [why.budget, why.limit]),
      [['no-progress', 2000]],
    );
  });

  it('stop an agent that uses too many tokens, and the run that does', async (t) => {
    const fixture = createFixture(t, {
      acts: {
        t1: 'echo red > t1.txt; printf \'{"at":"finished","words":"ok","usage":{"input":1500,"output":500}}\' > "$2"',
      },
    });
    const {code, out} = await fixture.objective('--approve', '--tokens', '1800');
    assert.equal(code, 3, out);
    assert.deepEqual(
      fixture.eventsOf('budget-exhausted').map(({budget, used, limit}) => [budget, used, limit]),
      [['tokens', 2000, 1800]],
    );
    assert.match(out, /orchestra resume r1 --tokens/);
  });
});

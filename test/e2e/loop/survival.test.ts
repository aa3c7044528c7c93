import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {processesIn} from '../../daemon/support/daemon-fixture.ts';
import {killOften} from './support/kill-often.ts';
import {runWithoutFaults} from './support/run-without-faults.ts';
import {openTwoTasks} from './support/six-tasks.ts';
import {createFixture} from './support/loop-fixture.ts';
import {sweepPoints} from './support/sweep-points.ts';

describe('a run that somebody follows', () => {
  it('goes on when the daemon is killed, and so does whoever follows it', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt'},
    });
    const following = fixture.objective('--approve');
    await fixture.until('it works', () => fixture.eventsOf('session-running').length === 2);
    await fixture.killDaemon('SIGKILL');
    writeFileSync(path.join(fixture.home, 'go'), '');
    const {code, out, err} = await following;
    assert.deepEqual([code, err], [0, '']);
    assert.match(
      out,
      /the daemon exited; another one continues r1\n[\s\S]*r1 is ready on orchestra\/r1/,
    );
    assert.equal(fixture.eventsOf('attempt-interrupted').length, 0);
  });

  it('keeps every worktree until it is over, and then shows what may go before it goes', async (t) => {
    const fixture = createFixture(t, {});
    assert.equal((await fixture.objective('--approve')).code, 0);
    const before = fixture.run('gc', '--dry-run');
    assert.equal(before.code, 0, before.err);
    assert.equal(fixture.run('accept', 'r1').code, 0);
    await fixture.until(
      'those of nobody are gone',
      () => fixture.eventsOf('worktree-removed').length === 2,
    );
    const {code, out} = fixture.run('gc', '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /r1\.t1.*would go/);
    assert.equal(existsSync(fixture.worktree('r1.t1')), true);
    assert.equal(fixture.run('gc').code, 0);
    assert.equal(existsSync(fixture.worktree('r1.t1')), false);
  });
});

describe('a daemon that is stopped', () => {
  it('finishes what it was just stopping: no keeper waits for the next daemon', async (t) => {
    const fixture = createFixture(t, {
      project: 'services:\n  till:\n    command: exec sleep 1000\n',
    });
    const daemon = await fixture.ask({about: 'daemon'}).then(() => fixture.connect());
    await daemon.ask({about: 'wish', wish: {type: 'start-service', service: 'till'}});
    await fixture.until('it runs', () => fixture.eventsOf('session-running').length === 1);
    await daemon.ask({about: 'wish', wish: {type: 'stop-service', service: 'till'}});
    await daemon.ask({about: 'stop-daemon'});
    await daemon.ended;
    await eventually('nothing of it is left', () => processesIn(fixture.home).length === 0);
    assert.deepEqual(
      fixture
        .events()
        .slice(-2)
        .map(({type}) => type),
      ['session-exited', 'daemon-stopping'],
    );
  });
});

describe('a daemon that is killed again and again', () => {
  it('at named points, at random moments and while it recovers costs nothing', async () => {
    const usual = await runWithoutFaults(openTwoTasks);
    const chosen = [
      'survey.before-report',
      'make-worktree.before-report',
      'run-session.before-report',
      'read-outcome.after-report',
      'capture.before',
      'judge.after-intent',
      'read-check.before-report',
      'commit.before-report',
      'build-merge.before-report',
      'publish-merge.before-report',
      'write-summary.before-report',
      'bring-home.before-report',
    ];
    const named = await sweepPoints(openTwoTasks, chosen, usual);
    assert.deepEqual([named.runs.flatMap(({broken}) => broken), named.neverMet], [[], []]);
    const {runs, random, nested} = await killOften(openTwoTasks, usual, {
      random: 5,
      nested: 2,
      max: 12,
      chance: Math.random,
    });
    assert.deepEqual(
      runs.flatMap(({broken}) => broken),
      [],
    );
    assert.ok(random.length >= 5 && nested.length >= 2);
  });
});

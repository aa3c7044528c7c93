import assert from 'node:assert/strict';
import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {processesIn} from '../support/place.ts';
import {killOften} from './support/kill-often.ts';
import {playUsually} from './support/play-usually.ts';
import {openTwoTasks} from './support/six-tasks.ts';
import {createStage} from './support/stage.ts';
import {sweepPoints} from './support/sweep-points.ts';

describe('a run that somebody follows', () => {
  it('goes on when the daemon is killed, and so does whoever follows it', async (t) => {
    const stage = createStage(t, {
      acts: {t1: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt'},
    });
    const following = stage.objective('--approve');
    await stage.until('it works', () => stage.eventsOf('session-running').length === 2);
    await stage.killDaemon('SIGKILL');
    writeFileSync(path.join(stage.home, 'go'), '');
    const {code, out, err} = await following;
    assert.deepEqual([code, err], [0, '']);
    assert.match(
      out,
      /the daemon ended; another one takes up r1\n[\s\S]*r1 is ready on orchestra\/r1/,
    );
    assert.equal(stage.eventsOf('attempt-interrupted').length, 0);
  });

  it('keeps every worktree until it is over, and then shows what may go before it goes', async (t) => {
    const stage = createStage(t, {});
    assert.equal((await stage.objective('--approve')).code, 0);
    const before = stage.run('gc', '--dry-run');
    assert.equal(before.code, 0, before.err);
    assert.equal(stage.run('accept', 'r1').code, 0);
    await stage.until(
      'those of nobody are gone',
      () => stage.eventsOf('worktree-removed').length === 2,
    );
    const {code, out} = stage.run('gc', '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /r1\.t1.*would go/);
    assert.equal(existsSync(stage.worktree('r1.t1')), true);
    assert.equal(stage.run('gc').code, 0);
    assert.equal(existsSync(stage.worktree('r1.t1')), false);
  });
});

describe('a daemon that is stopped', () => {
  it('tells what it was just stopping to its end: no keeper waits for the next daemon', async (t) => {
    const stage = createStage(t, {project: 'services:\n  till:\n    command: exec sleep 1000\n'});
    const daemon = await stage.ask({about: 'daemon'}).then(() => stage.connect());
    await daemon.ask({about: 'wish', wish: {type: 'start-service', service: 'till'}});
    await stage.until('it runs', () => stage.eventsOf('session-running').length === 1);
    await daemon.ask({about: 'wish', wish: {type: 'stop-service', service: 'till'}});
    await daemon.ask({about: 'stop-daemon'});
    await daemon.ended;
    await eventually('nothing of it is left', () => processesIn(stage.home).length === 0);
    assert.deepEqual(
      stage
        .events()
        .slice(-2)
        .map(({type}) => type),
      ['session-exited', 'daemon-stopping'],
    );
  });
});

describe('a daemon that is killed again and again', () => {
  it('at named points, at random moments and while it recovers costs nothing', async () => {
    const usual = await playUsually(openTwoTasks);
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
      most: 12,
      chance: Math.random,
    });
    assert.deepEqual(
      runs.flatMap(({broken}) => broken),
      [],
    );
    assert.ok(random.length >= 5 && nested.length >= 2);
  });
});

import assert from 'node:assert/strict';
import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {createStage} from './support/stage.ts';

describe('a run that somebody follows', () => {
  it('goes on when the daemon is killed, and so does whoever follows it', async (t) => {
    const stage = createStage(t, {acts: {t1: 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done; echo x > t1.txt'}});
    const following = stage.objective('--approve');
    await stage.until('it works', () => stage.eventsOf('session-running').length === 2);
    await stage.killDaemon('SIGKILL');
    writeFileSync(path.join(stage.home, 'go'), '');
    const {code, out, err} = await following;
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /the daemon ended; another one takes up r1\n[\s\S]*r1 is ready on orchestra\/r1/);
    assert.equal(stage.eventsOf('attempt-interrupted').length, 0);
  });

  it('keeps every worktree until it is over, and then shows what may go before it goes', async (t) => {
    const stage = createStage(t, {});
    assert.equal((await stage.objective('--approve')).code, 0);
    const before = stage.run('gc', '--dry-run');
    assert.equal(before.code, 0, before.err);
    assert.equal(stage.run('accept', 'r1').code, 0);
    await stage.until('those of nobody are gone', () => stage.eventsOf('worktree-removed').length === 2);
    const {code, out} = stage.run('gc', '--dry-run');
    assert.equal(code, 0);
    assert.match(out, /r1\.t1.*would go/);
    assert.equal(existsSync(stage.worktree('r1.t1')), true);
    assert.equal(stage.run('gc').code, 0);
    assert.equal(existsSync(stage.worktree('r1.t1')), false);
  });
});

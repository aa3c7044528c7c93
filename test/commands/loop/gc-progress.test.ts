import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createProgress} from '../../../source/commands/loop/gc.ts';
import {createStage} from '../../daemon/loop/support/stage.ts';
import type {Progress} from '../../../source/protocol/index.ts';

function hear(
  options: {readonly json?: boolean},
  isTerminal: boolean,
): {readonly said: string[]; readonly progress: ReturnType<typeof createProgress>} {
  const said: string[] = [];
  return {
    said,
    progress: createProgress(options, {
      isTerminal,
      err: (text) => void said.push(text),
      columns: 30,
    }),
  };
}

describe('while gc works', () => {
  it('a person in a terminal sees how far it is, in one line that is cleared', () => {
    const {said, progress} = hear({}, true);
    progress.tell({what: 'looking at r1.t1', done: 0, total: 12});
    progress.tell({what: `looking at \u001B[2J${'x'.repeat(60)}`, done: 12, total: 12});
    progress.end();
    progress.end();
    assert.equal(said[0], '\r\u001B[Klooking at r1.t1 (1 of 12)');
    assert.match(said[1] ?? '', /^\r\u001B\[K[^\u001B]{1,29}$/);
    assert.deepEqual(said.slice(2), ['\r\u001B[K']);
  });

  it('a program hears nothing of it', () => {
    for (const {said, progress} of [hear({json: true}, true), hear({}, false)]) {
      progress.tell({what: 'looking at r1.t1', done: 0, total: 1});
      progress.end();
      assert.deepEqual(said, []);
    }
  });

  it('the daemon tells of each worktree to who asks for that, and to nobody else', async (t) => {
    const stage = createStage(t, {tasks: [{id: 't1'}, {id: 't2'}]});
    assert.equal((await stage.objective('--approve')).code, 0);
    const daemon = await stage.connect();
    const told: Progress[] = [];
    await daemon.ask({about: 'gc', progress: true}, (progress) => void told.push(progress));
    const owners = (await stage.state()).runs.pages
      .flat()
      .flatMap(({worktrees}) => worktrees.map(({owner}) => owner));
    assert.ok(owners.length >= 2);
    assert.deepEqual(
      told.map(({what, done, total}) => [what, done, total]),
      owners.map((owner, index) => [`looking at ${owner}`, index, owners.length]),
    );
    const silent: Progress[] = [];
    await daemon.ask({about: 'gc'}, (progress) => void silent.push(progress));
    assert.deepEqual(silent, []);
    daemon.close();
  });
});

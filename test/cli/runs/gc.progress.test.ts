import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {createProgress} from '../../../source/cli/runs/gc.ts';
import {createFixture} from '../../e2e/loop/support/loop-fixture.ts';
import type {Progress} from '../../../source/protocol/index.ts';

function onMessage(
  options: {readonly json?: boolean},
  isTerminal: boolean,
): {readonly text: string[]; readonly progress: ReturnType<typeof createProgress>} {
  const output: string[] = [];
  return {
    text: output,
    progress: createProgress(options, {
      isTerminal,
      err: (text) => void output.push(text),
      columns: 30,
    }),
  };
}

describe('while gc works', () => {
  it('a person in a terminal sees how far it is, in one line that is cleared', () => {
    const {text, progress} = onMessage({}, true);
    progress.tell({what: 'looking at r1.t1', done: 0, total: 12});
    progress.tell({what: `looking at \u001B[2J${'x'.repeat(60)}`, done: 12, total: 12});
    progress.end();
    progress.end();
    assert.equal(text[0], '\r\u001B[Klooking at r1.t1 (1 of 12)');
    assert.match(text[1] ?? '', /^\r\u001B\[K[^\u001B]{1,29}$/);
    assert.deepEqual(text.slice(2), ['\r\u001B[K']);
  });

  it('a program hears nothing of it', () => {
    for (const {text, progress} of [onMessage({json: true}, true), onMessage({}, false)]) {
      progress.tell({what: 'looking at r1.t1', done: 0, total: 1});
      progress.end();
      assert.deepEqual(text, []);
    }
  });

  it('the daemon reports each worktree only to a client that asks for progress', async (t) => {
    const fixture = createFixture(t, {tasks: [{id: 't1'}, {id: 't2'}]});
    assert.equal((await fixture.objective('--approve')).code, 0);
    const daemon = await fixture.connect();
    const notified: Progress[] = [];
    await daemon.ask({about: 'gc', progress: true}, (progress) => void notified.push(progress));
    const owners = (await fixture.state()).runs.pages
      .flat()
      .flatMap(({worktrees}) => worktrees.map(({owner}) => owner));
    assert.ok(owners.length >= 2);
    assert.deepEqual(
      notified.map(({what, done, total}) => [what, done, total]),
      owners.map((owner, index) => [`looking at ${owner}`, index, owners.length]),
    );
    const silent: Progress[] = [];
    await daemon.ask({about: 'gc'}, (progress) => void silent.push(progress));
    assert.deepEqual(silent, []);
    daemon.close();
  });
});

import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** After a task was repeated, the review shows what would be accepted. */
export const reviewIsFresh: Item = {
  number: 10,
  title: 'the review is of what is accepted',
  async attempt({stage, layOut, run, eventsIn}) {
    layOut([{id: 't1'}], {t1: 'echo first > t1.txt\n'});
    const {run: id} = await run('--approve');
    assert.match(stage.run('diff', id).out, /\+first/);
    stage.act('t1', 'echo second > t1.txt\n');
    assert.equal(stage.run('grant', `${id}.t1`, '--hint', 'write second').code, 0);
    await stage.until(
      'it is merged again',
      () => eventsIn('task-merged', id).length === 2,
      300_000,
    );
    assert.match(stage.run('diff', id).out, /\+second/);
    assert.equal(stage.run('accept', id).code, 0);
    assert.equal(stage.read('t1.txt'), 'second\n');
  },
};

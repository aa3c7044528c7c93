import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A run of several tasks can be one commit of the person's branch. */
export const acceptSquash: Item = {
  number: 19,
  title: 'accept can make one commit of a run',
  async attempt({stage, layOut, run}) {
    layOut(
      [
        {id: 't1', files: ['one.txt']},
        {id: 't2', files: ['two.txt']},
      ],
      {t1: 'echo 1 > one.txt\n', t2: 'echo 2 > two.txt\n'},
    );
    const {run: id, code, out} = await run('--approve');
    assert.equal(code, 0, out);
    const before = stage.git('rev-parse', 'HEAD').trim();
    const accepted = stage.run('accept', id, '--squash');
    assert.equal(accepted.code, 0, accepted.err);
    assert.equal(stage.git('rev-list', '--count', `${before}..HEAD`).trim(), '1');
    assert.match(
      stage.git('log', '-1', '--format=%s'),
      /Make it better/,
      'the subject names the objective',
    );
  },
};

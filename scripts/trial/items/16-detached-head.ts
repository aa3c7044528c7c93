import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A run that began on a detached HEAD is accepted into a branch that the person names. */
export const detachedHead: Item = {
  number: 16,
  title: 'a run on a detached HEAD is accepted into a named branch',
  async attempt({stage, layOut, run}) {
    stage.git('branch', '--force', 'trial-target', 'HEAD');
    stage.git('checkout', '--quiet', '--detach');
    try {
      layOut([{id: 't1', files: ['detached.txt']}], {t1: 'echo here > detached.txt\n'});
      const {run: id, code, out} = await run('--approve');
      assert.equal(code, 0, out);
      const accepted = stage.run('accept', id, '--into', 'trial-target');
      assert.equal(accepted.code, 0, accepted.err);
      assert.equal(stage.git('show', 'trial-target:detached.txt'), 'here\n');
    } finally {
      stage.git('checkout', '--quiet', 'main');
    }
  },
};

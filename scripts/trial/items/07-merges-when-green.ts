import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/** A task that passed is merged while a slower task before it in the plan still works. */
export const mergesWhenGreen: Item = {
  number: 7,
  title: 'a green task is merged before slower ones',
  async attempt({stage, layOut, run, eventsIn}) {
    const go = path.join(stage.home, 'slow-one-may-go');
    layOut([{id: 't1'}, {id: 't2'}], {
      t1: `while [ ! -e '${go}' ]; do sleep 0.1; done\nexec sh "$PRETEND/succeed.sh" "$@"`,
    });
    const before = stage.eventsOf('run-created').length;
    const running = run('--approve');
    try {
      const id = await eventually('the run', () => stage.eventsOf('run-created')[before]?.run);
      await eventually(
        't2 is merged while t1 works',
        () => eventsIn('task-merged', id).length === 1,
        300_000,
      );
    } finally {
      writeFileSync(go, '');
      assert.equal((await running).code, 0);
    }
  },
};

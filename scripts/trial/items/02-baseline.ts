import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A check that is red on the untouched base spends no attempt; it is told with the plan. */
export const baseline: Item = {
  number: 2, title: 'a check that is red on the base spends no attempt',
  async attempt({stage, onBase, layOut, run, eventsIn}) {
    await onBase({'check.sh': 'echo "FAIL red before anybody began"; exit 1\n'}, async () => {
      layOut([{id: 't1'}]);
      const {run: id} = await run('--approve');
      assert.match(stage.run('plan', 'show', id).out, /red before anybody began/, 'the plan tells what is red, with the first failure');
      assert.deepEqual(eventsIn('attempt-failed', id), [], 'no attempt is spent on it');
    });
  },
};

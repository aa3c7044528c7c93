import assert from 'node:assert/strict';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/**
 * A check that fails on the unchanged base is shown with the plan; the person decides, and no
 * attempt is spent.
 */
export const baseline: Item = {
  number: 2,
  title: 'a check that is red on the base spends no attempt',
  async attempt({stage, onBase, layOut, run, eventsIn}) {
    await onBase({'check.sh': 'echo "FAIL red before anybody began"; exit 1\n'}, async () => {
      layOut([{id: 't1'}]);
      const {run: id} = await run();
      await eventually(
        'the base is checked',
        () => eventsIn('baseline-checked', id).length > 0,
        60_000,
      );
      assert.match(
        stage.run('plan', 'show', id).out,
        /red before anybody began/,
        'the plan tells what is red, with the first failure',
      );
      const early = stage.run('plan', 'approve', id);
      assert.notEqual(early.code, 0, 'an approval waits for the decision');
      const [checked] = eventsIn('baseline-checked', id);
      assert.equal(stage.run('baseline', id, '--ignore', checked?.result.check.name ?? '').code, 0);
      const {code, out} = await stage.launch('plan', 'approve', id, '--follow');
      assert.equal(code, 0, out);
      assert.deepEqual(eventsIn('attempt-failed', id), [], 'no attempt is spent on it');
    });
  },
};

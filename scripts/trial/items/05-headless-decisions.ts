import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A session that lives in the checkout casts no doubt on whoever approves from a command line. */
export const headlessDecisions: Item = {
  number: 5,
  title: 'approve works without a terminal while a session lives in the checkout',
  async attempt({stage, layOut, run}) {
    const session = await stage.start('sleep', '600');
    try {
      layOut([{id: 't1'}]);
      const {run: id} = await run();
      const {code, out, err} = await stage.launch('plan', 'approve', id, '--follow');
      assert.equal(code, 0, `${err}${out}`);
    } finally {
      stage.run('stop', session);
    }
  },
};

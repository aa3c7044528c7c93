import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A session in the checkout raises no doubt about an approval from the command line. */
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

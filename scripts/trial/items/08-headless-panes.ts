import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/**
 * What is sent to an agent that reads nothing is refused with what works, and is not on its screen.
 */
export const headlessPanes: Item = {
  number: 8,
  title: 'nothing is typed into a headless agent, and it is said what works',
  async attempt({stage, layOut, run}) {
    const go = path.join(stage.home, 'typed-at-may-go');
    layOut([{id: 't1'}], {
      t1: `echo at work\nwhile [ ! -e '${go}' ]; do sleep 0.1; done\nexec sh "$PRETEND/succeed.sh" "$@"`,
    });
    const before = stage.eventsOf('session-asked').length;
    const running = run('--approve');
    try {
      const session = await eventually(
        'its agent',
        () =>
          stage
            .eventsOf('session-asked')
            .slice(before)
            .find(({purpose}) => purpose.for === 'attempt')?.session,
      );
      await eventually('it works', () => stage.outputOf(session).includes('at work'));
      const {code, err} = stage.run('send', session, 'hurry up');
      assert.equal(code, 1);
      assert.match(err, /does not read its terminal[^]*orchestra note [^]*orchestra takeover /);
      assert.ok(!stage.outputOf(session).includes('hurry'));
    } finally {
      writeFileSync(go, '');
      assert.equal((await running).code, 0);
    }
  },
};

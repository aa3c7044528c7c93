import assert from 'node:assert/strict';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

/** Dependencies that are shared are there, and soon after the approval. */
export const dependenciesMadeAhead: Item = {
  number: 14, title: 'shared dependencies are in the worktree at most 3 s after the approval',
  async attempt({stage, onBase, layOut, run}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase({'.orchestra/project.yaml': `share: [node_modules]\n${project}`}, async () => {
      layOut([{id: 't1'}], {t1: 'test -e node_modules/part-0/file-0.js || { echo "no node_modules here"; exit 1; }\nexec sh "$PRETEND/succeed.sh" "$@"'});
      const before = stage.eventsOf('plan-approved').length;
      const running = run('--approve');
      await eventually('it is approved', () => stage.eventsOf('plan-approved').length > before);
      const approvedAt = performance.now();
      await eventually('its worker runs', () => stage.eventsOf('session-running').some(({session}) => stage.eventsOf('session-asked').some((asked) => asked.session === session && asked.purpose.for === 'attempt' && asked.purpose.task.startsWith(`${stage.eventsOf('plan-approved').at(-1)?.run ?? ''}.`))));
      const ms = performance.now() - approvedAt;
      const {code, out} = await running;
      assert.equal(code, 0, out);
      assert.ok(ms <= 3000, `expected at most 3000 ms from the approval to the worker, got ${ms.toFixed(0)}`);
    });
  },
};

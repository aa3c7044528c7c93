import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** Dependencies that are shared are there, and soon after the approval. */
export const dependenciesMadeAhead: Item = {
  number: 14, title: 'shared dependencies are in the worktree at most 3 s after the approval',
  async attempt({stage, onBase, layOut, run, eventsIn}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase({'.orchestra/project.yaml': `share: [node_modules]\n${project}`}, async () => {
      layOut([{id: 't1'}], {t1: 'test -e node_modules/part-0/file-0.js || { echo "no node_modules here"; exit 1; }\nexec sh "$PRETEND/succeed.sh" "$@"'});
      const {run: id, code, out} = await run('--approve');
      assert.equal(code, 0, out);
      const approvedAt = eventsIn('plan-approved', id)[0]?.at ?? 0;
      const asked = stage.eventsOf('session-asked').find(({purpose}) => purpose.for === 'attempt' && purpose.task === `${id}.t1`)?.session;
      const startedAt = stage.eventsOf('session-running').find(({session}) => session === asked)?.at ?? Number.POSITIVE_INFINITY;
      assert.ok(startedAt - approvedAt <= 3000, `expected at most 3000 ms from the approval to the worker, got ${startedAt - approvedAt}`);
    });
  },
};

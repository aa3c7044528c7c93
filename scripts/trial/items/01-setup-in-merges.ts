import assert from 'node:assert/strict';
import type {Item} from '../item.ts';

/** A check that needs what setup makes is green after merging too. */
export const setupInMerges: Item = {
  number: 1,
  title: 'setup reaches every worktree in which a check runs',
  async attempt({stage, onBase, layOut, run, eventsIn}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase(
      {
        '.orchestra/project.yaml': `setup: touch made-by-setup\n${project}`,
        'check.sh': 'test -e made-by-setup || { echo "FAIL nothing was set up here"; exit 1; }\n',
        '.gitignore': 'node_modules/\n.venv/\n.orchestra/knowledge/\nmade-by-setup\n',
      },
      async () => {
        layOut([{id: 't1'}]);
        const {run: id, code, out} = await run('--approve');
        assert.equal(code, 0, out);
        assert.deepEqual(
          [eventsIn('task-merged', id).length, eventsIn('attempt-started', id).length],
          [1, 1],
        );
      },
    );
  },
};

import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync} from 'node:fs';
import {eventually} from '../../../test/support/eventually.ts';
import type {Item} from '../item.ts';

const tasks = ['t1', 't2', 't3'];

/**
 * Dependencies that are shared are made while the plan is read, and there soon after the approval.
 */
export const dependenciesMadeAhead: Item = {
  number: 14,
  title: 'shared dependencies are in three worktrees at most 3 s after the approval',
  async attempt({stage, onBase, layOut, run, eventsIn}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase({'.orchestra/project.yaml': `share: [node_modules]\n${project}`}, async () => {
      const act = (id: string): string =>
        `test -e node_modules/part-0/file-0.js || { echo "no node_modules here"; exit 1; }\ndate +%s%N > ${id}.txt\n`;
      layOut(
        tasks.map((id) => ({id})),
        Object.fromEntries(tasks.map((id) => [id, act(id)])),
      );
      const {run: id} = await run();
      const prepared = tasks.map((task) =>
        path.join(stage.current().stateDirectory, 'workspace', 'prepared', `${id}-${task}.json`),
      );
      await eventually(
        'all is made ahead',
        () => prepared.every((file) => existsSync(file)),
        300_000,
      );
      await eventually(
        'the base is checked',
        () => eventsIn('baseline-checked', id).length > 0,
        60_000,
      );
      const following = stage.launch('plan', 'approve', id, '--follow');
      await eventually('it is approved', () => eventsIn('plan-approved', id).length === 1);
      const approvedAt = performance.now();
      await eventually(
        'the three worktrees are there',
        () =>
          eventsIn('worktree-made', id).filter(({owner}) =>
            tasks.some((task) => owner === `${id}.${task}`),
          ).length === 3,
        60_000,
      );
      const ms = performance.now() - approvedAt;
      const {code, out} = await following;
      assert.equal(code, 0, out.slice(-1500));
      assert.ok(
        ms <= 3000,
        `expected at most 3000 ms from the approval to three worktrees, got ${ms.toFixed(0)}`,
      );
    });
  },
};

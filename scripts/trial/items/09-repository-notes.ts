import assert from 'node:assert/strict';
import path from 'node:path';
import {rmSync} from 'node:fs';
import type {Item} from '../item.ts';

/** Notes about the repository are shown before anything starts. */
export const repositoryNotes: Item = {
  number: 9,
  title: 'notes about the repository are told by run, plan show and status',
  async attempt({stage, layOut, run}) {
    stage.write('not-committed.txt', 'mine\n');
    stage.git('checkout', '--quiet', '--detach');
    try {
      layOut([{id: 't1'}]);
      const {run: id, out} = await run();
      for (const text of [out, stage.run('plan', 'show', id).out, stage.run('status', id).out])
        assert.match(text, /1\s+file\s+that\s+is\s+changed\s+or\s+new[^]*HEAD\s+is\s+detached/);
      stage.run('discard', id);
    } finally {
      stage.git('checkout', '--quiet', 'main');
      rmSync(path.join(stage.root, 'not-committed.txt'));
    }
  },
};

import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import process from 'node:process';
import {launcher} from '../../../test/daemon/support/place.ts';
import type {Item} from '../item.ts';

/** The environment of a run is that of the person who began it, whoever starts the daemon later. */
export const environment: Item = {
  number: 3, title: 'a run keeps its environment when the daemon is started from another shell',
  async attempt({stage, onBase, layOut, run}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase({'.orchestra/project.yaml': `environment: [TRIAL_SHELL]\n${project}`, 'check.sh': 'test "$TRIAL_SHELL" != other || { echo "FAIL the environment of another shell"; exit 1; }\n'}, async () => {
      layOut([{id: 't1'}]);
      const {run: id} = await run();
      stage.run('daemon', 'stop');
      spawnSync(process.execPath, [launcher, 'daemon', 'start'], {cwd: stage.root, env: {...stage.env, TRIAL_SHELL: 'other'}, stdio: 'ignore'});
      const {code, out} = await stage.launch('plan', 'approve', id, '--follow');
      stage.run('daemon', 'restart');
      assert.equal(code, 0, out);
    });
  },
};

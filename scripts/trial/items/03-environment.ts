import assert from 'node:assert/strict';
import process from 'node:process';
import {spawnSync} from 'node:child_process';
import {launcher} from '../../../test/daemon/support/daemon-fixture.ts';
import type {Item} from '../item.ts';

/** A run has the environment of the shell that started it, whichever shell starts the daemon later. */
export const environment: Item = {
  number: 3,
  title: 'a run keeps its environment when the daemon is started from another shell',
  async attempt({stage, onBase, layOut, eventsIn}) {
    const project = stage.read('.orchestra/project.yaml');
    await onBase(
      {
        '.orchestra/project.yaml': `environment: [TRIAL_SHELL]\n${project}`,
        'check.sh':
          'test "$TRIAL_SHELL" = mine || { echo "FAIL the environment of another shell: $TRIAL_SHELL"; exit 1; }\n',
      },
      async () => {
        layOut([{id: 't1'}]);
        await stage.until(
          'the project file is read',
          ({project: read}) => read.environment?.includes('TRIAL_SHELL') === true,
        );
        const before = stage.eventsOf('run-created').length;
        spawnSync(process.execPath, [launcher, 'run', 'Make it better'], {
          cwd: stage.root,
          env: {...stage.env, TRIAL_SHELL: 'mine'},
          stdio: 'ignore',
        });
        const id = stage.eventsOf('run-created')[before]?.run ?? 'r0';
        stage.run('daemon', 'stop');
        spawnSync(process.execPath, [launcher, 'daemon', 'start'], {
          cwd: stage.root,
          env: {...stage.env, TRIAL_SHELL: 'other'},
          stdio: 'ignore',
        });
        const {code, out} = await stage.launch('plan', 'approve', id, '--follow');
        stage.run('daemon', 'restart');
        assert.equal(code, 0, out);
        assert.deepEqual(eventsIn('attempt-failed', id), []);
      },
    );
  },
};

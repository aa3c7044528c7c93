import assert from 'node:assert/strict';
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {processesIn} from '../support/place.ts';
import {createStage} from './support/stage.ts';

const rules =
  '# 1. Modification\n- It is looked at. `require: sh require.sh`\n# 2. Validation\n1. Nothing is red. `test: true`\n';

/** Waits for a file of the person's, and leaves something wherever a later command could find it. */
const waiting = `cat > require.sh <<'END'
if [ -e "$HOME/.npm/left" ] || [ -e "$(git rev-parse --git-dir)/left" ] || [ -e "$TMPDIR/left" ]; then echo found what was left; exit 1; fi
touch "$HOME/.npm/left" "$(git rev-parse --git-dir)/left" "$TMPDIR/left"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
END
echo done > t1.txt`;

describe("a daemon that is killed while a rule's command runs", () => {
  for (const sandbox of ['required', 'off'] as const) {
    it(`ends the command, leaves nothing of it, and the next one finds nothing of it (sandbox: ${sandbox})`, async (t) => {
      const script =
        sandbox === 'off'
          ? waiting
              .replaceAll(
                /"\$HOME\/\.npm\/left"|"\$\(git rev-parse --git-dir\)\/left"|"\$TMPDIR\/left"/g,
                '"$HOME/absent"',
              )
              .replace('touch "$HOME/absent" "$HOME/absent" "$HOME/absent"', ':')
          : waiting;
      const stage = createStage(t, {
        project: `sandbox: ${sandbox}\n`,
        rules,
        tasks: [{id: 't1', files: ['**']}],
        files: {'require.sh': 'exit 0\n'},
        acts: {t1: script},
      });
      mkdirSync(path.join(stage.home, '.npm'));
      await stage.objective();
      stage.run('plan', 'approve', 'r1');
      const running = (): string[] =>
        readdirSync(path.join(stage.here().stateDirectory, 'exchange')).filter((name) =>
          name.includes('-running-'),
        );
      await stage.until('it is captured', () => stage.eventsOf('change-captured').length === 1);
      const [first] = await eventually('the command runs', () => running().length > 0 && running());
      await stage.killDaemon('SIGKILL');
      await stage.until('another daemon is there', () => true);
      await eventually(
        'the command runs again, under another name',
        () => running().length === 1 && running()[0] !== first,
      );
      writeFileSync(path.join(stage.home, 'go'), '');
      await stage.until(
        'it is judged and merged',
        () => stage.eventsOf('task-merged').length === 1,
      );
      assert.deepEqual(
        stage
          .eventsOf('change-judged')
          .map(({judgement}) => judgement.rules.filter(({verdict}) => verdict === 'broken').length),
        [0],
      );
      const {stateDirectory} = stage.here();
      const left = readdirSync(stateDirectory, {recursive: true, encoding: 'utf8'}).filter((name) =>
        name.includes('-running-'),
      );
      assert.deepEqual(left, []);
      stage.run('daemon', 'stop');
      await eventually('nobody is left', () => processesIn(stage.home).length === 0);
    });
  }
});

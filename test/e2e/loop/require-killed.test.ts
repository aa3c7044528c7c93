import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {eventually} from '../../support/eventually.ts';
import {processesIn} from '../../daemon/support/daemon-fixture.ts';
import {createFixture} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

const rules =
  '# 1. Modification\n- It is looked at. `require: sh require.sh`\n# 2. Validation\n1. Nothing is red. `test: true`\n';

/**
 * Waits for a file of the person's, and leaves something wherever a later command could find it.
 */
const waiting = `cat > require.sh <<'END'
if [ -e "$HOME/.npm/left" ] || [ -e "$(git rev-parse --git-dir)/left" ] || [ -e "$TMPDIR/left" ]; then echo found what was left; exit 1; fi
touch "$HOME/.npm/left" "$(git rev-parse --git-dir)/left" "$TMPDIR/left"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
END
echo done > t1.txt`;

describe("a daemon that is killed while a rule's command runs", () => {
  for (const sandbox of ['required', 'off'] as const) {
    it(
      `ends the command, leaves nothing of it, and the next one finds nothing of it (sandbox: ${sandbox})`,
      sandbox === 'off' ? {} : needs('bubblewrap'),
      async (t) => {
        const script =
          sandbox === 'off'
            ? waiting
                .replaceAll(
                  /"\$HOME\/\.npm\/left"|"\$\(git rev-parse --git-dir\)\/left"|"\$TMPDIR\/left"/g,
                  '"$HOME/absent"',
                )
                .replace('touch "$HOME/absent" "$HOME/absent" "$HOME/absent"', ':')
            : waiting;
        const fixture = createFixture(t, {
          project: `sandbox: ${sandbox}\n`,
          rules,
          tasks: [{id: 't1', files: ['**']}],
          files: {'require.sh': 'exit 0\n'},
          acts: {t1: script},
        });
        mkdirSync(path.join(fixture.home, '.npm'));
        await fixture.objective();
        fixture.run('plan', 'approve', 'r1');
        const running = (): string[] =>
          readdirSync(path.join(fixture.current().stateDirectory, 'exchange')).filter((name) =>
            name.includes('-running-'),
          );
        await fixture.until(
          'it is captured',
          () => fixture.eventsOf('change-captured').length === 1,
        );
        const [first] = await eventually(
          'the command runs',
          () => running().length > 0 && running(),
        );
        await fixture.killDaemon('SIGKILL');
        await fixture.until('another daemon is there', () => true);
        await eventually(
          'the command runs again, under another name',
          () => running().length === 1 && running()[0] !== first,
        );
        writeFileSync(path.join(fixture.home, 'go'), '');
        await fixture.until(
          'it is judged and merged',
          () => fixture.eventsOf('task-merged').length === 1,
        );
        assert.deepEqual(
          fixture
            .eventsOf('change-judged')
            .map(
              ({judgement}) => judgement.rules.filter(({verdict}) => verdict === 'broken').length,
            ),
          [0],
        );
        const {stateDirectory} = fixture.current();
        const left = readdirSync(stateDirectory, {recursive: true, encoding: 'utf8'}).filter(
          (name) => name.includes('-running-'),
        );
        assert.deepEqual(left, []);
        fixture.run('daemon', 'stop');
        await eventually('nobody is left', () => processesIn(fixture.home).length === 0);
      },
    );
  }
});

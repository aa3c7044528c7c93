import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {launcher} from '../../daemon/support/daemon-fixture.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

const tried = ['plan approve r1', 'accept r1', 'grant r1.t1', 'resume r1', 'discard r1', 'stop r1'];

describe('an agent that gives a command that only a person may give', () => {
  it('is refused, journaled and shown, and a person acknowledges it', async (t) => {
    const fixture = createFixture(t, {acts: {t1: 'exec sh "$PRETEND/self-approve.sh"'}});
    callThrough(fixture);
    const {code} = await fixture.objective('--approve');
    const log = readFileSync(path.join(fixture.home, 'self-approve.log'), 'utf8');
    for (const text of tried) assert.doesNotMatch(log, new RegExp(`exit 0 of ${text}`));
    const rejected = fixture.eventsOf('intrusion-refused');
    assert.ok(rejected.length >= 4, JSON.stringify(rejected));
    assert.deepEqual([...new Set(rejected.map(({session}) => session))], ['s2']);
    assert.equal(code, 0, 'its work is judged by what it is');
    assert.deepEqual(
      [
        fixture.eventsOf('run-accepted').length,
        fixture.eventsOf('run-discarded').length,
        fixture.eventsOf('run-held').length,
      ],
      [0, 0, 0],
    );
    const {out} = fixture.run('needs');
    assert.match(out, /s2/);
    for (const number of rejected.keys()) fixture.run('needs', '--seen', String(number + 1));
    assert.equal(
      (fixture.json('needs') as {readonly needs: readonly {readonly kind: string}[]}).needs.some(
        ({kind}) => kind === 'intrusion',
      ),
      false,
    );
  });

  it('cannot reach the daemon from inside the sandbox', needs('bubblewrap'), async (t) => {
    const fixture = createFixture(t, {
      project: 'sandbox: required\n',
      acts: {
        t1: 'log=$PWD/../none; sh "$HOME/orchestra" accept r1 > tried 2>&1; echo "exit $?" >> tried; cp tried t1.txt; rm tried',
      },
    });
    callThrough(fixture);
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.equal(fixture.eventsOf('run-accepted').length, 0);
    assert.doesNotMatch(fixture.git('show', 'orchestra/r1:t1.txt'), /exit 0/);
  });

  it(
    'and plans: the planner cannot write where the machine has a sandbox',
    needs('bubblewrap'),
    async (t) => {
      const fixture = createFixture(t, {
        project: 'sandbox: required\n',
        acts: {plan: 'exec sh "$PRETEND/plan-writes.sh"'},
      });
      const {code} = await fixture.objective();
      assert.equal(code, 3);
      assert.deepEqual(
        [fixture.eventsOf('planner-wrote').length, fixture.eventsOf('plan-received').length],
        [0, 1],
      );
      assert.equal(
        existsSync(path.join(fixture.worktree('r1.plan'), 'planted-by-planner.txt')),
        false,
      );
    },
  );
});

function callThrough({home}: LoopFixture): void {
  writeFileSync(
    path.join(home, 'orchestra'),
    `cd "$(dirname "$0")/repository" && exec '${process.execPath}' '${launcher}' "$@"\n`,
  );
}

describe('a hook or notification command that orchestra starts', () => {
  for (const way of ['command', 'hook'] as const) {
    it(`decides nothing, whoever wrote it: a ${way}`, async (t) => {
      const fixture = createFixture(t, {});
      const script = `env -u ORCH_SESSION ${process.execPath} ${launcher} plan approve r1 > "$HOME/tried" 2>&1; echo "exit $?" >> "$HOME/tried"; mv "$HOME/tried" "$HOME/tried.log"`;
      if (way === 'command') {
        assert.equal(fixture.run('settings', 'command', script).code, 0);
      } else {
        mkdirSync(path.join(fixture.root, '.orchestra', 'hooks'), {recursive: true});
        writeFileSync(
          path.join(fixture.root, '.orchestra', 'hooks', 'on-need'),
          `#!/bin/sh\n${script}\n`,
          {mode: 0o755},
        );
      }

      await fixture.objective();
      await fixture.until('it was tried', () => existsSync(path.join(fixture.home, 'tried.log')));
      assert.match(
        readFileSync(path.join(fixture.home, 'tried.log'), 'utf8'),
        /only a person may approve-plan: a hook or a notification command cannot decide[\s\S]*exit 1/,
      );
      assert.equal(fixture.eventsOf('plan-approved').length, 0);
      assert.equal(fixture.run('plan', 'approve', 'r1').code, 0, 'the person, from a terminal');
    });
  }
});

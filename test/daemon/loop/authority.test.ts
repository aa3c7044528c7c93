import assert from 'node:assert/strict';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {launcher} from '../support/place.ts';
import {createStage, type Stage} from './support/stage.ts';

const tried = ['plan approve r1', 'accept r1', 'grant r1.t1', 'resume r1', 'discard r1', 'stop r1'];

describe('an agent that says what only a person may say', () => {
  it('is refused, journaled and shown, and a person says that it was seen', async (t) => {
    const stage = createStage(t, {acts: {t1: 'exec sh "$PRETEND/self-approve.sh"'}});
    callThrough(stage);
    const {code} = await stage.objective('--approve');
    const log = readFileSync(path.join(stage.home, 'self-approve.log'), 'utf8');
    for (const words of tried) assert.doesNotMatch(log, new RegExp(`exit 0 of ${words}`));
    const refused = stage.eventsOf('intrusion-refused');
    assert.ok(refused.length >= 4, JSON.stringify(refused));
    assert.deepEqual([...new Set(refused.map(({session}) => session))], ['s2']);
    assert.equal(code, 0, 'its work is judged by what it is');
    assert.deepEqual(
      [
        stage.eventsOf('run-accepted').length,
        stage.eventsOf('run-discarded').length,
        stage.eventsOf('run-held').length,
      ],
      [0, 0, 0],
    );
    const {out} = stage.run('needs');
    assert.match(out, /s2/);
    for (const number of refused.keys()) stage.run('needs', '--seen', String(number + 1));
    assert.equal(
      (stage.json('needs') as {readonly needs: readonly {readonly kind: string}[]}).needs.some(
        ({kind}) => kind === 'intrusion',
      ),
      false,
    );
  });

  it('is not even heard from inside the sandbox', async (t) => {
    const stage = createStage(t, {
      project: 'sandbox: required\n',
      acts: {
        t1: 'log=$PWD/../none; sh "$HOME/orchestra" accept r1 > tried 2>&1; echo "exit $?" >> tried; cp tried t1.txt; rm tried',
      },
    });
    callThrough(stage);
    const {code, out} = await stage.objective('--approve');
    assert.equal(code, 0, out);
    assert.equal(stage.eventsOf('run-accepted').length, 0);
    assert.doesNotMatch(stage.git('show', 'orchestra/r1:t1.txt'), /exit 0/);
  });

  it('and plans: the planner cannot write where the machine has a sandbox', async (t) => {
    const stage = createStage(t, {
      project: 'sandbox: required\n',
      acts: {plan: 'exec sh "$PRETEND/plan-writes.sh"'},
    });
    const {code} = await stage.objective();
    assert.equal(code, 3);
    assert.deepEqual(
      [stage.eventsOf('planner-wrote').length, stage.eventsOf('plan-received').length],
      [0, 1],
    );
    assert.equal(existsSync(path.join(stage.worktree('r1.plan'), 'planted-by-planner.txt')), false);
  });
});

function callThrough({home}: Stage): void {
  writeFileSync(
    path.join(home, 'orchestra'),
    `cd "$(dirname "$0")/repository" && exec '${process.execPath}' '${launcher}' "$@"\n`,
  );
}

describe('what orchestra itself starts to tell somebody', () => {
  for (const way of ['command', 'hook'] as const) {
    it(`decides nothing, whoever wrote it: a ${way}`, async (t) => {
      const stage = createStage(t, {});
      const script = `env -u ORCH_SESSION ${process.execPath} ${launcher} plan approve r1 > "$HOME/tried" 2>&1; echo "exit $?" >> "$HOME/tried"; mv "$HOME/tried" "$HOME/tried.log"`;
      if (way === 'command') {
        assert.equal(stage.run('settings', 'command', script).code, 0);
      } else {
        mkdirSync(path.join(stage.root, '.orchestra', 'hooks'), {recursive: true});
        writeFileSync(
          path.join(stage.root, '.orchestra', 'hooks', 'on-need'),
          `#!/bin/sh\n${script}\n`,
          {mode: 0o755},
        );
      }

      await stage.objective();
      await stage.until('it was tried', () => existsSync(path.join(stage.home, 'tried.log')));
      assert.match(
        readFileSync(path.join(stage.home, 'tried.log'), 'utf8'),
        /only a person may approve-plan: a hook or a command for notifications is told what happens[\s\S]*exit 1/,
      );
      assert.equal(stage.eventsOf('plan-approved').length, 0);
      assert.equal(stage.run('plan', 'approve', 'r1').code, 0, 'the person, from a terminal');
    });
  }
});

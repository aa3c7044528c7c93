import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectTask} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

const conversation = '00000000-0000-4000-8000-000000000001';

/**
 * A claude that waits in its first start, has a screen of its own, and does the work when it goes
 * on.
 */
function createTakenStage(t: TestContext): LoopFixture & {
  readonly started: () => readonly string[];
  readonly notified: (start: number) => string;
  readonly following: ReturnType<LoopFixture['objective']>;
} {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-claude-'));
  const log = path.join(bin, 'started');
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh
[ "$1" = --version ] && { echo '2.1.325 (Claude Code)'; exit; }
case "$*" in *--resume*) which=resumed ;; *) which=fresh ;; esac
case "$*" in -p*) ;; *) echo "screen $which" >> ${log}; printf '❯ '; exec sleep 600 ;; esac
echo "headless $which" >> ${log}
sh ${path.join(pretendAgents, 'read-prompt.sh')} > ${bin}/told-$(grep -c headless ${log})
printf '%s\\n' '{"type":"system","subtype":"init","session_id":"${conversation}","model":"m"}'
if [ $which = fresh ]; then echo "half" > t1.txt; touch ${bin}/waiting; sleep 600; fi
echo "better" >> t1.txt
printf '%s\\n' '{"type":"result","subtype":"success","is_error":false,"result":"There it is.","session_id":"${conversation}","usage":{},"total_cost_usd":0}'
`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    tasks: [{id: 't1', files: ['*.txt']}],
    env: {PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, BIN: bin},
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  return {
    ...fixture,
    following: fixture.objective('--agent', 'claude', '--planner', 'pretend', '--approve'),
    started: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    notified: (start) => readFileSync(path.join(bin, `told-${start}`), 'utf8'),
  };
}

async function takeOver(stage: ReturnType<typeof createTakenStage>): Promise<void> {
  await eventually('its agent is at work', () =>
    existsSync(path.join(stage.env['BIN'] ?? '', 'waiting')),
  );
  await eventually('its conversation is noted', () => stage.outcomeOf('s2').includes(conversation));
  const taken = stage.run('takeover', 'r1.t1');
  assert.equal(taken.code, 0, taken.err);
  assert.match(
    taken.out,
    /run its checks: orchestra resume r1\.t1\. Or let its agent continue: orchestra resume r1\.t1 --agent/,
  );
}

describe('what was taken over while its agent was at work', () => {
  it('goes back to the agent: the same attempt, the same conversation, told what the person changed and said', async (t) => {
    const stage = createTakenStage(t);
    await takeOver(stage);
    writeFileSync(path.join(stage.worktree('r1.t1'), 'port.txt'), 'port 3001\n');
    const back = stage.run('resume', 'r1.t1', '--agent', '--note', 'The port is 3001.');
    assert.deepEqual(
      [back.code, back.out],
      [0, 'r1.t1 is handed back to its agent, which continues\n'],
      back.err,
    );
    // Whoever follows the run is told that it waits for them.
    assert.equal((await stage.following).code, 3);
    await stage.until('it is merged', () => stage.eventsOf('task-merged').length === 1);
    assert.deepEqual(stage.started(), ['headless fresh', 'screen resumed', 'headless resumed']);
    const notified = stage.notified(2);
    assert.match(notified, /A person took this task over in between/);
    assert.match(notified, /They changed:\n\n[\s\S]{0,200}port\.txt/);
    assert.doesNotMatch(
      notified.slice(notified.indexOf('They changed:'), notified.indexOf('They say:')),
      /t1\.txt/,
      'what the agent itself had changed is not theirs',
    );
    assert.match(notified, /They say:\n\nThe port is 3001\./);
    const task = selectTask(await stage.state(), 'r1.t1');
    assert.deepEqual(
      task?.attempts.map(({number, by, step}) => [number, by, step.at]),
      [[1, 'agent', 'passed']],
    );
    assert.match(
      stage.run('timeline', 'r1').out,
      /you handed r1\.t1 back to its agent, which continues try 1 \(The/,
    );
    assert.deepEqual(stage.git('show', 'orchestra/r1:t1.txt'), 'half\nbetter\n');
  });

  it('is judged as it is, and if that is red its agent still has its tries', async (t) => {
    const stage = createTakenStage(t);
    await takeOver(stage);
    writeFileSync(path.join(stage.worktree('r1.t1'), 't1.txt'), 'red\n');
    for (const wrong of [
      ['resume', 'r1.t1', '--note', 'x'],
      ['handback', 'r1.t1', '--note', 'x'],
    ])
      assert.match(stage.run(...wrong).err, /--note is for the agent: add --agent/);
    assert.match(
      stage.run('resume', 'r1', '--agent').err,
      /--agent and --note are for a task that you have taken over/,
    );
    assert.equal(stage.run('resume', 'r1.t1').code, 0);
    await stage.until(
      'the agent repairs it',
      (state) => selectTask(state, 'r1.t1')?.attempts.length === 3,
    );
    assert.match(stage.run('handback', 'r1.t1', '--agent').err, /you did not take it over/);
    const task = selectTask(await stage.state(), 'r1.t1');
    assert.deepEqual(
      task?.attempts.map(({number, by}) => [number, by]),
      [
        [1, 'agent'],
        [2, 'person'],
        [3, 'agent'],
      ],
    );
    assert.equal(task.allowed, 4);
    await eventually(
      'it goes on with its conversation',
      () => stage.started().at(-1) === 'headless resumed',
    );
    await stage.following;
  });
});

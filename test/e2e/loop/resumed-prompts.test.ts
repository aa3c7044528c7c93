import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {describe, it, type TestContext} from 'node:test';
import {selectRun, selectTask} from '../../../source/domain/index.ts';
import {repeatedShare} from '../../../scripts/context/repeated-lines.ts';
import {createFixture, type LoopFixture, pretendAgents} from './support/loop-fixture.ts';

type ResumedStage = LoopFixture & {
  /** What entered the conversation of the planner or the worker, in order. */
  readonly sent: (kind: 'plan' | 'work') => readonly string[];
  readonly systemOf: (kind: 'plan' | 'work', number: number) => string;
  readonly merged: () => Promise<unknown>;
};

const summary = `---
run: r7
task: r7.t1
outcome: merged
date: 2026-01-01
files:
  - t1.txt
commits: []
tokens: 1
---

# Task: Write it well

## Decisions
- The file ends with a line end.
`;

function createResumedStage(
  t: TestContext,
  {reds, rules}: {readonly reds: number; readonly rules?: string},
): ResumedStage {
  const bin = mkdtempSync(path.join(os.tmpdir(), 'orchestra-goes-on-'));
  writeFileSync(
    path.join(bin, 'claude'),
    `#!/bin/sh\nexec sh ${path.join(pretendAgents, 'goes-on.sh')} "$@"\n`,
  );
  chmodSync(path.join(bin, 'claude'), 0o755);
  const fixture = createFixture(t, {
    ...(rules === undefined ? {} : {rules}),
    env: {PATH: `${bin}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`},
  });
  // After the end of the fixture: until then its agents write there.
  t.after(() => {
    rmSync(bin, {recursive: true, force: true});
  });
  const plan = readFileSync(path.join(fixture.home, 'plan.json'), 'utf8');
  writeFileSync(
    path.join(fixture.home, 'plan-answer'),
    JSON.stringify(`\`\`\`json\n${plan}\n\`\`\``),
  );
  writeFileSync(path.join(fixture.home, 'reds'), String(reds));
  fixture.write('.orchestra/knowledge/2026-01-01-r7-t1.md', summary);
  const directory = path.join(fixture.home, 'prompts');
  return {
    ...fixture,
    sent: (kind) =>
      (existsSync(directory) ? readdirSync(directory) : [])
        .filter((name) => name.includes(`-${kind}-`))
        .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
        .map((name) => readFileSync(path.join(directory, name), 'utf8')),
    systemOf: (kind, number) =>
      readFileSync(path.join(directory, `system-${number}-${kind}`), 'utf8'),
    merged: () =>
      fixture.until('it is merged', (state) => selectTask(state, 'r1.t1')?.stage.at === 'merged'),
  };
}

describe('a conversation that goes on', () => {
  it('gets the failure, the hint and the notes, and no line of what it was given before', async (t) => {
    const stage = createResumedStage(t, {reds: 2});
    await stage.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
    assert.equal(selectTask(await stage.state(), 'r1.t1')?.stage.at, 'stopped');
    assert.equal(stage.run('note', 'r1.t1', 'Mind the gap.').code, 0);
    assert.equal(stage.run('grant', 'r1.t1', '--hint', 'Write the word better.').code, 0);
    await stage.merged();
    const [first = '', repair = '', hinted = ''] = stage.sent('work');
    const share = repeatedShare([first, repair, hinted]);
    t.diagnostic(`repeated lines of a worker: ${share.repeated} of ${share.lines}`);
    assert.match(first, /Your brief:\n\nWrite t1\./);
    assert.match(first, /The file ends with a line end\./);
    for (const again of [repair, hinted]) {
      assert.match(again, /first failure>\nTEST_FAILURE/);
      assert.doesNotMatch(
        again,
        /Changed so far:|Your brief:|Objective of the whole plan|line end\.|branch/,
      );
    }

    assert.doesNotMatch(repair, /Mind the gap|hint/);
    assert.match(hinted, /The person gives you this hint:\n\nWrite the word better\./);
    assert.match(hinted, /Mind the gap\./);
    // What marks data, and the failure, which is the same again.
    assert.ok(share.repeated <= 9 && share.share <= 0.45, JSON.stringify(share));
    // The system prompt is not part of the conversation, and not kept by the agent.
    assert.match(stage.systemOf('work', 2), /# Rules\n[\s\S]*Nothing is red\./);
  });

  it('gets a rejection of the plan, and not the form of a plan again', async (t) => {
    const stage = createResumedStage(t, {reds: 0});
    assert.equal((await stage.objective('--planner', 'claude')).code, 3);
    assert.equal(stage.run('plan', 'comment', 'r1', '13', 'Split this.').code, 0);
    assert.equal(stage.run('plan', 'reject', 'r1', '--reason', 'Too coarse.').code, 0);
    await stage.until('plan 2 is there', (state) => {
      const run = selectRun(state, 'r1');
      return run?.stage.at === 'reviewing' && run.rounds.length === 2;
    });
    const [first = '', again = ''] = stage.sent('plan');
    const share = repeatedShare([first, again]);
    t.diagnostic(`repeated lines of a planner: ${share.repeated} of ${share.lines}`);
    assert.match(first, /The plan is one JSON object:/);
    assert.match(again, /The reason:\n\nToo coarse\./);
    assert.doesNotMatch(again, /Objective:|"rootCause"/);
    assert.ok(share.share <= 0.35, JSON.stringify(share));
  });

  it('gets everything again if its agent ended before the model answered', async (t) => {
    const stage = createResumedStage(t, {reds: 0});
    mkdirSync(path.join(stage.home, 'mute'));
    await stage.objective('--agent', 'claude', '--planner', 'pretend', '--approve');
    await stage.merged();
    const [first = '', again = ''] = stage.sent('work');
    assert.match(first, /Your brief:\n\nWrite t1\./);
    assert.match(again, /Your brief:\n\nWrite t1\.[\s\S]*This attempt was interrupted/);
  });
});

describe('an agent that cannot resume', () => {
  it('gets everything in every attempt', async (t) => {
    const stage = createResumedStage(t, {reds: 0});
    stage.act(
      't1',
      'if [ -e "$HOME/tried" ]; then echo fine > t1.txt; else touch "$HOME/tried"; echo red > t1.txt; fi',
    );
    await stage.objective('--approve');
    await stage.merged();
    const [, first = '', repair = ''] = stage.prompts();
    for (const prompt of [first, repair]) {
      assert.match(prompt, /^# Rules\n/);
      assert.match(prompt, /Your brief:\n\nWrite t1\./);
      assert.match(prompt, /The file ends with a line end\./);
    }

    assert.match(repair, /first failure>\nTEST_FAILURE/);
  });
});

import assert from 'node:assert/strict';
import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, it} from 'node:test';
import {liveSessionsOf, runOf} from '../../../source/domain/index.ts';
import type {CodeReport, DoubtReport} from '../../../source/protocol/index.ts';
import {call, callAsOrphan, provable} from '../support/callers.ts';
import {createStage, type Stage} from './support/stage.ts';

const service = 'services:\n  web: {command: exec sleep 600}\n';
const [script, setsid, nohup, cron, login, runner] = provable as [
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
];

async function startService(stage: Stage): Promise<void> {
  assert.equal(stage.run('service', 'start', 'web').code, 0);
  await stage.until('the service lives', (state) =>
    liveSessionsOf(state).some(
      ({purpose, life}) => purpose.for === 'service' && life.at === 'running',
    ),
  );
}

function codesOf(stage: Stage): readonly CodeReport[] {
  return (stage.json('codes') as {readonly codes: readonly CodeReport[]}).codes;
}

function refusedIn(out: string): {readonly code: string; readonly doubt: DoubtReport} {
  return (
    JSON.parse(out.trim().split('\n').at(-1) ?? '') as {
      readonly refused: {readonly code: string; readonly doubt: DoubtReport};
    }
  ).refused;
}

describe('a person without a terminal, while a service and agents without a sandbox live in the checkout', () => {
  it('approves, types, accepts and tidies up from a script, a job, a login, a runner', async (t) => {
    const stage = createStage(t, {project: service});
    await startService(stage);
    const typing = await stage.start('cat');
    const approved = await call(stage, setsid, 'run', 'Make it better', '--approve');
    assert.equal(approved.code, 0, approved.err);
    const sent = await call(stage, nohup, 'send', typing, 'hello');
    assert.equal(sent.code, 0, sent.err);
    const accepted = await call(stage, cron, 'accept', 'r1', '--json');
    assert.equal(accepted.code, 0, accepted.err);
    const tidied = await call(stage, runner, 'gc');
    assert.equal(tidied.code, 0, tidied.err);
    assert.equal((await call(stage, script, 'run', 'Again')).code, 3);
    const later = await call(stage, login, 'plan', 'approve', 'r2');
    assert.equal(later.code, 0, later.err);
    // Each of them once more, with what needs a person.
    for (const way of provable) {
      const {code, err} = await call(stage, way, 'gc', '--json');
      assert.equal(code, 0, `${way.name}: ${err}`);
    }

    assert.deepEqual(stage.eventsOf('intrusion-refused'), []);
  });
});

describe('who lost everybody that started it, while a service lives in the checkout', () => {
  it('is told what is in doubt, and decides with the one-time code that the person reads, for this command and once', async (t) => {
    const stage = createStage(t, {project: service});
    await startService(stage);
    const asked = await callAsOrphan(stage, 'run', 'Make it better', '--approve');
    assert.equal(asked.code, 3, 'the plan waits');
    assert.match(
      asked.err,
      /only a person may approve-plan, and it can't be told that a person asks: pid \d+ \(.+\): pid \d+ \(sh\), from which it comes, began after s1, without a sandbox, and is a child of pid \d+, which adopts whatever leaves a session/,
    );
    assert.match(asked.err, /--code CODE within 5 minutes/);
    const again = await callAsOrphan(stage, 'plan', 'approve', 'r1', '--json');
    assert.equal(again.code, 1);
    const {code, doubt} = refusedIn(again.out);
    assert.deepEqual(
      [code, doubt.reasons[0], doubt.sessions, doubt.hasCode],
      ['in-doubt', 'orphan', ['s1'], true],
    );
    const [shown, ...more] = codesOf(stage);
    assert.deepEqual([more.length, shown?.what, shown?.asked], [0, 'approve-plan r1', 2]);

    const other = await callAsOrphan(stage, 'discard', 'r1', '--code', shown!.code);
    assert.match(other.err, /used up, too old, or for another command/);
    const stolen = await callAsOrphan(stage, 'codes');
    assert.match(stolen.err, /only a person may read one-time codes/);
    const used = await callAsOrphan(
      stage,
      'plan',
      'approve',
      'r1',
      '--code',
      shown!.code.toLowerCase(),
    );
    assert.equal(used.code, 0, used.err);
    assert.match(
      stage.eventsOf('command-noted').find(({intent}) => intent === 'approve-plan')?.words ?? '',
      /it brought the one-time code that was shown to the person/,
    );
    await stage.until('the run is ready', (state) => runOf(state, 'r1')?.summarised === 1);
    const replayed = await callAsOrphan(stage, 'accept', 'r1', '--code', shown!.code);
    assert.equal(replayed.code, 1);
    assert.equal(stage.eventsOf('run-accepted').length, 0);
  });

  it('gets nothing by guessing, and nothing once the person has refused', async (t) => {
    const stage = createStage(t, {project: service});
    await startService(stage);
    assert.equal((await callAsOrphan(stage, 'run', 'Make it better', '--approve')).code, 3);
    const [right] = codesOf(stage);
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal(
        refusedIn(
          (await callAsOrphan(stage, 'plan', 'approve', 'r1', '--json', '--code', '2222-2222')).out,
        ).code,
        'wrong-code',
      );
    assert.deepEqual(codesOf(stage), []);
    const late = await callAsOrphan(
      stage,
      'plan',
      'approve',
      'r1',
      '--json',
      '--code',
      right!.code,
    );
    assert.deepEqual(
      [refusedIn(late.out).code, refusedIn(late.out).doubt.hasCode],
      ['in-doubt', false],
    );
    await callAsOrphan(stage, 'discard', 'r1');
    const [discard] = codesOf(stage);
    const number =
      stage.eventsOf('intrusion-refused').findIndex(({intent}) => intent === 'discard') + 1;
    stage.run('needs', '--seen', String(number));
    assert.equal((await callAsOrphan(stage, 'discard', 'r1', '--code', discard!.code)).code, 1);
    assert.deepEqual(
      [stage.eventsOf('plan-approved').length, stage.eventsOf('run-discarded').length],
      [0, 0],
    );
  });
});

describe('no doubt', () => {
  it("is cast by an agent in the sandbox that works in the checkout's worktree", async (t) => {
    const stage = createStage(t, {
      project: 'sandbox: required\n',
      acts: {t1: 'until [ -e go ]; do sleep 0.1; done; echo green > t1.txt'},
    });
    const run = stage.objective('--approve');
    await stage.until('the agent works', (state) =>
      liveSessionsOf(state).some(
        ({purpose, life}) => purpose.for === 'attempt' && life.at === 'running',
      ),
    );
    const discarded = await callAsOrphan(stage, 'discard', 'r1');
    assert.equal(discarded.code, 0, discarded.err);
    await run;
    assert.deepEqual(stage.eventsOf('intrusion-refused'), []);
  });

  it('is cast by services that the person trusted before anything ran; an agent without a sandbox ends that', async (t) => {
    const stage = createStage(t, {project: service});
    assert.equal(stage.run('daemon', 'start', '--trust-services').code, 0);
    await startService(stage);
    assert.equal(
      (stage.json('daemon', 'status') as {readonly trust: {readonly services: boolean}}).trust
        .services,
      true,
    );
    const typing = await stage.start('cat');
    assert.equal((await callAsOrphan(stage, 'send', typing, 'hello')).code, 0);
    assert.equal((await callAsOrphan(stage, 'gc')).code, 0);
    assert.equal(
      stage.run('daemon', 'restart', '--trust-services').code,
      0,
      'the same word, again',
    );
    assert.equal((await callAsOrphan(stage, 'gc')).code, 0);
    await stage.objective();
    assert.equal(
      (await callAsOrphan(stage, 'plan', 'approve', 'r1')).code,
      1,
      'the planner ran without a sandbox',
    );
  });

  it('can be asked away later: what runs could have asked for it', async (t) => {
    const stage = createStage(t, {project: service});
    await startService(stage);
    const {code, err} = stage.run('daemon', 'restart', '--trust-services');
    assert.deepEqual(
      [code, err.includes('services are not trusted: something already ran without a sandbox')],
      [1, true],
      err,
    );
    assert.equal((await callAsOrphan(stage, 'gc')).code, 1);
    assert.ok(existsSync(path.join(stage.here().stateDirectory, 'origins.json')));
    writeFileSync(path.join(stage.here().stateDirectory, 'origins.json'), 'nonsense');
    stage.run('daemon', 'restart');
    assert.equal((await callAsOrphan(stage, 'gc')).code, 1);
  });
});

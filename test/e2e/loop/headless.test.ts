import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {selectLiveSessions, selectRun} from '../../../source/domain/index.ts';
import type {CodeReport, DoubtReport} from '../../../source/protocol/index.ts';
import {call, callAsOrphan, provable} from '../../daemon/support/callers.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';
import {needs} from '../../support/needs.ts';

const service = 'services:\n  web: {command: exec sleep 600}\n';
const [script, setsid, nohup, cron, login, runner] = provable as [
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
  (typeof provable)[0],
];

async function startService(fixture: LoopFixture): Promise<void> {
  assert.equal(fixture.run('service', 'start', 'web').code, 0);
  await fixture.until('the service lives', (state) =>
    selectLiveSessions(state).some(
      ({purpose, life}) => purpose.for === 'service' && life.at === 'running',
    ),
  );
}

function getCodes(fixture: LoopFixture): readonly CodeReport[] {
  return (fixture.json('codes') as {readonly codes: readonly CodeReport[]}).codes;
}

function rejectedIn(out: string): {readonly code: string; readonly doubt: DoubtReport} {
  return (
    JSON.parse(out.trim().split('\n').at(-1) ?? '') as {
      readonly refused: {readonly code: string; readonly doubt: DoubtReport};
    }
  ).refused;
}

describe('a person without a terminal, while a service and agents without a sandbox live in the checkout', () => {
  it('approves, types, accepts and tidies up from a script, a job, a login, a runner', async (t) => {
    const fixture = createFixture(t, {project: service});
    await startService(fixture);
    const typing = await fixture.start('cat');
    const approved = await call(fixture, setsid, 'run', 'Make it better', '--approve');
    assert.equal(approved.code, 0, approved.err);
    const sent = await call(fixture, nohup, 'send', typing, 'hello');
    assert.equal(sent.code, 0, sent.err);
    const accepted = await call(fixture, cron, 'accept', 'r1', '--json');
    assert.equal(accepted.code, 0, accepted.err);
    const tidied = await call(fixture, runner, 'gc');
    assert.equal(tidied.code, 0, tidied.err);
    assert.equal((await call(fixture, script, 'run', 'Again')).code, 3);
    const later = await call(fixture, login, 'plan', 'approve', 'r2');
    assert.equal(later.code, 0, later.err);
    // Each of them once more, with what needs a person.
    for (const way of provable) {
      const {code, err} = await call(fixture, way, 'gc', '--json');
      assert.equal(code, 0, `${way.name}: ${err}`);
    }

    assert.deepEqual(fixture.eventsOf('intrusion-refused'), []);
  });
});

describe('who lost everybody that started it, while a service lives in the checkout', () => {
  it('is told what is in doubt, and decides with the one-time code that the person reads, for this command and once', async (t) => {
    const fixture = createFixture(t, {project: service});
    await startService(fixture);
    const asked = await callAsOrphan(fixture, 'run', 'Make it better', '--approve');
    assert.equal(asked.code, 3, 'the plan waits');
    assert.match(
      asked.err,
      /only a person may approve-plan, and orchestra cannot tell that a person asks: pid \d+ \(.+\): its ancestor pid \d+ \(sh\) started after s1, without a sandbox, and is a child of pid \d+, which adopts processes that leave a session/,
    );
    assert.match(asked.err, /--code CODE within 5 minutes/);
    const again = await callAsOrphan(fixture, 'plan', 'approve', 'r1', '--json');
    assert.equal(again.code, 1);
    const {code, doubt} = rejectedIn(again.out);
    assert.deepEqual(
      [code, doubt.reasons[0], doubt.sessions, doubt.hasCode],
      ['in-doubt', 'orphan', ['s1'], true],
    );
    const [shown, ...more] = getCodes(fixture);
    assert.deepEqual([more.length, shown?.what, shown?.asked], [0, 'approve-plan r1', 2]);

    const other = await callAsOrphan(fixture, 'discard', 'r1', '--code', shown!.code);
    assert.match(other.err, /was already used, is too old, or is for another command/);
    const stolen = await callAsOrphan(fixture, 'codes');
    assert.match(stolen.err, /only a person may read one-time codes/);
    const used = await callAsOrphan(
      fixture,
      'plan',
      'approve',
      'r1',
      '--code',
      shown!.code.toLowerCase(),
    );
    assert.equal(used.code, 0, used.err);
    assert.match(
      fixture.eventsOf('command-noted').find(({intent}) => intent === 'approve-plan')?.words ?? '',
      /it had the one-time code that orchestra showed to the person/,
    );
    await fixture.until('the run is ready', (state) => selectRun(state, 'r1')?.summarised === 1);
    const replayed = await callAsOrphan(fixture, 'accept', 'r1', '--code', shown!.code);
    assert.equal(replayed.code, 1);
    assert.equal(fixture.eventsOf('run-accepted').length, 0);
  });

  it('gets nothing by guessing, and nothing once the person has refused', async (t) => {
    const fixture = createFixture(t, {project: service});
    await startService(fixture);
    assert.equal((await callAsOrphan(fixture, 'run', 'Make it better', '--approve')).code, 3);
    const [right] = getCodes(fixture);
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal(
        rejectedIn(
          (await callAsOrphan(fixture, 'plan', 'approve', 'r1', '--json', '--code', '2222-2222'))
            .out,
        ).code,
        'wrong-code',
      );
    assert.deepEqual(getCodes(fixture), []);
    const late = await callAsOrphan(
      fixture,
      'plan',
      'approve',
      'r1',
      '--json',
      '--code',
      right!.code,
    );
    assert.deepEqual(
      [rejectedIn(late.out).code, rejectedIn(late.out).doubt.hasCode],
      ['in-doubt', false],
    );
    await callAsOrphan(fixture, 'discard', 'r1');
    const [discard] = getCodes(fixture);
    const number =
      fixture.eventsOf('intrusion-refused').findIndex(({intent}) => intent === 'discard') + 1;
    fixture.run('needs', '--seen', String(number));
    assert.equal((await callAsOrphan(fixture, 'discard', 'r1', '--code', discard!.code)).code, 1);
    assert.deepEqual(
      [fixture.eventsOf('plan-approved').length, fixture.eventsOf('run-discarded').length],
      [0, 0],
    );
  });
});

describe('no doubt', () => {
  it(
    "is cast by an agent in the sandbox that works in the checkout's worktree",
    needs('bubblewrap'),
    async (t) => {
      const fixture = createFixture(t, {
        project: 'sandbox: required\n',
        acts: {t1: 'until [ -e go ]; do sleep 0.1; done; echo green > t1.txt'},
      });
      const run = fixture.objective('--approve');
      await fixture.until('the agent works', (state) =>
        selectLiveSessions(state).some(
          ({purpose, life}) => purpose.for === 'attempt' && life.at === 'running',
        ),
      );
      const discarded = await callAsOrphan(fixture, 'discard', 'r1');
      assert.equal(discarded.code, 0, discarded.err);
      await run;
      assert.deepEqual(fixture.eventsOf('intrusion-refused'), []);
    },
  );

  it('is cast by services that the person trusted before anything ran; an agent without a sandbox ends that', async (t) => {
    const fixture = createFixture(t, {project: service});
    assert.equal(fixture.run('daemon', 'start', '--trust-services').code, 0);
    await startService(fixture);
    assert.equal(
      (fixture.json('daemon', 'status') as {readonly trust: {readonly services: boolean}}).trust
        .services,
      true,
    );
    const typing = await fixture.start('cat');
    assert.equal((await callAsOrphan(fixture, 'send', typing, 'hello')).code, 0);
    assert.equal((await callAsOrphan(fixture, 'gc')).code, 0);
    assert.equal(
      fixture.run('daemon', 'restart', '--trust-services').code,
      0,
      'the same word, again',
    );
    assert.equal((await callAsOrphan(fixture, 'gc')).code, 0);
    await fixture.objective();
    assert.equal(
      (await callAsOrphan(fixture, 'plan', 'approve', 'r1')).code,
      1,
      'the planner ran without a sandbox',
    );
  });

  it('can be asked away later: what runs could have asked for it', async (t) => {
    const fixture = createFixture(t, {project: service});
    await startService(fixture);
    const {code, err} = fixture.run('daemon', 'restart', '--trust-services');
    assert.deepEqual(
      [code, err.includes('services are not trusted: something already ran without a sandbox')],
      [1, true],
      err,
    );
    assert.equal((await callAsOrphan(fixture, 'gc')).code, 1);
    assert.ok(existsSync(path.join(fixture.current().stateDirectory, 'origins.json')));
    writeFileSync(path.join(fixture.current().stateDirectory, 'origins.json'), 'nonsense');
    fixture.run('daemon', 'restart');
    assert.equal((await callAsOrphan(fixture, 'gc')).code, 1);
  });
});

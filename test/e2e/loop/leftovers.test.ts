import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {isSameProcessKey, readProcess, signalProcess} from '../../../source/system/index.ts';
import type {LeftProcess} from '../../../source/domain/index.ts';
import {eventually} from '../../support/eventually.ts';
import {kernel} from '../../system/support/own-kernel.ts';
import {createFixture, type LoopFixture} from './support/loop-fixture.ts';

function namedIn(fixture: LoopFixture): LeftProcess[] {
  return fixture
    .eventsOf('trouble-met')
    .flatMap(({why}) => (why.kind === 'leftovers' ? why.processes : []));
}

async function isThere({pid, startTime, bootId}: LeftProcess): Promise<boolean> {
  const found = await readProcess(pid, kernel);
  return (
    'value' in found &&
    found.value !== undefined &&
    isSameProcessKey(found.value.identity, {pid, startTime, bootId}) &&
    found.value.state !== 'Z'
  );
}

async function endAll(fixture: LoopFixture): Promise<void> {
  for (const left of namedIn(fixture)) {
    await signalProcess({identity: left}, 'SIGKILL', kernel);
    await eventually('it is gone', async () => !(await isThere(left)));
  }
}

/**
 * The agent goes on once it is there with all links cut: one that has not got so far is ended with
 * its session.
 */
const sleeper =
  "setsid sh -c 'echo up > up; exec sleep 600' > /dev/null 2>&1 < /dev/null &); until [ -e up ]; do sleep 0.02; done; rm up";

const ways = [
  {name: 'with a cleared environment, forked twice', script: `(env -i ${sleeper}`},
  {name: 'with the mark of another session, forked twice', script: `(ORCH_SESSION=told ${sleeper}`},
];

describe('what a task may have left without a sandbox', () => {
  for (const {name, script} of ways) {
    it(`is named before its change is believed, and asked about once: ${name}`, async (t) => {
      const stages: LoopFixture[] = [];
      t.after(() => Promise.all(stages.map(endAll)));
      const fixture = createFixture(t, {acts: {t1: `${script}\necho good > t1.txt`}});
      stages.push(fixture);
      const {code, out} = await fixture.objective('--approve');
      assert.equal(code, 3, out);
      const [left] = namedIn(fixture);
      assert.equal(namedIn(fixture).length, 1);
      assert.match(`${left?.command ?? ''} ${left?.because ?? ''}`, /^sleep 600 works in .*r1-t1$/);
      assert.ok(
        left !== undefined && (await isThere(left)),
        "nothing proves that it is the task's, so it was not ended",
      );
      assert.equal(
        fixture.eventsOf('change-captured').length,
        0,
        'nothing of it was looked at yet',
      );
      const [need] = fixture.needs();
      assert.equal(need?.kind, 'trouble');
      assert.match(
        need.words,
        new RegExp(
          `^Do t1 \\(r1\\.t1\\) is blocked: a process that it may have left still runs: pid ${left.pid} sleep 600 \\(works in `,
        ),
      );
      assert.match(
        fixture.run('needs').out,
        new RegExp(`kill ${left.pid}[\\s\\S]*orchestra resume r1\\.t1`),
      );
      assert.match(
        ((await fixture.ask({about: 'explanation', of: 'r1.t1'})) as {readonly text: string}).text,
        new RegExp(`pid ${left.pid} sleep 600`),
      );
      assert.match(
        fixture.run('timeline', 'r1').out,
        /r1\.t1 is blocked: a process that it may have left still runs/,
      );

      assert.equal(fixture.run('resume', 'r1.t1').code, 0);
      await fixture.until('the task is merged', ({runs}) =>
        JSON.stringify(runs).includes('"merged"'),
      );
      assert.equal(fixture.run('accept', 'r1').code, 0, 'it is not asked about again');
      assert.equal(namedIn(fixture).length, 1);
    });
  }

  it('is not asked about when it was ended, nor when nothing was left', async (t) => {
    const fixture = createFixture(t, {
      acts: {t1: '(setsid sleep 600 > /dev/null 2>&1 < /dev/null &)\necho good > t1.txt'},
    });
    const {code, out} = await fixture.objective('--approve');
    assert.equal(code, 0, out);
    assert.deepEqual(namedIn(fixture), [], "what carries the session's mark was ended");
  });
});

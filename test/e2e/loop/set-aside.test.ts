import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, writeFileSync} from 'node:fs';
import {it} from 'node:test';
import {sessionFiles} from '../../../source/protocol/index.ts';
import {eventually} from '../../support/eventually.ts';
import {createWatch} from './support/invariants.ts';
import {runToEnd} from './support/run-to-end.ts';
import {runWithoutFaults} from './support/run-without-faults.ts';
import {type LoopFixture, openStage} from './support/loop-fixture.ts';

/**
 * t2 is put off by its agent's service, once, and not before it may say so; t1 ends when t2 is at
 * work.
 */
function openPutOff(): LoopFixture {
  return openStage({
    project: 'limits:\n  workers: 2\n  pauseSeconds: 1\n',
    tasks: [{id: 't1'}, {id: 't2'}],
    acts: {
      t1: 'while [ ! -e "$HOME/t2-works" ]; do sleep 0.05; done; echo one > t1.txt',
      t2: `mark="$(git rev-parse --git-dir)/put-off"; touch "$HOME/t2-works"
if [ -e "$mark" ]; then echo two > t2.txt; exit 0; fi
while [ ! -e "$HOME/may-say" ]; do sleep 0.05; done
printf '{"at":"unavailable","words":"later","until":0}' > "$2"; touch "$mark"; exit 1`,
    },
  });
}

function allowToReport({home}: LoopFixture): void {
  writeFileSync(path.join(home, 'may-say'), '');
}

it('an agent that asked for a pause while there was no daemon, before its run was set aside, is begun anew, and whoever looks from outside knows why no pause is written down', async (t) => {
  const usual = await runWithoutFaults(async () => {
    const fixture = openPutOff();
    allowToReport(fixture);
    return Promise.resolve(fixture);
  });
  assert.ok(usual.done.includes('attempt-paused r1.t2 1'));

  const loopFixture = openPutOff();
  t.after(loopFixture.close);
  const watch = createWatch(loopFixture, usual);
  const attemptsOfT2 = (): string[] =>
    loopFixture
      .eventsOf('session-asked')
      .flatMap(({session, purpose}) =>
        purpose.for === 'attempt' && purpose.task === 'r1.t2' ? [session] : [],
      );
  let started = 0;
  const {readyTree} = await runToEnd(loopFixture, {
    // Three times in the same effect, which is t1's.
    failpoints: () => (started < 3 ? 'capture.before=kill9' : 'none=off'),
    born: () => {
      started += 1;
    },
    died: async () => {
      if (started === 0) return;
      if (started === 3) {
        allowToReport(loopFixture);
        const [session = ''] = attemptsOfT2();
        await eventually('the agent of t2 has ended', () =>
          existsSync(path.join(loopFixture.directoryOf(session), sessionFiles.exit)),
        );
      }

      watch.afterKill();
    },
  });
  await watch.atEnd(readyTree);
  assert.deepEqual(watch.broken, []);
  assert.equal(started, 4);
  assert.deepEqual(
    loopFixture.eventsOf('run-parked').map(({why}) => why),
    [{kind: 'crashing', effect: 'r1.t1.a1/capture', times: 3}],
  );
  const [first = '', ...rest] = attemptsOfT2();
  assert.equal(rest.length, 1, 'it is begun anew once');
  assert.match(loopFixture.outcomeOf(first), /"at":"unavailable"/);
  assert.deepEqual(
    loopFixture
      .eventsOf('session-exited')
      .filter(({session}) => session === first)
      .map(({code, signal}) => [code, signal]),
    [[1, null]],
  );
  assert.equal(loopFixture.eventsOf('attempt-paused').length, 0);
  assert.equal(
    loopFixture.eventsOf('attempt-started').filter(({task}) => task === 'r1.t2').length,
    1,
    'no try is spent',
  );
});

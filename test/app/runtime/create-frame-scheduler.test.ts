import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createFrameScheduler} from '../../../source/app/runtime/create-frame-scheduler.ts';
import {createClock} from '../support/clock.ts';

test('a look that showed nothing new keeps nobody waiting; of those that did, a few follow each other at once, then one in 8 ms', () => {
  const clock = createClock();
  const looks: number[] = [];
  let isNew = false;
  const frameScheduler = createFrameScheduler({
    now: clock.now,
    after: clock.after,
    backlog: () => 0,
    draw: () => (looks.push(clock.now()), isNew),
  });
  frameScheduler.atOnce();
  isNew = true;
  for (let ms = 0; ms < 40; ms++) {
    clock.pass(1);
    frameScheduler.atOnce();
  }

  assert.deepEqual(looks, [1000, 1001, 1002, 1003, 1004, 1009, 1017, 1025, 1033]);
  clock.pass(100);
  looks.length = 0;
  frameScheduler.atOnce();
  clock.pass(2);
  frameScheduler.atOnce();
  assert.equal(
    (looks[1] ?? 0) - (looks[0] ?? 0),
    2,
    'after a rest two keys do not wait for each other',
  );
});

test('a clock that was set back does not stop the screen', () => {
  const clock = createClock();
  let at = 1_000_000;
  let looks = 0;
  const frameScheduler = createFrameScheduler({
    now: () => at,
    after: clock.after,
    backlog: () => 0,
    draw: () => (looks++, true),
  });
  for (let key = 0; key < 10; key++) frameScheduler.atOnce();
  at = 5000;
  const before = looks;
  frameScheduler.atOnce();
  assert.equal(looks, before + 1);
});

test('what changes by itself is looked at 30 times a second, new or not', () => {
  const clock = createClock();
  let looks = 0;
  const frameScheduler = createFrameScheduler({
    now: clock.now,
    after: clock.after,
    backlog: () => 0,
    draw: () => (looks++, false),
  });
  for (let ms = 0; ms < 1000; ms++) {
    frameScheduler.soon();
    clock.pass(1);
  }

  assert.ok(looks >= 28 && looks <= 31, `${looks} looks`);
});

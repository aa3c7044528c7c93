import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createPacer} from '../../../source/tui/app/create-pacer.ts';
import {createClock} from '../support/clock.ts';

test('a look that showed nothing new does not keep the echo waiting; one that did is followed by the next after 8 ms', () => {
  const clock = createClock();
  const looks: number[] = [];
  let isNew = false;
  const pacer = createPacer({now: clock.now, after: clock.after, backlog: () => 0, draw: () => (looks.push(clock.now()), isNew)});
  pacer.atOnce();
  clock.pass(1);
  isNew = true;
  pacer.atOnce();
  clock.pass(1);
  pacer.atOnce();
  clock.pass(50);
  assert.deepEqual(looks, [1000, 1001, 1009]);
});

test('what changes by itself is looked at 30 times a second, new or not', () => {
  const clock = createClock();
  let looks = 0;
  const pacer = createPacer({now: clock.now, after: clock.after, backlog: () => 0, draw: () => (looks++, false)});
  for (let ms = 0; ms < 1000; ms++) {
    pacer.soon();
    clock.pass(1);
  }

  assert.ok(looks >= 28 && looks <= 31, `${looks} looks`);
});

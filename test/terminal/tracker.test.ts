import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createScreen, createTracker} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {hostileBytes} from './hostile.ts';
import {streams} from './streams.ts';

test('a tracker knows of modes, title, statuses and bells what a screen knows', () => {
  for (let seed = 0; seed < 500; seed++) {
    const bytes = hostileBytes(createRandom(`tracked ${seed}`), 40);
    const tracker = createTracker();
    const screen = createScreen({columns: 20, rows: 5});
    tracker.write(bytes);
    screen.write(bytes);
    const {modes, title, statuses, bells} = tracker.state();
    assert.deepEqual({modes, title, statuses, bells}, {modes: screen.modes, title: screen.title, statuses: screen.statuses, bells: screen.bells});
    screen.close();
  }
});

test('read on from any mark, a stream says the same', () => {
  for (let seed = 0; seed < 500; seed++) {
    const random = createRandom(`marks ${seed}`);
    const bytes = hostileBytes(random, 40);
    const whole = createTracker();
    whole.write(bytes);
    const first = createTracker();
    first.write(bytes.subarray(0, random.below(bytes.length)));
    const mark = JSON.parse(JSON.stringify(first.mark())) as ReturnType<typeof first.mark>;
    const second = createTracker({from: mark});
    second.write(bytes.subarray(mark.offset));
    assert.deepEqual(second.mark(), whole.mark(), `seed ${seed}, from ${mark.offset}`);
  }
});

test('a mark stands before whatever is cut off', () => {
  const tracker = createTracker();
  for (const [text, offset] of [['abc', 3], ['\u001B', 3], ['[3', 3], ['1m', 8], ['\u001B]0;日', 8], ['\u0007', 16]] as const) {
    tracker.write(Buffer.from(text));
    assert.equal(tracker.mark().offset, offset);
  }

  tracker.write(Uint8Array.of(0xe6, 0x97));
  assert.equal(tracker.mark().offset, 16);
});

test('inside a string that is too long, a mark says so', () => {
  const tracker = createTracker();
  tracker.write(Buffer.from(`\u001B]52;c;${'x'.repeat(10_000)}`));
  const mark = tracker.mark();
  assert.equal(mark.state.inside, ']');
  const drawn: string[] = [];
  const second = createTracker({from: mark, target: {draw: (text) => drawn.push(text)}});
  second.write(Buffer.from('xxx\u0007after'));
  assert.deepEqual(drawn, ['after']);
});

test('marks are a bounded number, some way apart, and in order', () => {
  const tracker = createTracker();
  const bytes = streams['seq']!({columns: 80, rows: 24}, 1_000_000);
  for (let round = 0; round < 20; round++) {
    for (let at = 0; at < bytes.length; at += 50_000) tracker.write(bytes.subarray(at, at + 50_000));
  }

  const offsets = tracker.marks().map(({offset}) => offset);
  assert.ok(offsets.length > 32 && offsets.length <= 64);
  assert.ok(offsets.every((offset, index) => index === 0 || offset - offsets[index - 1]! >= 256 * 1024));
  assert.ok(tracker.mark().offset - offsets.at(-1)! < 512 * 1024);
});

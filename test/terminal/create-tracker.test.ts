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
    assert.deepEqual(
      {modes, title, statuses, bells},
      {modes: screen.modes, title: screen.title, statuses: screen.statuses, bells: screen.bells},
    );
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
  for (const [text, offset] of [
    ['abc', 3],
    ['\u001B', 3],
    ['[3', 3],
    ['1m', 8],
    ['\u001B]0;日', 8],
    ['\u0007', 16],
  ] as const) {
    tracker.write(Buffer.from(text));
    assert.equal(tracker.mark().offset, offset);
  }

  tracker.write(Uint8Array.of(0xe6, 0x97));
  assert.equal(tracker.mark().offset, 16);
});

test('a string that is no text is read past, so that a mark can be counted in bytes', () => {
  const tracker = createTracker();
  tracker.write(Uint8Array.of(0x1b, 0x5d, 0x30, 0x3b, 0xff, 0x41));
  assert.equal(tracker.mark().offset, 6);
  assert.equal(tracker.mark().state.inside, ']');
});

test('the style that a stream draws in is known, across saving and restoring and the alternate screen', () => {
  const cases: readonly [text: string, style: string][] = [
    ['\u001B[1m\u001B[31m', '\u001B[1m\u001B[31m'],
    ['\u001B[1m\u001B[0;4m', '\u001B[0;4m'],
    ['\u001B[1m\u001B[m', ''],
    ['\u001B[31m\u001B7\u001B[0m\u001B8', '\u001B[31m'],
    ['\u001B[31m\u001B[s\u001B[0m\u001B[u', '\u001B[31m'],
    ['\u001B[31m\u001B[?1048h\u001B[0m\u001B[?1048l', '\u001B[31m'],
    ['\u001B[31m\u001B[?1049h\u001B[0m\u001B[32m\u001B7\u001B[?1049l', '\u001B[31m'],
    ['\u001B[31m\u001B[!p', ''],
    ['\u001B[31m\u001Bc', ''],
  ];
  for (const [text, style] of cases) {
    const tracker = createTracker();
    tracker.write(Buffer.from(text));
    assert.equal(tracker.state().style, style, JSON.stringify(text));
  }

  const endless = createTracker();
  endless.write(Buffer.from('\u001B[31m\u001B[39m'.repeat(1000)));
  assert.match(endless.state().style, /^(?:\u001B\[3[19]m){10,}$/);
});

test('scroll regions are known, each screen has its own, and a change of size makes them whole', () => {
  const tracker = createTracker();
  tracker.write(Buffer.from('\u001B[2;5r\u001B[?1049h\u001B[3;4r'));
  assert.deepEqual(
    [tracker.state().normal.region, tracker.state().alternate.region],
    ['2;5', '3;4'],
  );
  tracker.write(Buffer.from('\u001B[?1049l\u001B[?1049h'));
  assert.deepEqual([tracker.state().normal.region, tracker.state().alternate.region], ['2;5', '']);
  tracker.resized();
  assert.equal(tracker.state().normal.region, '');
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
    for (let at = 0; at < bytes.length; at += 50_000)
      tracker.write(bytes.subarray(at, at + 50_000));
  }

  const offsets = tracker.marks().map(({offset}) => offset);
  assert.ok(offsets.length > 32 && offsets.length <= 64);
  assert.ok(
    offsets.every((offset, index) => index === 0 || offset - offsets[index - 1]! >= 256 * 1024),
  );
  assert.ok(tracker.mark().offset - offsets.at(-1)! < 512 * 1024);
});

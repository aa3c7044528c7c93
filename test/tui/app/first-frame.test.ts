import assert from 'node:assert/strict';
import {test} from 'node:test';
import {releaseSequence, takeSequence} from '../../../source/tui/index.ts';
import {cellsOfText} from '../../../source/terminal/index.ts';
import {frameText} from '../../../source/tui/render/frame-text.ts';
import {isFrameText} from '../../../source/tui/render/is-frame-text.ts';
import type {KeptFrame, OpenPane} from '../../../source/tui/seam.ts';
import {assertOnlyAllowed} from '../../terminal/recogniser.ts';
import {startSmallApp} from '../support/small-app.ts';
import {settle} from '../support/sources.ts';

const size = {columns: 80, rows: 24};
const painted: KeptFrame = {...size, text: frameText(cellsOfText('yesterday', size), 'full')};

test('what was painted before stays until the state and the panes are there, and is written over then, not cleared', async () => {
  const opening = Promise.withResolvers<undefined>();
  const openPane: OpenPane = async () => {
    await opening.promise;
    return {
      snapshot: new TextEncoder().encode('today'),
      write: () => undefined,
      resize: () => undefined,
      close: () => undefined,
    };
  };

  const {device, clock, finished} = await startSmallApp({
    options: {openPane, frames: {painted, keep: () => undefined}},
  });
  device.screen().write(new TextEncoder().encode(`${takeSequence}${painted.text}`));
  clock.pass(500);
  await settle();
  assert.deepEqual(device.written, []);
  opening.resolve(undefined);
  await settle();
  clock.pass(100);
  const text = device.screen().text();
  assert.equal(text[0], 'pressed 0');
  assert.match(text[2] ?? '', /today/);
  assert.doesNotMatch(text.join('\n'), /yesterday|as you left it/);
  assert.doesNotMatch(device.written.join(''), /\u001B\[2J|\u001B\[\?1049h/);
  device.signal('SIGTERM');
  await finished;
  assert.ok(device.written.join('').endsWith(releaseSequence));
});

test('a key or another size ends it at once, and nothing outlasts two seconds of it', async () => {
  const never: OpenPane = () => new Promise(() => undefined);
  for (const act of ['key', 'size', 'time'] as const) {
    const {device, clock, finished} = await startSmallApp({
      options: {openPane: never, frames: {painted, keep: () => undefined}},
    });
    assert.deepEqual(device.written, [], act);
    if (act === 'key') device.press('x');
    if (act === 'size') device.resize({columns: 90, rows: 30});
    clock.pass(act === 'time' ? 3000 : 100);
    assert.notDeepEqual(device.written, [], act);
    device.signal('SIGTERM');
    await finished;
  }
});

test('the frame is kept a second after it changed, then seldom, and when the app is left; the same is not kept twice', async () => {
  const kept: KeptFrame[] = [];
  const {device, clock, finished} = await startSmallApp({
    options: {frames: {keep: (frame) => kept.push(frame)}},
  });
  assert.equal(kept.length, 0);
  clock.pass(1000);
  assert.equal(kept.length, 1);
  for (let second = 0; second < 9; second++) {
    device.press('x');
    clock.pass(1000);
  }

  assert.equal(kept.length, 1);
  clock.pass(2000);
  assert.equal(kept.length, 2);
  clock.pass(60_000);
  device.signal('SIGTERM');
  await finished;
  assert.equal(kept.length, 2);
  assert.match(kept[1]?.text ?? '', /pressed 9/);
  assert.match(kept[1]?.text ?? '', /as you left it/);
});

test('a kept frame does nothing but draw, and what does more is not painted', () => {
  assertOnlyAllowed(new TextEncoder().encode(painted.text), 'a kept frame');
  assert.equal(isFrameText(painted.text), true);
  for (const hostile of [
    '\u001B]52;c;eA==\u0007',
    '\u001B[5n',
    '\u001B[?1049l',
    '\u001BP+q\u001B\\',
    '\r\n',
    '\u009B5n',
    '\u001B[1;2r',
  ])
    assert.equal(isFrameText(`${painted.text}${hostile}`), false, JSON.stringify(hostile));
});

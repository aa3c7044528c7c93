import assert from 'node:assert/strict';
import {test} from 'node:test';
import {enterSequence, leaveSequence} from '../../../source/app/index.ts';
import {cellsOfText} from '../../../source/terminal/index.ts';
import {formatFrame} from '../../../source/app/runtime/persist.ts';
import {isFrameText} from '../../../source/app/runtime/create-terminal-session.ts';
import type {CachedFrame, OpenPane} from '../../../source/app/app-contract.ts';
import {assertOnlyAllowed} from '../../terminal/recogniser.ts';
import {startSmallApp} from '../support/small-app.tsx';
import {settle} from '../support/sources.ts';

const size = {columns: 80, rows: 24};
const painted: CachedFrame = {...size, text: formatFrame(cellsOfText('yesterday', size), 'full')};

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
    options: {openPane, frames: {painted, save: () => undefined}},
  });
  device.screen().write(new TextEncoder().encode(`${enterSequence}${painted.text}`));
  clock.pass(500);
  await settle();
  assert.deepEqual(device.written, []);
  opening.resolve(undefined);
  await settle();
  clock.pass(100);
  await settle();
  const text = device.screen().text();
  assert.equal(text[0], 'pressed 0');
  assert.match(text[2] ?? '', /today/);
  assert.doesNotMatch(text.join('\n'), /yesterday|as you left it/);
  assert.doesNotMatch(device.written.join(''), /\u001B\[2J|\u001B\[\?1049h/);
  device.signal('SIGTERM');
  await finished;
  assert.ok(device.written.join('').endsWith(leaveSequence));
});

test('behind what was painted before, nothing is rendered until the state is there', async () => {
  const {device, clock, renders, finished} = await startSmallApp({
    app: {asksColours: () => true},
    options: {
      connect: () => new Promise(() => undefined),
      frames: {painted, save: () => undefined},
    },
  });
  device.press('\u001B]11;rgb:10/20/30\u001B\\\u001B[?62;22c');
  clock.pass(1000);
  await settle();
  assert.equal(renders(), 0);
  clock.pass(2000);
  await settle();
  assert.notEqual(renders(), 0);
  device.signal('SIGTERM');
  await finished;
});

test('a key or another size ends it at once, and nothing outlasts two seconds of it', async () => {
  const never: OpenPane = () => new Promise(() => undefined);
  for (const act of ['key', 'size', 'time'] as const) {
    const {device, clock, finished} = await startSmallApp({
      options: {openPane: never, frames: {painted, save: () => undefined}},
    });
    assert.deepEqual(device.written, [], act);
    if (act === 'key') device.press('x');
    if (act === 'size') device.resize({columns: 90, rows: 30});
    clock.pass(act === 'time' ? 3000 : 100);
    await settle();
    assert.notDeepEqual(device.written, [], act);
    device.signal('SIGTERM');
    await finished;
  }
});

test('the frame is kept a second after it changed, then seldom, and when the app is left; the same is not kept twice', async () => {
  const retained: CachedFrame[] = [];
  const {device, clock, finished} = await startSmallApp({
    options: {frames: {save: (frame) => retained.push(frame)}},
  });
  assert.equal(retained.length, 0);
  clock.pass(1000);
  assert.equal(retained.length, 1);
  for (let second = 0; second < 9; second++) {
    device.press('x');
    await settle();
    clock.pass(1000);
  }

  assert.equal(retained.length, 1);
  clock.pass(2000);
  assert.equal(retained.length, 2);
  clock.pass(60_000);
  device.signal('SIGTERM');
  await finished;
  assert.equal(retained.length, 2);
  assert.match(retained[1]?.text ?? '', /pressed 9/);
  assert.match(retained[1]?.text ?? '', /as you left it/);
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

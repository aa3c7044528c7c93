import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState} from '../../../source/domain/index.ts';
import {corpus} from '../../terminal/corpus.ts';
import {assertOnlyAllowed} from '../../terminal/recogniser.ts';
import {settle} from '../support/sources.ts';
import {startSmallApp} from '../support/small-app.tsx';

test('chrome and panes are one frame', async () => {
  const {device, finished} = await startSmallApp({
    size: {columns: 60, rows: 15},
    snapshots: {s1: 'one\r\n日本語日本語日本語日本語', s2: 'two'},
  });
  assert.deepEqual(
    device
      .screen()
      .text()
      .filter((line) => line !== ''),
    [
      'pressed 0',
      // 40 columns for two panes and the gap between them: Yoga gives 20 and 19.
      `${' '.repeat(20)}one${' '.repeat(18)}two`,
      `${' '.repeat(20)}日本語日本語日本語日`,
      `${' '.repeat(20)}本語`,
      'last: pane-changed',
    ],
  );
  device.signal('SIGTERM');
  await finished;
});

test('what a pane draws never asks for the chrome', async () => {
  const {device, clock, sources, renders, finished} = await startSmallApp();
  const before = renders();
  for (let step = 0; step < 50; step++) {
    sources.print('s1', `line ${step}\r\n`);
    await settle();
    clock.pass(40);
  }

  assert.equal(
    device
      .screen()
      .text()
      .some((line) => line.includes('line 49')),
    true,
  );
  assert.equal(renders(), before);
  device.signal('SIGTERM');
  await finished;
});

test('when nothing happens, nothing is written and nothing is waited for', async () => {
  const {device, clock, sources, finished} = await startSmallApp({snapshots: {s1: 'quiet'}});
  clock.pass(5000);
  await settle();
  device.written.length = 0;
  assert.equal(clock.waiting(), 0);
  clock.pass(60_000);
  // Drawn anew, but the same.
  sources.print('s1', '\r\u001B[Kquiet');
  await settle();
  clock.pass(1000);
  assert.deepEqual(device.written, []);
  device.signal('SIGTERM');
  await finished;
});

test('panes that flood are drawn at most 30 times a second', async () => {
  const {device, clock, sources, finished} = await startSmallApp();
  clock.pass(1000);
  device.written.length = 0;
  for (let step = 0; step < 1000; step++) {
    sources.print(step % 2 === 0 ? 's1' : 's2', `${step}\r\n`);
    await new Promise((resolve) => setImmediate(resolve));
    clock.pass(1);
  }

  assert.ok(
    device.written.length <= 31 && device.written.length >= 25,
    `${device.written.length} frames`,
  );
  device.signal('SIGTERM');
  await finished;
});

test('a key is answered at once, also beside a flood, and so is its echo', async () => {
  const {device, clock, sources, finished} = await startSmallApp();
  device.press('i');
  clock.pass(50);
  sources.print('s2', 'flood');
  await settle();
  clock.pass(40);
  device.written.length = 0;
  clock.pass(10);
  device.press('x');
  sources.print('s1', 'x');
  clock.pass(8);
  assert.deepEqual(sources.typed('s1'), ['x']);
  assert.equal(
    device.written.some((text) => text.includes('x')),
    true,
  );
  device.signal('SIGTERM');
  await finished;
});

test('in typing every byte goes raw to the pane in its order, and Ctrl-] leaves', async () => {
  const {device, clock, sources, events, finished} = await startSmallApp();
  device.press('i');
  device.press('q\u001B[A\u0003\u0011\u001Bx');
  device.press('\u001B[200~a\rb\u001B[201~');
  device.press('y\u001Dz');
  clock.pass(10);
  await settle();
  assert.equal(sources.typed('s1').join(''), 'q\u001B[A\u0003\u0011\u001Bxa\rby');
  assert.equal(
    events.some(({type}) => type === 'typing-left'),
    true,
  );
  assert.match(device.screen().text().join('\n'), /pressed 2[^]*last: z/);
  device.signal('SIGTERM');
  await finished;
});

test('the cursor is shown only in the pane that is typed into, where its program has it', async () => {
  const {device, clock, sources, finished} = await startSmallApp({
    snapshots: {s1: 'ab\r\ncd', s2: 'elsewhere'},
  });
  assert.equal(device.screen().modes.cursorVisible, false);
  device.press('i');
  await settle();
  assert.deepEqual(
    [
      device.screen().modes.cursorVisible,
      device.screen().cursor.row,
      device.screen().cursor.column,
    ],
    [true, 3, 22],
  );
  sources.print('s1', '\u001B[?25l');
  await settle();
  clock.pass(50);
  assert.equal(device.screen().modes.cursorVisible, false);
  sources.print('s1', '\u001B[?25h\u001B[5 q');
  await settle();
  clock.pass(50);
  assert.deepEqual(
    [device.screen().modes.cursorVisible, device.screen().modes.cursorShape],
    [true, 5],
  );
  device.press('\u001D');
  await settle();
  assert.equal(device.screen().modes.cursorVisible, false);
  device.signal('SIGTERM');
  await finished;
});

test('the terminal sends keys and the pointer as the program that is typed into wants them, and as before after it', async () => {
  const {device, clock, sources, finished} = await startSmallApp({mouse: true});
  assert.equal(device.screen().modes.mouseTracking, 'click');
  sources.print('s1', '\u001B[?1003h\u001B[?1h\u001B=');
  await settle();
  device.press('i');
  clock.pass(50);
  const {mouseTracking, applicationCursorKeys, applicationKeypad} = device.screen().modes;
  assert.deepEqual(
    [mouseTracking, applicationCursorKeys, applicationKeypad],
    ['motion', true, true],
  );
  device.press('\u001D');
  clock.pass(50);
  assert.deepEqual(
    [device.screen().modes.mouseTracking, device.screen().modes.applicationCursorKeys],
    ['click', false],
  );
  device.signal('SIGTERM');
  await finished;
});

test('a click tells the app which pane it is on', async () => {
  const {device, events, finished} = await startSmallApp({mouse: true});
  device.press('\u001B[<0;23;5M');
  assert.deepEqual(
    events.flatMap((event) => (event.type === 'mouse-used' ? [event.pane] : [])),
    [{session: 's1', row: 2, column: 2}],
  );
  device.signal('SIGTERM');
  await finished;
});

test('what is over the panes hides them, and they come back', async () => {
  const {device, clock, finished} = await startSmallApp({
    snapshots: {s1: 'a\r\nb\r\nc\r\nunder it'},
  });
  device.press('p');
  await settle();
  assert.equal(device.screen().text()[5], '                  : palette');
  device.press('p');
  clock.pass(10);
  await settle();
  assert.match(device.screen().text()[5] ?? '', /under it/);
  device.signal('SIGTERM');
  await finished;
});

test('the clipboard is written for a key of the person, never for what happened', async () => {
  const {device, sources, events, finished} = await startSmallApp({
    keys: {y: [{type: 'copy', text: 'yes'}]},
    on: (event) => (event.type === 'pane-ended' ? [{type: 'copy', text: 'no'}] : []),
  });
  sources.end('s2', 'gone');
  assert.equal(
    device.written.some((text) => text.includes(']52;')),
    false,
  );
  device.press('y');
  assert.equal(device.written.includes('\u001B]52;c;eWVz\u0007'), true);
  assert.deepEqual(
    events.filter(({type}) => type === 'copied'),
    [{type: 'copied', text: 'yes'}],
  );
  device.signal('SIGTERM');
  await finished;
});

test('wishes and questions go to the daemon, and what comes of them happens to the app', async () => {
  const {device, daemon, events, finished} = await startSmallApp({
    keys: {a: [{type: 'ask', name: 'facts', question: {about: 'facts'}}]},
  });
  device.press('aw');
  await settle();
  assert.deepEqual(daemon.asked, [
    {about: 'facts'},
    {about: 'wish', wish: {type: 'note', on: 'r1', text: 'x'}},
  ]);
  assert.deepEqual(
    events.filter(({type}) => type === 'answered' || type === 'wish-granted'),
    [
      {type: 'answered', name: 'facts', value: 'granted'},
      {type: 'wish-granted', wish: {type: 'note', on: 'r1', text: 'x'}, answer: 'granted'},
    ],
  );
  device.signal('SIGTERM');
  await finished;
});

test('a lost daemon is said, connected to again, later each time that it fails, and asked nothing meanwhile', async () => {
  const {device, clock, daemon, events, finished} = await startSmallApp();
  daemon.refuse('the daemon speaks protocol 2; restart it');
  daemon.lose();
  await settle();
  device.press('w');
  await settle();
  for (let step = 0; step < 40; step++) {
    clock.pass(500);
    await settle();
  }

  const missing = events.filter(({type}) => type === 'disconnected');
  assert.deepEqual(
    [missing[0], missing[1]],
    [
      {type: 'disconnected', text: 'the connection to the daemon ended'},
      {type: 'disconnected', text: 'the daemon speaks protocol 2; restart it'},
    ],
  );
  assert.ok(missing.length >= 7 && missing.length <= 12, `${missing.length} tries in 20 s`);
  assert.equal(
    events.some(({type}) => type === 'wish-refused'),
    true,
  );
  daemon.refuse(undefined);
  clock.pass(5000);
  await settle();
  assert.deepEqual(
    [events.filter(({type}) => type === 'connected').length, daemon.connections()],
    [2, 2],
  );
  daemon.notify({type: 'x'} as never, {...emptyState, seq: 1});
  assert.equal(events.at(-1)?.type, 'event-heard');
  device.signal('SIGTERM');
  await finished;
});

test('time passes for the chrome only when it says so', async () => {
  const {device, clock, events, finished} = await startSmallApp({
    app: {nextChange: ({model}) => (model.ticks < 3 ? 1000 : undefined)},
  });
  for (let step = 0; step < 10; step++) clock.pass(1100);
  assert.equal(events.filter(({type}) => type === 'time-passed').length, 3);
  device.signal('SIGTERM');
  await finished;
});

test('where the person is, is kept a second after it changed, and when the app is left', async () => {
  const {device, clock, remembered, finished} = await startSmallApp();
  device.press('aa');
  clock.pass(1100);
  device.press('a');
  device.signal('SIGHUP');
  await finished;
  assert.deepEqual(
    remembered.filter((value) => (value as {presses: number}).presses > 0),
    [{presses: 2}, {presses: 3}],
  );
});

test('a terminal that is behind gets the latest frame when it has caught up, and none in between', async () => {
  const {device, clock, finished} = await startSmallApp();
  clock.pass(100);
  device.lag(1_000_000);
  device.written.length = 0;
  for (let step = 0; step < 10; step++) {
    device.press('a');
    clock.pass(50);
    await settle();
  }

  assert.deepEqual(device.written, []);
  device.lag(0);
  clock.pass(50);
  await settle();
  assert.equal(device.written.length, 1);
  assert.equal(device.screen().text()[0], 'pressed 10');
  device.signal('SIGTERM');
  await finished;
});

test('nothing that a pane says reaches the terminal but as cells', async () => {
  const {device, clock, sources, finished} = await startSmallApp();
  device.written.length = 0;
  for (const {bytes} of corpus) {
    sources.print('s1', new TextDecoder().decode(bytes));
    await settle();
    clock.pass(40);
  }

  const written = device.written.join('');
  assertOnlyAllowed(new TextEncoder().encode(written), 'a pane');
  assert.doesNotMatch(written, /\u001B\]|\u001BP/);
  device.signal('SIGTERM');
  await finished;
});

test('the daemon is told now and then that the person is here, by what they do and by nothing else', async () => {
  const {device, clock, daemon, sources, finished} = await startSmallApp();
  const notified = (): number =>
    daemon.asked.filter((question) => JSON.stringify(question) === '{"about":"seen"}').length;
  device.press('a');
  assert.equal(notified(), 0, 'that they came was told by the first question');
  for (let minute = 1; minute <= 3; minute++) {
    clock.pass(60_000);
    sources.print('s1', 'output');
    device.press('\u001B[I');
    await settle();
    assert.equal(
      notified(),
      minute - 1,
      'a window that comes to the front and a program that prints are nobody',
    );
    device.press('a');
    device.press('b');
    assert.equal(notified(), minute);
  }

  device.signal('SIGTERM');
  await finished;
});

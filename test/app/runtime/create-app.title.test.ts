import assert from 'node:assert/strict';
import {test} from 'node:test';
import {settle} from '../support/sources.ts';
import {startSmallApp} from '../support/small-app.tsx';

const [saved, restored] = ['\u001B[22;2t', '\u001B[23;2t'];

function count(written: readonly string[], sequence: string): number {
  return written.join('').split(sequence).length - 1;
}

test('the title of the window is set when it changes, and brought back on leaving', async () => {
  const simulator = await startSmallApp({
    keys: {q: [{type: 'quit'}]},
    app: {title: ({presses}) => (presses < 2 ? 'one' : 'evil\u0007\u001B[2J')},
  });
  const {device, clock} = simulator;
  const press = async (key: string): Promise<void> => {
    device.press(key);
    clock.pass(50);
    await settle();
  };
  assert.deepEqual([count(device.written, saved), count(device.written, '\u001B]2;one')], [1, 1]);
  await press('x');
  assert.equal(count(device.written, '\u001B]2;'), 1);
  await press('x');
  assert.equal(count(device.written, '\u001B]2;'), 2);
  const sent = device.written.join('').split('\u001B]2;').at(-1) ?? '';
  assert.doesNotMatch(sent.split('\u001B\\', 1)[0] ?? '', /[\u0007\u001B]/);
  assert.equal(count(device.written, restored), 0);
  device.press('q');
  assert.equal(await simulator.finished, 0);
  assert.deepEqual([count(device.written, saved), count(device.written, restored)], [1, 1]);
});

test('without a title nothing of the window is touched', async () => {
  const simulator = await startSmallApp({keys: {q: [{type: 'quit'}]}});
  simulator.device.press('q');
  await simulator.finished;
  assert.doesNotMatch(simulator.device.written.join(''), /\u001B\]2;|\u001B\[2[23];2t/);
});

test('a program that gets the terminal finds the title of before, and the app sets its own again', async () => {
  const simulator = await startSmallApp({
    keys: {a: [{type: 'hand-over', session: 's1'}], q: [{type: 'quit'}]},
    app: {title: () => 'one'},
  });
  const {device, clock} = simulator;
  device.press('a');
  await settle();
  clock.pass(50);
  await settle();
  device.press('q');
  await simulator.finished;
  assert.deepEqual(
    [saved, '\u001B]2;one', restored].map((sequence) => count(device.written, sequence)),
    [2, 2, 2],
  );
});

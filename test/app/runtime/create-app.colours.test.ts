import assert from 'node:assert/strict';
import {test} from 'node:test';
import {coloursQuery} from '../../../source/app/theme/terminal-colours.ts';
import type {UiEvent} from '../../../source/app/app-contract.ts';
import {startSmallApp} from '../support/small-app.tsx';
import {settle} from '../support/sources.ts';

const attributes = '\u001B[?62;22c';
const background = (hex: string): string => `\u001B]11;rgb:${hex}\u001B\\`;

const reported = (events: readonly UiEvent[]): unknown[] =>
  events.flatMap((event) => (event.type === 'terminal-colours' ? [event.colours] : []));
const countQueries = (written: readonly string[]): number =>
  written.join('').split(coloursQuery).length - 1;

test('the terminal is asked once, and what it said before DA1 counts', async () => {
  const {device, clock, events, finished} = await startSmallApp({
    app: {asksColours: () => true},
  });
  assert.equal(countQueries(device.written), 1);
  assert.deepEqual(reported(events), []);
  device.press(background('10/20/30'));
  device.press('\u001B]4;1;rgb:ff/00/');
  clock.pass(500);
  device.press(`00\u0007${attributes}${background('ff/ff/ff')}`);
  device.press('x');
  clock.pass(100);
  await settle();
  assert.deepEqual(reported(events), [{background: '#102030', palette: {1: '#ff0000'}}]);
  assert.match(device.screen().text().join('\n'), /pressed 1[^]*last: x/);
  assert.equal(countQueries(device.written), 1);
  device.signal('SIGTERM');
  await finished;
  assert.match(device.written.join(''), /\u001B\[\?2031h[^]*\u001B\[\?2031l[^]*\u001B\[\?1049l/);
});

test('a terminal that knows nothing of colours is asked all the same, and nothing waits for it', async () => {
  const {device, clock, events, finished} = await startSmallApp({
    app: {asksColours: () => true},
  });
  device.press(attributes);
  clock.pass(100);
  assert.deepEqual(reported(events), [{palette: {}}]);
  clock.pass(5000);
  assert.equal(clock.waiting(), 0);
  device.signal('SIGTERM');
  await finished;
});

test('it is asked again when the system goes dark or light', async () => {
  const {device, clock, events, finished} = await startSmallApp({
    app: {asksColours: () => true},
  });
  device.press(`${background('ff/ff/ff')}${attributes}`);
  device.press('\u001B[?997;1n');
  assert.equal(countQueries(device.written), 2);
  device.press(`${background('00/00/00')}${attributes}`);
  clock.pass(100);
  assert.deepEqual(reported(events), [
    {background: '#ffffff', palette: {}},
    {background: '#000000', palette: {}},
  ]);
  device.signal('SIGTERM');
  await finished;
});

test('it is not asked where no colours are wanted, and replies are still no keys', async () => {
  const {device, clock, events, finished} = await startSmallApp({});
  assert.equal(countQueries(device.written), 0);
  device.press(`${background('00/00/00')}${attributes}`);
  clock.pass(100);
  assert.deepEqual(reported(events), []);
  assert.match(device.screen().text().join('\n'), /pressed 0/);
  device.signal('SIGTERM');
  await finished;
  assert.doesNotMatch(device.written.join(''), /2031/);
});

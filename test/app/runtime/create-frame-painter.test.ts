import assert from 'node:assert/strict';
import {test} from 'node:test';
import {busy, planned} from '../screens/fixtures.ts';
import {settle} from '../support/sources.ts';
import {startWholeApp, type WholeApp} from '../support/whole-app.tsx';

const start = async (): Promise<WholeApp> => {
  const {state, time} = busy();
  const app = await startWholeApp(state, time);
  await app.press('w');
  // Notices are gone.
  app.clock.pass(60_000);
  await settle();
  app.clock.pass(100);
  await settle();
  return app;
};

test('output of panes is drawn without a commit of React', async () => {
  const {device, clock, sources, commits, close} = await start();
  const [shown] = sources.open();
  assert.ok(shown !== undefined);
  const before = commits();
  assert.ok(before > 0);
  for (let step = 0; step < 50; step++) {
    for (const session of sources.open()) sources.print(session, `line ${step}\r\n`);
    await settle();
    clock.pass(40);
  }

  assert.match(device.screen().text().join('\n'), /line 49/);
  assert.equal(commits() - before, 0);
  await close();
});

test('nothing is written when nothing changed: by time, by a pane, by a key that moves nothing', async () => {
  const {device, clock, sources, commits, press, close} = await start();
  await press('\u001B[H');
  for (const session of sources.open()) sources.print(session, '\r\u001B[Kquiet');
  await settle();
  clock.pass(100);
  // The next step of the clock is ten seconds away.
  clock.pass(10_000 - (clock.now() % 10_000));
  await settle();
  clock.pass(100);
  await settle();
  device.written.length = 0;
  const before = commits();
  clock.pass(5000);
  for (const session of sources.open()) sources.print(session, '\r\u001B[Kquiet');
  await settle();
  clock.pass(1000);
  await press('\u001B[H');
  assert.deepEqual([device.written, commits() - before], [[], 0]);
  await close();
});

test('a key that scrolls a list is answered by one frame, with what shows how far it is', async () => {
  const {state, time} = planned();
  const {device, clock, press, close} = await startWholeApp(state, time, {columns: 80, rows: 24});
  await press('p');
  const below = (): number =>
    Number(/(\d+) lines? below/.exec(device.screen().text().join('\n'))?.[1] ?? 0);
  const seen: number[] = [];
  for (let key = 0; key < 8; key++) {
    clock.pass(200);
    await settle();
    device.written.length = 0;
    device.press('\u001B[B');
    await settle();
    seen.push(below());
    const {length: frames} = device.written;
    assert.ok(frames <= 1, `${frames} frames`);
    // A frame that was asked for "soon" would come by then.
    clock.pass(100);
    await settle();
    assert.equal(device.written.length - frames, 0);
  }

  assert.ok(new Set(seen).size > 1, seen.join(' '));
  await close();
});

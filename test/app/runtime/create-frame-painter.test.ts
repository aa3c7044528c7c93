import assert from 'node:assert/strict';
import {test} from 'node:test';
import {busy} from '../screens/fixtures.ts';
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

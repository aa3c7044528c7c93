import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createScreen} from '../../../source/terminal/index.ts';
import {runApp} from '../../../source/app/runtime/run-app.tsx';
import {eventually} from '../../support/eventually.ts';
import {createClock} from '../support/clock.ts';
import {createDevice} from '../support/device.ts';
import {createDaemon} from '../support/small-app.tsx';
import {createSources} from '../support/sources.ts';

test('the whole app opens on an empty repository, and gives the terminal back when it is told to end', async () => {
  const device = createDevice({columns: 80, rows: 24});
  const clock = createClock();
  const sources = createSources();
  const code = runApp({
    connect: createDaemon().connect,
    openPane: sources.openPane,
    terminal: device.terminal,
    handOver: () => Promise.resolve(),
    edit: (text) => Promise.resolve(text),
    env: {TERM: 'xterm-256color'},
    now: clock.now,
    after: clock.after,
    uiState: {read: () => undefined, write: () => undefined},
    onSignal: device.onSignal,
    repository: {
      name: 'sample',
      rules: {exists: true, problems: 0, rules: 3, enforced: 0, checks: []},
      agents: ['playbook'],
      shell: {program: '/bin/sh', directory: '/'},
    },
  });
  await eventually('the name of the repository', () => {
    clock.pass(50);
    return device
      .screen()
      .text()
      .some((line) => line.includes('sample'));
  });
  device.signal('SIGTERM');
  assert.equal(await code, 143);
  assert.deepEqual(
    [device.screen().modes, device.isRaw(), device.listeners(), clock.waiting()],
    [createScreen({columns: 10, rows: 2}).modes, false, 0, 0],
  );
});

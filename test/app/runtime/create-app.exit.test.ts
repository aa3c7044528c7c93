import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Text, Transform} from 'ink';
import {createElement, type ReactElement, useEffect} from 'react';
import type {View} from '../../../source/app/app-contract.ts';
import {useStore} from '../../../source/app/store.tsx';
import {createScreen} from '../../../source/terminal/index.ts';
import type {Device} from '../support/device.ts';
import {settle} from '../support/sources.ts';
import {
  type SmallModel,
  type SmallOptions,
  type SmallSimulator,
  startSmallApp,
} from '../support/small-app.tsx';

const initial = createScreen({columns: 10, rows: 2}).modes;

/**
 * The terminal is the person's again: every mode as it was, not raw, nobody listens, nothing is
 * waited for, no session is connected.
 */
function assertGivenBack({
  device,
  clock,
  sources,
}: Pick<SmallSimulator, 'device' | 'clock' | 'sources'>): void {
  assert.deepEqual(device.screen().modes, initial);
  assert.deepEqual(
    {
      isRaw: device.isRaw(),
      listeners: device.listeners(),
      waiting: clock.waiting(),
      open: sources.open(),
    },
    {isRaw: false, listeners: 0, waiting: 0, open: []},
  );
  assert.equal(pushes(device), 0);
}

function pushes({written}: Device): number {
  const all = written.join('');
  return all.split('\u001B[>1u').length - all.split('\u001B[<u').length;
}

/** Everything that can be on is on. */
async function startEverything(
  options: Parameters<typeof startSmallApp>[0] = {},
): Promise<SmallSimulator> {
  const simulator = await startSmallApp({
    mouse: true,
    snapshots: {s1: '\u001B[?1003h\u001B[?1h\u001B=\u001B[3 q\u001B[31mred'},
    ...options,
  });
  simulator.device.press('\u001B[?1u');
  simulator.device.press('i');
  simulator.clock.pass(50);
  await settle();
  return simulator;
}

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const) {
  test(`${signal} gives the terminal back and ends with ${code}`, async () => {
    const simulator = await startEverything();
    simulator.device.signal(signal);
    assert.equal(await simulator.finished, code);
    assertGivenBack(simulator);
  });
}

test('leaving gives the terminal back and ends with 0', async () => {
  const simulator = await startEverything({keys: {q: [{type: 'quit'}]}});
  simulator.device.press('\u001Dq');
  assert.equal(await simulator.finished, 0);
  assertGivenBack(simulator);
});

/** Where the app can be wrong, and when that shows. */
const mistakes: readonly (readonly [name: string, app: SmallOptions['app'], key?: string])[] = [
  ['update', {update: wrong}],
  ['input', {input: wrong}],
  ['nextChange', {nextChange: wrong}],
  ['toUiState', {toUiState: wrong}],
  ['defaultColours', {defaultColours: wrong}],
  ['the first render', {root: createElement(wrong)}],
  ['a later render', {root: createElement(WrongAfterKey)}, 'x'],
  ['an effect', {root: createElement(WrongEffect)}, 'x'],
  ['keymap', {keymap: wrong}, 'x'],
];

for (const [name, app, key] of mistakes) {
  test(`a mistake in ${name} gives the terminal back and is thrown`, async () => {
    const simulator = await startSmallApp({app: app ?? {}});
    if (key !== undefined) simulator.device.press(key);
    simulator.clock.pass(2000);
    await assert.rejects(simulator.finished, /a mistake/);
    assertGivenBack(simulator);
  });
}

test('a mistake of the painter, in a frame that follows a render, gives the terminal back and is thrown', async () => {
  const simulator = await startSmallApp({
    app: {
      // Called with every frame that the terminal gets, after React has committed.
      root: createElement(WrongRegion),
    },
  });
  simulator.device.press('x');
  await assert.rejects(simulator.finished, /a mistake/);
  assertGivenBack(simulator);
});

function wrong(): never {
  throw new Error('a mistake');
}

function usePresses(): number {
  return useStore(({model}: View<SmallModel>) => model.presses);
}

function WrongAfterKey(): ReactElement {
  return usePresses() > 0 ? wrong() : createElement(Text, null, 'right');
}

function WrongEffect(): ReactElement {
  const presses = usePresses();
  useEffect(() => {
    if (presses > 0) wrong();
  }, [presses]);
  return createElement(Text, null, 'right');
}

/** Its text fails only while it is painted. */
function WrongRegion(): ReactElement {
  const presses = usePresses();
  return createElement(Transform, {
    transform: (text) => (presses > 0 ? wrong() : text),
    children: createElement(Text, null, 'right'),
  });
}

test('the last moment of the process gives the terminal back at once', async () => {
  const simulator = await startEverything();
  simulator.device.signal('exit');
  assert.deepEqual([simulator.device.screen().modes, simulator.device.isRaw()], [initial, false]);
  simulator.device.signal('SIGTERM');
  await simulator.finished;
  assertGivenBack(simulator);
});

test('a terminal that is gone ends the app without a word', async () => {
  const simulator = await startEverything();
  simulator.device.hangUp();
  simulator.sources.print('s1', 'more');
  await settle();
  simulator.clock.pass(50);
  assert.equal(await simulator.finished, 129);
  assert.deepEqual([simulator.device.listeners(), simulator.sources.open()], [0, []]);
});

test("stopped by Ctrl-Z the terminal is the shell's, and continued it is drawn anew", async () => {
  const seen: unknown[] = [];
  const holder: {world?: SmallSimulator} = {};
  const suspend = (): void => {
    const {device} = holder.world!;
    seen.push(device.screen().modes, device.isRaw());
    device.terminal.write('the shell was here');
  };

  const simulator = await startEverything({options: {suspend}});
  holder.world = simulator;
  simulator.device.signal('SIGTSTP');
  simulator.clock.pass(50);
  await settle();
  assert.deepEqual(seen, [initial, false]);
  assert.deepEqual(
    [
      simulator.device.screen().modes.alternateScreen,
      simulator.device.isRaw(),
      simulator.device.screen().text()[0],
    ],
    [true, true, 'pressed 1'],
  );
  assert.doesNotMatch(simulator.device.screen().text().join('\n'), /the shell/);
  simulator.device.signal('SIGTERM');
  await simulator.finished;
  assertGivenBack(simulator);
});

test('a session that is handed the terminal has it alone, and afterwards everything is drawn anew', async () => {
  const back = Promise.withResolvers<undefined>();
  const simulator = await startSmallApp({
    keys: {z: [{type: 'hand-over', session: 's1'}]},
    options: {handOver: () => back.promise},
  });
  simulator.device.press('z');
  await settle();
  assert.deepEqual(simulator.device.screen().modes, initial);
  simulator.device.written.length = 0;
  simulator.sources.print('s2', 'meanwhile');
  simulator.device.press('keys of the session');
  await settle();
  simulator.clock.pass(100);
  assert.deepEqual(simulator.device.written, []);
  back.resolve(undefined);
  await settle();
  simulator.clock.pass(50);
  await settle();
  assert.match(
    simulator.device.screen().text().join('\n'),
    /pressed 1[^]*meanwhile[^]*last: handed-back/,
  );
  simulator.device.signal('SIGTERM');
  await simulator.finished;
  assertGivenBack(simulator);
});

test('an editor has the terminal, and what it leaves comes back; one that fails says why', async () => {
  const simulator = await startSmallApp({
    keys: {
      e: [{type: 'edit', name: 'plan', text: 'a'}],
      f: [{type: 'edit', name: 'bad', text: 'a'}],
    },
    options: {
      edit: (text, name) =>
        name === 'bad' ? Promise.reject(new Error('no editor')) : Promise.resolve(`${text}b`),
    },
  });
  simulator.device.press('ef');
  await settle();
  assert.deepEqual(
    simulator.events.filter(({type}) => type === 'edited' || type === 'edit-failed'),
    [
      {type: 'edited', name: 'plan', text: 'ab'},
      {type: 'edit-failed', name: 'bad', text: 'no editor'},
    ],
  );
  simulator.device.signal('SIGTERM');
  await simulator.finished;
  assertGivenBack(simulator);
});

test('after the end nothing takes the terminal again', async () => {
  const back = Promise.withResolvers<undefined>();
  let lent = 0;
  const simulator = await startSmallApp({
    keys: {z: [{type: 'hand-over', session: 's1'}]},
    options: {
      handOver: () => {
        lent++;
        return back.promise;
      },
    },
  });
  simulator.device.press('zz');
  await settle();
  simulator.device.signal('SIGTERM');
  assert.equal(await simulator.finished, 143);
  back.resolve(undefined);
  await settle();
  assert.equal(lent, 1);
  assertGivenBack(simulator);
});

test('in a storm of sizes a frame is drawn at most 30 times a second, and the last size is what is seen', async () => {
  const simulator = await startSmallApp();
  simulator.clock.pass(1000);
  simulator.device.written.length = 0;
  for (let step = 0; step < 200; step++) {
    simulator.device.resize({columns: 80 + (step % 60), rows: 24 + (step % 20)});
    simulator.clock.pass(5);
    await settle();
  }

  simulator.clock.pass(100);
  await settle();
  simulator.clock.pass(100);
  assert.ok(simulator.device.written.length <= 33, `${simulator.device.written.length} frames`);
  assert.match(simulator.device.screen().text().join('\n'), /^pressed 0\n[^?]*last: resized$/);
  assert.ok(
    simulator.sources.sizes('s1').length <= 4,
    JSON.stringify(simulator.sources.sizes('s1')),
  );
  assert.deepEqual(simulator.sources.sizes('s1').at(-1), {columns: 39, rows: 39});
  simulator.device.signal('SIGTERM');
  await simulator.finished;
});

test('a terminal that is too small says so, of whatever size, and grows back into the app', async () => {
  const simulator = await startSmallApp({snapshots: {s1: 'pane'}});
  for (const [size, expected] of [
    [{columns: 80, rows: 11}, ['Needs 40×12, this is 80×11. Agents go on; q leaves.', '']],
    [{columns: 39, rows: 20}, ['Needs 40×12, this is 39×20.', 'Agents go on; q leaves.']],
    [{columns: 20, rows: 5}, ['Needs 40×12, this is', 'Agents go on; q leav']],
    [{columns: 4, rows: 2}, ['Need', 'Agen']],
    [{columns: 1, rows: 1}, ['N']],
    [{columns: 0, rows: 0}, ['N']],
  ] as const) {
    simulator.device.resize(size);
    simulator.clock.pass(50);
    const seen = simulator.device
      .screen()
      .text()
      .slice(0, 2)
      .map((line) => line.slice(0, Math.max(1, size.columns)));
    assert.deepEqual(seen, expected, JSON.stringify(size));
  }

  assert.equal(simulator.sources.openings(), 2);
  simulator.device.resize({columns: 80, rows: 24});
  simulator.clock.pass(50);
  await settle();
  assert.match(simulator.device.screen().text().join('\n'), /pressed 0[^]*pane/);
  simulator.device.resize({columns: 20, rows: 5});
  simulator.clock.pass(50);
  simulator.device.press('q');
  assert.equal(await simulator.finished, 0);
  assertGivenBack(simulator);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createScreen} from '../../../source/terminal/index.ts';
import type {Device} from '../support/device.ts';
import {settle} from '../support/sources.ts';
import {type SmallWorld, startSmallApp} from '../support/small-app.ts';

const initial = createScreen({columns: 10, rows: 2}).modes;

/** The terminal is the person's again: every mode as it was, not raw, nobody listens, nothing is waited for, no session is connected. */
function assertGivenBack({
  device,
  clock,
  sources,
}: Pick<SmallWorld, 'device' | 'clock' | 'sources'>): void {
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
): Promise<SmallWorld> {
  const world = await startSmallApp({
    mouse: true,
    snapshots: {s1: '\u001B[?1003h\u001B[?1h\u001B=\u001B[3 q\u001B[31mred'},
    ...options,
  });
  world.device.press('\u001B[?1u');
  world.device.press('i');
  world.clock.pass(50);
  return world;
}

for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGHUP', 129],
  ['SIGINT', 130],
] as const) {
  test(`${signal} gives the terminal back and ends with ${code}`, async () => {
    const world = await startEverything();
    world.device.signal(signal);
    assert.equal(await world.finished, code);
    assertGivenBack(world);
  });
}

test('leaving gives the terminal back and ends with 0', async () => {
  const world = await startEverything({keys: {q: [{type: 'quit'}]}});
  world.device.press('\u001Dq');
  assert.equal(await world.finished, 0);
  assertGivenBack(world);
});

test('a mistake in the app, wherever it is made, gives the terminal back and is thrown', async () => {
  const wrong = (): never => {
    throw new Error('a mistake');
  };

  for (const app of [
    {update: wrong},
    {screenOf: wrong},
    {layout: wrong},
    {nextChange: wrong},
    {memoryOf: wrong},
  ]) {
    const world = await startSmallApp({app});
    world.clock.pass(2000);
    await assert.rejects(world.finished, /a mistake/, Object.keys(app).join(''));
    assert.deepEqual(
      [world.device.screen().modes, world.device.isRaw()],
      [initial, false],
      Object.keys(app).join(''),
    );
  }

  const world = await startSmallApp({app: {keymap: wrong}});
  world.device.press('x');
  await assert.rejects(world.finished, /a mistake/);
  assertGivenBack(world);
});

test('the last moment of the process gives the terminal back at once', async () => {
  const world = await startEverything();
  world.device.signal('exit');
  assert.deepEqual([world.device.screen().modes, world.device.isRaw()], [initial, false]);
  world.device.signal('SIGTERM');
  await world.finished;
  assertGivenBack(world);
});

test('a terminal that is gone ends the app without a word', async () => {
  const world = await startEverything();
  world.device.hangUp();
  world.sources.say('s1', 'more');
  await settle();
  world.clock.pass(50);
  assert.equal(await world.finished, 129);
  assert.deepEqual([world.device.listeners(), world.sources.open()], [0, []]);
});

test("stopped by Ctrl-Z the terminal is the shell's, and continued it is drawn anew", async () => {
  const seen: unknown[] = [];
  const holder: {world?: SmallWorld} = {};
  const suspend = (): void => {
    const {device} = holder.world!;
    seen.push(device.screen().modes, device.isRaw());
    device.terminal.write('the shell was here');
  };

  const world = await startEverything({options: {suspend}});
  holder.world = world;
  world.device.signal('SIGTSTP');
  world.clock.pass(50);
  assert.deepEqual(seen, [initial, false]);
  assert.deepEqual(
    [
      world.device.screen().modes.alternateScreen,
      world.device.isRaw(),
      world.device.screen().text()[0],
    ],
    [true, true, 'pressed 1'],
  );
  assert.doesNotMatch(world.device.screen().text().join('\n'), /the shell/);
  world.device.signal('SIGTERM');
  await world.finished;
  assertGivenBack(world);
});

test('a session that is handed the terminal has it alone, and afterwards everything is drawn anew', async () => {
  const back = Promise.withResolvers<undefined>();
  const world = await startSmallApp({
    keys: {z: [{type: 'hand-over', session: 's1'}]},
    options: {handOver: () => back.promise},
  });
  world.device.press('z');
  await settle();
  assert.deepEqual(world.device.screen().modes, initial);
  world.device.written.length = 0;
  world.sources.say('s2', 'meanwhile');
  world.device.press('keys of the session');
  await settle();
  world.clock.pass(100);
  assert.deepEqual(world.device.written, []);
  back.resolve(undefined);
  await settle();
  world.clock.pass(50);
  assert.match(
    world.device.screen().text().join('\n'),
    /pressed 1[^]*meanwhile[^]*last: handed-back/,
  );
  world.device.signal('SIGTERM');
  await world.finished;
  assertGivenBack(world);
});

test('an editor has the terminal, and what it leaves comes back; one that fails says why', async () => {
  const world = await startSmallApp({
    keys: {
      e: [{type: 'edit', name: 'plan', text: 'a'}],
      f: [{type: 'edit', name: 'bad', text: 'a'}],
    },
    options: {
      edit: (text, name) =>
        name === 'bad' ? Promise.reject(new Error('no editor')) : Promise.resolve(`${text}b`),
    },
  });
  world.device.press('ef');
  await settle();
  assert.deepEqual(
    world.events.filter(({type}) => type === 'edited' || type === 'edit-failed'),
    [
      {type: 'edited', name: 'plan', text: 'ab'},
      {type: 'edit-failed', name: 'bad', words: 'no editor'},
    ],
  );
  world.device.signal('SIGTERM');
  await world.finished;
  assertGivenBack(world);
});

test('after the end nothing takes the terminal again', async () => {
  const back = Promise.withResolvers<undefined>();
  let lent = 0;
  const world = await startSmallApp({
    keys: {z: [{type: 'hand-over', session: 's1'}]},
    options: {
      handOver: () => {
        lent++;
        return back.promise;
      },
    },
  });
  world.device.press('zz');
  await settle();
  world.device.signal('SIGTERM');
  assert.equal(await world.finished, 143);
  back.resolve(undefined);
  await settle();
  assert.equal(lent, 1);
  assertGivenBack(world);
});

test('in a storm of sizes a frame is drawn at most 30 times a second, and the last size is what is seen', async () => {
  const world = await startSmallApp();
  world.clock.pass(1000);
  world.device.written.length = 0;
  for (let step = 0; step < 200; step++) {
    world.device.resize({columns: 80 + (step % 60), rows: 24 + (step % 20)});
    world.clock.pass(5);
  }

  world.clock.pass(100);
  assert.ok(world.device.written.length <= 33, `${world.device.written.length} frames`);
  assert.match(world.device.screen().text().join('\n'), /^pressed 0\n[^?]*last: resized$/);
  assert.ok(world.sources.sizes('s1').length <= 33, `${world.sources.sizes('s1').length} sizes`);
  assert.deepEqual(world.sources.sizes('s1').at(-1), {columns: 38, rows: 39});
  world.device.signal('SIGTERM');
  await world.finished;
});

test('a terminal that is too small says so, of whatever size, and grows back into the app', async () => {
  const world = await startSmallApp({snapshots: {s1: 'pane'}});
  for (const [size, first] of [
    [{columns: 59, rows: 20}, 'too small'],
    [{columns: 20, rows: 5}, 'too small'],
    [{columns: 4, rows: 2}, 'too '],
    [{columns: 1, rows: 1}, 't'],
    [{columns: 0, rows: 0}, 't'],
  ] as const) {
    world.device.resize(size);
    world.clock.pass(50);
    assert.equal(
      world.device.screen().text()[0]?.slice(0, Math.max(1, size.columns)),
      first.slice(0, Math.max(1, size.columns)).trimEnd(),
      JSON.stringify(size),
    );
  }

  assert.equal(world.sources.openings(), 2);
  world.device.resize({columns: 80, rows: 24});
  world.clock.pass(50);
  assert.match(world.device.screen().text().join('\n'), /pressed 0[^]*pane/);
  world.device.resize({columns: 20, rows: 5});
  world.clock.pass(50);
  world.device.press('q');
  assert.equal(await world.finished, 0);
  assertGivenBack(world);
});

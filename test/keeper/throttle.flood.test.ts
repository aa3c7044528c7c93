import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {createFloodThrottle, type FloodThrottle} from '../../source/keeper/throttle.ts';
import {eventually} from '../support/eventually.ts';
import {meet} from './support/client.ts';
import {launchWithClient, prepare, release, startKeeperFixture} from './support/keeper-fixture.ts';

const kilobyte = 1024;

/** Two sessions that share a file, and a clock that stands still. */
function createFixture(t: TestContext): {
  readonly file: string;
  readonly make: (processors?: number) => FloodThrottle;
  readonly pass: (milliseconds: number) => void;
} {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'orchestra-throttle-'));
  t.after(() => {
    rmSync(directory, {recursive: true, force: true});
  });
  const file = path.join(directory, 'typing');
  let at = 1_000_000_000_000;
  return {
    file,
    make: (processors = 2) => createFloodThrottle({file, now: () => at, processors}),
    pass: (milliseconds) => {
      at += milliseconds;
    },
  };
}

test('a session that floods rests after every 32 kB while somebody types in another one, and not before', (t) => {
  const {make, pass} = createFixture(t);
  const [typed, flooding] = [make(), make()];
  assert.deepEqual(
    [flooding.delayAfter(64 * kilobyte), flooding.delayAfter(64 * kilobyte)],
    [0, 0],
  );
  typed.pressed();
  pass(30);
  assert.deepEqual(
    [16, 15, 1, 31, 1, 40].map((size) => flooding.delayAfter(size * kilobyte)),
    [0, 0, 16, 0, 16, 16],
  );
});

test('whoever types has no reason to wait for their own session', (t) => {
  const {make, pass} = createFixture(t);
  const [one, other] = [make(), make()];
  one.pressed();
  other.pressed();
  pass(1000);
  assert.deepEqual(
    [one, other].map(({delayAfter}) => delayAfter(64 * kilobyte)),
    [0, 0],
  );
});

test('two seconds after the last key all go on at full speed', (t) => {
  const {make, pass} = createFixture(t);
  const [typed, flooding] = [make(), make()];
  typed.pressed();
  pass(1900);
  assert.equal(flooding.delayAfter(64 * kilobyte), 16);
  pass(150);
  assert.equal(flooding.delayAfter(64 * kilobyte), 0);
});

test('the more processors, the shorter the rest', (t) => {
  const {make, pass} = createFixture(t);
  make().pressed();
  pass(30);
  assert.deepEqual(
    [1, 2, 8, 64].map((processors) => make(processors).delayAfter(64 * kilobyte)),
    [32, 16, 4, 1],
  );
});

test('keys are told five times a second at most, and looked for forty times', (t) => {
  const {file, make, pass} = createFixture(t);
  const [typed, flooding] = [make(), make()];
  typed.pressed();
  const first = statSync(file).mtimeMs;
  pass(150);
  typed.pressed();
  assert.equal(statSync(file).mtimeMs, first);
  pass(50);
  typed.pressed();
  assert.equal(statSync(file).mtimeMs, first + 200);
  assert.equal(flooding.delayAfter(64 * kilobyte), 16);
  rmSync(file);
  pass(20);
  assert.equal(flooding.delayAfter(64 * kilobyte), 16);
  pass(5);
  assert.equal(flooding.delayAfter(64 * kilobyte), 0);
});

test('a time from the future, or a place that is gone, makes nobody rest and nothing fail', (t) => {
  const {file, make, pass} = createFixture(t);
  writeFileSync(file, '');
  utimesSync(file, 2_000_000_000, 2_000_000_000);
  assert.equal(make().delayAfter(64 * kilobyte), 0);
  rmSync(path.dirname(file), {recursive: true});
  pass(1000);
  make().pressed();
  assert.equal(make().delayAfter(64 * kilobyte), 0);
  assert(!existsSync(file));
});

test('a flood beside somebody who types loses no byte, up to its last one', async (t) => {
  const {directory: shared} = prepare(t, '');
  const typed = await startKeeperFixture(t, 'stty raw -echo; printf ready; exec cat', {
    socket: path.join(shared, 'a'),
  });
  const hands = await launchWithClient(typed);
  await eventually('the echoing program', () => hands.output().includes('ready'));
  const size = 600_000;
  const flooding = await startKeeperFixture(
    t,
    `stty raw; head -c ${size} /dev/zero | tr '\\0' x; printf end`,
    {socket: path.join(shared, 'b')},
  );
  const watcher = await meet(flooding.launch);
  watcher.ask({type: 'attach', from: 0});
  hands.type(0, 'k');
  await eventually('the echo', () => hands.output().includes('k'));
  assert(existsSync(path.join(shared, 'typing')));
  watcher.ask({type: 'go'});
  const {bytes} = await watcher.onMessage('exit');
  assert.equal(bytes, size + 3);
  assert.equal(watcher.output().toString(), `${'x'.repeat(size)}end`);
  await release(flooding, watcher);
  hands.ask({type: 'signal', name: 'SIGKILL'});
  await hands.onMessage('exit');
  await release(typed, hands);
});

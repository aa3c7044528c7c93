import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  catchUp,
  type CatchUpOptions,
  createScreen,
  createTracker,
  type Screen,
  toCheckpoint,
} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {getPicture, write} from './picture.ts';
import {spinner, streams} from './streams.ts';

const size = {columns: 80, rows: 24};
const megabyte = 1024 * 1024;

type Log = {
  readonly bytes: Uint8Array;
  readonly read: CatchUpOptions['read'];
  readonly end: number;
};

function getLog(bytes: Uint8Array, end = bytes.length): Log {
  return {bytes, end, read: (from, to) => bytes.subarray(from, to)};
}

function drawnWhole({bytes, end}: Log): Screen {
  const screen = createScreen(size);
  screen.write(bytes.subarray(0, end));
  return screen;
}

/** Everything that can be seen and asked of the two screens is the same. */
function assertSame(screen: Screen, expected: Screen, what: string): void {
  assert.deepEqual(getPicture(screen), getPicture(expected), what);
  assert.equal(screen.title, expected.title, what);
  assert.deepEqual(screen.statuses, expected.statuses, what);
}

describe('caught up, a screen looks as if all of its log had been drawn:', () => {
  for (const [name, make] of Object.entries(streams)) {
    test(name, () => {
      const bytes = make(size, 1.3 * megabyte);
      const random = createRandom(name);
      // The log ends wherever its session stands, in the middle of a sequence or a character too.
      for (const end of [2000, 100_000, 400_000, 900_000, bytes.length].map(
        (place) => place - random.below(2000),
      )) {
        const log = getLog(bytes, end);
        const whole = drawnWhole(log);
        const {screen, isExact, from} = catchUp({...size, ...log});
        assert.equal(isExact, true);
        assertSame(screen, whole, `${name}, ${end} bytes, from ${from}`);
        screen.close();
        whole.close();
      }
    });
  }
});

test('only the end of a long log is drawn', () => {
  const log = getLog(streams['seq']!(size, 3 * megabyte));
  const {screen, from} = catchUp({...size, ...log});
  assert.ok(log.end - from <= 256 * 1024 + 4);
  assert.equal(screen.history, 200);
  screen.close();
});

test('with the marks of a tracker only the end of the log is read', () => {
  const log = getLog(
    streams['an agent with a region that it redraws below what it has said']!(size, 3 * megabyte),
  );
  const tracker = createTracker();
  for (let at = 0; at < log.end; at += 10_000) tracker.write(log.bytes.subarray(at, at + 10_000));
  let earliest = log.end;
  const {screen} = catchUp({
    ...size,
    ...log,
    marks: tracker.marks(),
    read(from, to) {
      earliest = Math.min(earliest, from);
      return log.read(from, to);
    },
  });
  const whole = drawnWhole(log);
  assertSame(screen, whole, 'with marks');
  assert.ok(log.end - earliest < 600 * 1024, `${log.end - earliest}`);
  screen.close();
  whole.close();
});

test('a screen that has stood still for long is looked for farther back', () => {
  const log = getLog(spinner(size, 1.5 * megabyte));
  const {screen, from, isExact} = catchUp({...size, ...log});
  const whole = drawnWhole(log);
  assert.equal(isExact, true);
  assert.ok(log.end - from > megabyte);
  assertSame(screen, whole, 'standing still');
  screen.close();
  whole.close();
});

test('what cannot be known is blank, and said not to be exact', () => {
  const log = getLog(spinner(size, 1.5 * megabyte));
  const {screen, isExact} = catchUp({...size, ...log, start: 500_000});
  const whole = drawnWhole(log);
  assert.equal(isExact, false);
  assert.equal(screen.history, 0);
  assert.deepEqual(screen.text().slice(0, -1), Array(23).fill(''));
  assert.equal(screen.text().at(-1), whole.text().at(-1));
  screen.close();
  whole.close();
});

test('lines that stand for what is unknown are not counted as lines above the screen', () => {
  const lines = Array.from({length: 60}, (_, line) => `line ${line}\r\n`).join('');
  const log = getLog(new TextEncoder().encode(`gone\r\n${lines}`));
  const {screen, isExact} = catchUp({...size, ...log, start: 6});
  assert.equal(isExact, true);
  assert.equal(screen.history, 60 - 23);
  assert.equal(screen.text(-screen.history, 1)[0], 'line 0');
  assert.deepEqual(screen.search('line 0'), [{row: -37, column: 0}]);
  screen.close();
});

test('from a checkpoint it is exact again, and the modes are known', () => {
  const log = getLog(spinner(size, 1.5 * megabyte));
  const before = drawnWhole(getLog(log.bytes, 700_001));
  const checkpoint = toCheckpoint(before);
  const {screen, from, isExact} = catchUp({
    ...size,
    ...log,
    start: 500_000,
    checkpoint: JSON.parse(JSON.stringify(checkpoint)) as typeof checkpoint,
  });
  const whole = drawnWhole(log);
  assert.equal(isExact, true);
  assert.equal(from, checkpoint.offset);
  assertSame(screen, whole, 'from a checkpoint');
  assert.deepEqual(
    screen.text(-screen.history, screen.history),
    whole.text(-whole.history, whole.history),
  );
  before.close();
  screen.close();
  whole.close();
});

test('a checkpoint may be taken anywhere, in the middle of a sequence too', () => {
  for (const [name, make] of Object.entries(streams)) {
    const bytes = make(size, 30_000);
    const random = createRandom(name);
    for (let round = 0; round < 10; round++) {
      const place = random.below(bytes.length);
      const before = drawnWhole(getLog(bytes, place));
      const log = getLog(bytes);
      const {screen} = catchUp({...size, ...log, checkpoint: toCheckpoint(before)});
      const whole = drawnWhole(log);
      assertSame(screen, whole, `${name}, checkpoint at ${place}`);
      before.close();
      screen.close();
      whole.close();
    }
  }
});

test('a checkpoint may be taken inside a string that is too long to be kept', () => {
  const log = getLog(
    new TextEncoder().encode(`before\u001B]52;c;${'QUJD'.repeat(3000)}\u0007after`),
  );
  const before = drawnWhole(getLog(log.bytes, 8000));
  const {screen, from} = catchUp({...size, ...log, checkpoint: toCheckpoint(before)});
  assert.equal(from, 8000);
  assert.equal(screen.text()[0], 'beforeafter');
  before.close();
  screen.close();
});

test('a checkpoint keeps the lines above the normal screen while the alternate one is shown', () => {
  const log = getLog(
    new TextEncoder().encode(`${'x\r\n'.repeat(40)}\u001B[?1049hvim\u001B[?1049l`),
  );
  const before = drawnWhole(getLog(log.bytes, log.end - 8));
  const {screen} = catchUp({...size, ...log, checkpoint: toCheckpoint(before)});
  assert.equal(before.modes.alternateScreen, true);
  assert.equal(screen.history, 17);
  before.close();
  screen.close();
});

test('a checkpoint of another size is drawn in that size first', () => {
  const log = getLog(new TextEncoder().encode(`${'0123456789'.repeat(6)}\r\nafter`));
  const before = createScreen({columns: 20, rows: 5});
  before.write(log.bytes.subarray(0, 62));
  const {screen} = catchUp({columns: 60, rows: 5, ...log, checkpoint: toCheckpoint(before)});
  assert.deepEqual(screen.text().slice(0, 2), ['0123456789'.repeat(6), 'after']);
  before.close();
  screen.close();
});

test('what the log asked is not answered again, what is asked from now on is', () => {
  const replies: string[] = [];
  const log = getLog(new TextEncoder().encode('\u001B[c\u001B[6nx'));
  const {screen} = catchUp({
    ...size,
    ...log,
    onReply: (reply) => replies.push(Buffer.from(reply).toString()),
  });
  assert.deepEqual(replies, []);
  write(screen, '\u001B[6n');
  assert.deepEqual(replies, ['\u001B[1;2R']);
  screen.close();
});

test('a log whose middle is gone is caught up with from what there is', () => {
  const bytes = streams['seq']!(size, megabyte);
  const gone = {from: 50_000, to: bytes.length - 100_000};
  const {screen, isExact} = catchUp({
    ...size,
    end: bytes.length,
    read: (from, to) =>
      to <= gone.from ? bytes.subarray(from, to) : bytes.subarray(Math.max(from, gone.to), to),
  });
  const whole = drawnWhole(getLog(bytes));
  assertSame(screen, whole, 'with a gap');
  assert.equal(isExact, true);
  assert.equal(screen.mark().offset, bytes.length);
  screen.close();
  whole.close();
});

test('an empty log is a blank screen', () => {
  const {screen, isExact, from} = catchUp({...size, end: 0, read: () => new Uint8Array()});
  assert.equal(isExact, true);
  assert.equal(from, 0);
  assert.deepEqual(screen.text(), Array(24).fill(''));
  screen.close();
});

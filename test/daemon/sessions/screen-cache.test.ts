import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {createScreenCache, type ScreenCache} from '../../../source/daemon/sessions/screen-cache.ts';
import {readLog} from '../../../source/keeper/index.ts';
import {createScreen} from '../../../source/terminal/index.ts';

const size = {columns: 80, rows: 24};
const megabyte = 1024 * 1024;

type Fixture = {
  readonly memory: ScreenCache;
  readonly newSession: () => {readonly directory: string; readonly log: string};
  /** How many bytes of the log have been read since the last time this was asked. */
  readonly read: () => number;
  readonly pass: (milliseconds: number) => void;
};

function stage(t: TestContext): Fixture {
  const home = mkdtempSync(path.join(os.tmpdir(), 'screens-'));
  t.after(() => {
    rmSync(home, {recursive: true, force: true});
  });
  let at = 0;
  let count = 0;
  let bytesRead = 0;
  const memory = createScreenCache({
    now: () => at,
    *read(directory, from, to) {
      for (const piece of readLog(directory, from, to)) {
        bytesRead += piece.bytes.length;
        yield piece;
      }
    },
  });
  return {
    memory,
    newSession: () => {
      const directory = path.join(home, String(count++));
      mkdirSync(path.join(directory, 'out'), {recursive: true});
      return {directory, log: path.join(directory, 'out', '0'.repeat(16))};
    },
    read: () => {
      const sum = bytesRead;
      bytesRead = 0;
      return sum;
    },
    pass: (milliseconds) => {
      at += milliseconds;
    },
  };
}

function toText({memory}: Fixture, directory: string, wanted = size): string[] {
  const screen = memory.look(directory, size, wanted);
  const text = screen.text();
  screen.close();
  return text;
}

const long = Array.from(
  {length: (4 * megabyte) / 32},
  (_, line) => `\u001B[3${line % 8}mline ${String(line).padStart(20)}\r\n`,
).join('');

test('the second look at a long log reads only what came since the first, and sees the same as one who read all', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, long);
  toText(cachedHere, directory);
  assert.ok(cachedHere.read() > 3 * megabyte, 'the first look has to find the modes');
  const more = '\u001B[7mand more\u001B[27m\r\n\u001B[2Aup';
  appendFileSync(log, more);
  const text = toText(cachedHere, directory);
  assert.equal(cachedHere.read(), more.length);
  const whole = createScreen(size);
  whole.write(Buffer.from(long + more));
  assert.deepEqual(text, whole.text());
  whole.close();
});

test('after hours the modes are not looked for from the beginning again, nor after a look on another size', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, `\u001B[?2004h${long}`);
  toText(cachedHere, directory, {columns: 40, rows: 12});
  assert.ok(cachedHere.read() > 3 * megabyte);
  cachedHere.pass(8 * 60 * 60 * 1000);
  appendFileSync(log, 'and more');
  const screen = cachedHere.memory.look(directory, size);
  assert.ok(cachedHere.read() < megabyte, 'only the end');
  const whole = createScreen(size);
  whole.write(Buffer.from(`\u001B[?2004h${long}and more`));
  assert.deepEqual([screen.text(), screen.modes], [whole.text(), whole.modes]);
  screen.close();
  whole.close();
});

test('much that came between two looks is skipped but for its end', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, long);
  toText(cachedHere, directory);
  cachedHere.read();
  appendFileSync(log, long);
  toText(cachedHere, directory);
  // Once to listen, and the last 256 kB to draw.
  assert.ok(cachedHere.read() < long.length + megabyte);
});

test('a sequence that was cut off at the first look is whole at the second', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, 'a\u001B[3');
  assert.equal(toText(cachedHere, directory)[0], 'a');
  appendFileSync(log, '1mb');
  assert.equal(toText(cachedHere, directory)[0], 'ab');
});

test('a look for a terminal of another size leaves nothing behind', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, `\u001B[?1049h\u001B[H${'wide '.repeat(16)}`);
  assert.equal(toText(cachedHere, directory)[0], 'wide '.repeat(16).trimEnd());
  assert.equal(toText(cachedHere, directory, {columns: 10, rows: 5})[0]?.length, 9);
  assert.equal(toText(cachedHere, directory)[0], 'wide '.repeat(16).trimEnd());
});

test('a picture of what was looked at before is not drawn again, and is the same as one that is', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, 'a\u001B[31mb\u001B[3');
  const drawn = cachedHere.memory.picture(directory, size, size);
  assert.equal(cachedHere.read(), 10);
  assert.deepEqual(cachedHere.memory.picture(directory, size, size), drawn);
  assert.equal(cachedHere.read(), 0);
  assert.equal(drawn.offset, 7);
  appendFileSync(log, '2mc');
  const later = cachedHere.memory.picture(directory, size, size);
  assert.equal(later.offset, 13);
  assert.match(later.picture, /a.*b.*c/s);
  assert.deepEqual(
    [cachedHere.memory.picture(directory, size, {columns: 40, rows: 10})].map(({columns, rows}) => [
      columns,
      rows,
    ]),
    [[40, 10]],
  );
});

test('what nobody has looked at for a minute is forgotten, and so is the oldest of too many', (t) => {
  const cachedHere = stage(t);
  const [first, ...rest] = Array.from({length: 65}, () => cachedHere.newSession());
  for (const {log} of [first!, ...rest]) writeFileSync(log, 'hello');
  const isRemembered = (directory: string): boolean => {
    cachedHere.read();
    toText(cachedHere, directory);
    return cachedHere.read() === 0;
  };
  toText(cachedHere, first!.directory);
  assert.equal(isRemembered(first!.directory), true);
  for (const {directory} of rest) toText(cachedHere, directory);
  assert.equal(isRemembered(first!.directory), false);
  assert.equal(isRemembered(rest.at(-1)!.directory), true);
  cachedHere.pass(60_001);
  toText(cachedHere, first!.directory);
  assert.equal(isRemembered(rest.at(-1)!.directory), false);
});

test('a log that is shorter than what was drawn of it is drawn anew', (t) => {
  const cachedHere = stage(t);
  const {directory, log} = cachedHere.newSession();
  writeFileSync(log, 'hello you');
  toText(cachedHere, directory);
  truncateSync(log, 5);
  assert.equal(toText(cachedHere, directory)[0], 'hello');
});

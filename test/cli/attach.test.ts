import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import {Buffer} from 'node:buffer';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {spawn, type IPty} from 'node-pty';
import {
  createDaemonFixture,
  type DaemonFixture,
  launcher,
} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

const leave = '\u001D';

/** `orchestra attach` in a terminal of its own. */
type Attached = {
  readonly pty: IPty;
  /** Every byte that reached the terminal. */
  readonly shown: () => string;
  readonly type: (text: string) => void;
  /** Its exit code, once it has ended. */
  readonly ended: () => Promise<number>;
};

function attach(
  t: TestContext,
  fixture: DaemonFixture,
  session: string,
  size: {readonly cols: number; readonly rows: number} = {cols: 80, rows: 24},
): Attached {
  const pty = spawn(process.execPath, [launcher, 'attach', session], {
    cwd: fixture.root,
    env: fixture.env,
    ...size,
    encoding: null,
  });
  const pieces: Buffer[] = [];
  let code: number | undefined;
  // With `encoding: null` it gives bytes, whatever its types say.
  pty.onData((bytes) => pieces.push(bytes as unknown as Buffer));
  pty.onExit(({exitCode}) => {
    code = exitCode;
  });
  t.after(() => {
    if (code === undefined) pty.kill('SIGKILL');
  });
  const shown = (): string => Buffer.concat(pieces).toString('utf8');
  return {
    pty,
    shown,
    type: (text) => {
      pty.write(text);
    },
    ended: async () =>
      (await eventually('attach has ended', () => (code === undefined ? undefined : {code}))).code,
  };
}

const shows = (attached: Attached, text: string | RegExp): Promise<unknown> =>
  eventually(`${String(text)} is shown`, () =>
    typeof text === 'string' ? attached.shown().includes(text) : text.test(attached.shown()),
  ).catch((error: unknown) =>
    assert.fail(`${String(error)}; shown was ${JSON.stringify(attached.shown())}`),
  );

/** Says its size whenever it changes, and every line that it reads. */
const echo = `
const say = () => console.log('size ' + process.stdout.columns + 'x' + process.stdout.rows + '.');
process.stdout.on('resize', say);
say();
process.stdin.on('data', (data) => {
  const line = data.toString().trim();
  if (line === 'end') process.exit(9);
  console.log('heard ' + line + '.');
});
`;

async function startEcho(fixture: DaemonFixture): Promise<void> {
  const file = path.join(fixture.home, 'echo.cjs');
  writeFileSync(file, echo);
  await fixture.start(process.execPath, file);
  await eventually('it is ready', () => fixture.outputOf('s1').includes('size 80x24.'));
}

test('with another key in the settings that key detaches, and Ctrl-] goes to the program', async (t) => {
  const fixture = createDaemonFixture(t);
  assert.equal(fixture.run('settings', 'leave', 'ctrl-g').code, 0);
  await startEcho(fixture);
  const attached = attach(t, fixture, 's1');
  await shows(attached, 'size 80x24.');
  attached.type(`a${leave}b\r`);
  await eventually('the program has it', () =>
    fixture.outputOf('s1').includes(`heard a${leave}b.`),
  );
  attached.type('\u0007');
  assert.equal(await attached.ended(), 0);
  assert.equal((await fixture.sessionOf('s1'))?.status, 'running');
});

test('attach shows the screen first; what is typed reaches the program; Ctrl-] leaves and the session goes on', async (t) => {
  const fixture = createDaemonFixture(t);
  await startEcho(fixture);
  const first = attach(t, fixture, 's1');
  await shows(first, 'size 80x24.');
  first.type('one\r');
  await shows(first, 'heard one.');
  first.type(`two\r${leave}three\r`);
  assert.equal(await first.ended(), 0);
  assert.match(first.shown(), /left s1; it keeps running\r\n$/);
  await eventually('what was typed before has arrived', () =>
    fixture.outputOf('s1').includes('heard two.'),
  );
  assert.ok(!fixture.outputOf('s1').includes('three'));
  assert.equal((await fixture.sessionOf('s1'))?.ended, undefined);

  const second = attach(t, fixture, 's1');
  await shows(second, 'heard two.');
  assert.ok(
    second.shown().indexOf('size 80x24.') < second.shown().indexOf('heard one.'),
    'in the order of the screen',
  );
  second.type('end\r');
  assert.equal(await second.ended(), 9, 'it ends as the program does');
  assert.match(second.shown(), /s1 ended: exit 9\r\n$/);
  assert.equal((await fixture.endOf('s1')).ended?.code, 9);

  const late = attach(t, fixture, 's1');
  assert.equal(await late.ended(), 2);
  assert.match(late.shown(), /s1 has ended; its output: orchestra logs s1/);
});

test('attach exits with 128 plus the signal when a signal ends the program', async (t) => {
  const fixture = createDaemonFixture(t);
  await startEcho(fixture);
  const attached = attach(t, fixture, 's1');
  await shows(attached, 'size 80x24.');
  fixture.run('stop', 's1');
  const {code} = (await fixture.endOf('s1')).ended!;
  assert.equal(code, null);
  assert.equal(await attached.ended(), 143);
  assert.match(attached.shown(), /s1 ended: SIGTERM\r\n$/);
});

test('a sequence or a character that is cut off where the screen was drawn is put together by what follows', async (t) => {
  const fixture = createDaemonFixture(t);
  const halves = [
    ['\\033[3', '1mred'],
    ['\\342\\202', '\\254uro'],
    ['\\033]0;ti', 'tle\\007plain'],
  ] as const;
  for (const [index, [first, second]] of halves.entries()) {
    const session = await fixture.start(
      'sh',
      '-c',
      `stty -echo; printf 'begin ${first}'; read line; printf '${second} end'; read line`,
    );
    await eventually('its first half', () => fixture.outputOf(session).includes('begin'));
    const attached = attach(t, fixture, session);
    await shows(attached, 'begin');
    attached.type('\r');
    await shows(attached, ' end');
    const rest = attached.shown().slice(attached.shown().indexOf('begin') + 'begin '.length);
    assert.ok(rest.includes(['\u001B[31mred', '€uro', 'plain'][index]!), JSON.stringify(rest));
    assert.ok(!/(?<!\u001B\[3)1mred|\uFFFD|tle/.test(rest), JSON.stringify(rest));
    attached.type(leave);
    assert.equal(await attached.ended(), 0);
  }
});

test('what a program asks its terminal is answered once, for who asks while somebody is attached', async (t) => {
  const fixture = createDaemonFixture(t);
  const session = await fixture.start(
    'sh',
    '-c',
    "stty raw -echo; printf 'ready'; dd bs=1 count=1 2>/dev/null >/dev/null; printf '12\\033[6n'; dd bs=1 count=6 2>/dev/null | od -c; printf done; read line",
  );
  await eventually('it is ready', () => fixture.outputOf(session).includes('ready'));
  const [one, other] = [attach(t, fixture, session), attach(t, fixture, session)];
  await shows(one, 'ready');
  await shows(other, 'ready');
  one.type('x');
  await shows(one, 'done');
  assert.match(fixture.outputOf(session), /033 {3}\[ {3}1 {3}; {3}8 {3}R/);
});

test('who attaches to a daemon of an earlier build draws the screen themselves', async (t) => {
  const fixture = createDaemonFixture(t);
  const session = await fixture.start('sh', '-c', "printf '\\033[32mgreen'; read line");
  await eventually('it has written', () => fixture.outputOf(session).includes('green'));
  // Without a size nobody draws for us, as then.
  const attached = attach(t, fixture, session, {cols: 0, rows: 0});
  await shows(attached, 'green');
  attached.type(leave);
  assert.equal(await attached.ended(), 0);
});

test('of two who are attached each sees what the other types, and the last size counts', async (t) => {
  const fixture = createDaemonFixture(t);
  await startEcho(fixture);
  const wide = attach(t, fixture, 's1', {cols: 100, rows: 30});
  await shows(wide, 'size 100x30.');
  const narrow = attach(t, fixture, 's1', {cols: 60, rows: 20});
  await shows(narrow, 'size 60x20.');
  await shows(wide, 'size 60x20.');
  wide.type('from the wide one\r');
  await shows(narrow, 'heard from the wide one.');
  wide.pty.resize(90, 25);
  await shows(narrow, 'size 90x25.');
  narrow.type(leave);
  assert.equal(await narrow.ended(), 0);
  wide.type('still here\r');
  await shows(wide, 'heard still here.');
});

test('the death of the daemon is not felt by who is attached; the death of the client not by the session', async (t) => {
  const fixture = createDaemonFixture(t);
  await startEcho(fixture);
  const attached = attach(t, fixture, 's1');
  await shows(attached, 'size 80x24.');
  await fixture.killDaemon('SIGKILL');
  attached.type('without a daemon\r');
  await shows(attached, 'heard without a daemon.');
  attached.pty.kill('SIGHUP');
  await attached.ended();
  const again = attach(t, fixture, 's1');
  await shows(again, 'heard without a daemon.');
  again.type('and on\r');
  await shows(again, 'heard and on.');
});

test('what a program writes cannot act on the terminal of who is attached, and the terminal is left clean', async (t) => {
  const fixture = createDaemonFixture(t);
  const hostile = [
    ['clipboard', '\u001B]52;c;aGFjaw==\u0007'],
    ['title', '\u001B]0;pwned\u0007'],
    ['title by C1', '\u009D2;pwned\u009C'],
    ['answerback', '\u0005'],
    ['DECRQSS', '\u001BP$q q\u001B\\'],
    ['notify', '\u001B]777;notify;a;b\u0007'],
    ['iTerm', '\u001B]1337;File=:aGk=\u0007'],
    ['report title', '\u001B[21t'],
    ['APC', '\u001B_hack\u001B\\'],
  ] as const;
  const file = path.join(fixture.home, 'hostile.txt');
  writeFileSync(
    file,
    `before\r\n${hostile.map(([, bytes]) => bytes).join('')}\u001B[?1049h\u001B[?1000h\u001B[?2004h\u001B[?25l\u001B[31mred\r\nafter\r\n`,
  );
  await fixture.start(
    'sh',
    '-c',
    `cat '${file}'; read -r line; cat '${file}'; echo live; read -r line`,
  );
  await eventually('it has written', () => fixture.outputOf('s1').includes('after'));
  const attached = attach(t, fixture, 's1');
  await shows(attached, 'after');
  attached.type('\r');
  await shows(attached, 'live');
  attached.type(leave);
  assert.equal(await attached.ended(), 0);
  const shown = attached.shown();
  for (const [what, bytes] of hostile) assert.ok(!shown.includes(bytes), what);
  // Drawn without asking a terminal for it: no operating system command at all but harmless ones,
  // no device control, no C1.
  assert.doesNotMatch(shown, /\u001B\](?!8;)|\u001B[P_^X]|[\u0080-\u009F\u0005]|\u001B\[\d*t/);
  const end = shown.slice(shown.lastIndexOf('live'));
  for (const reset of ['\u001B[?1049l', '\u001B[?1000l', '\u001B[?2004l', '\u001B[?25h'])
    assert.ok(end.includes(reset), JSON.stringify(reset));
});

/** Brackets are on, and every paste is written to a file, as an agent would read it. */
const pasteReader = `
const {appendFileSync, copyFileSync} = require('node:fs');
process.stdin.setRawMode(true);
process.stdout.write('\\x1b[?2004hready');
let all = '';
process.stdin.on('data', (data) => {
  all += data;
  appendFileSync('typed', data);
  for (const [, text] of all.matchAll(/\\x1b\\[200~(.*?)\\x1b\\[201~/gs)) {
    try { copyFileSync(text.trim(), 'got'); process.stdout.write('\\r\\ngot it'); } catch {}
  }
});
`;

test('files and images that are pasted into attach reach the program, in order with the keys', async (t) => {
  const tools = mkdtempSync(path.join(os.tmpdir(), 'orchestra-tools-'));
  t.after(() => {
    rmSync(tools, {recursive: true, force: true});
  });
  const png = Buffer.from(`89504e470d0a1a0a${'00ff0a'.repeat(3000)}`, 'hex');
  writeFileSync(path.join(tools, 'image'), png);
  writeFileSync(
    path.join(tools, 'wl-paste'),
    `#!/bin/sh\ncase "$1" in --list-types) echo image/png;; *) cat ${path.join(tools, 'image')};; esac\n`,
    {mode: 0o755},
  );
  const fixture = createDaemonFixture(t, {
    PATH: `${tools}:${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
    WAYLAND_DISPLAY: 'wayland-0',
  });
  const file = path.join(fixture.home, 'reader.cjs');
  writeFileSync(file, pasteReader);
  await fixture.start(process.execPath, file);
  await eventually('it is ready', () => fixture.outputOf('s1').includes('ready'));
  const attached = attach(t, fixture, 's1');
  await shows(attached, 'ready');
  // The program is not in a sandbox: it can read the file, and gets what was pasted.
  const plain = `\u001B[200~${path.join(tools, 'image')} \u001B[201~`;
  attached.type(`a${plain}b`);
  const typed = (): string =>
    existsSync(path.join(fixture.root, 'typed'))
      ? readFileSync(path.join(fixture.root, 'typed'), 'utf8')
      : '';
  await eventually('all of it is typed in order', () => typed() === `a${plain}b`);
  rmSync(path.join(fixture.root, 'got'), {force: true});
  // The clipboard has an image and no text.
  attached.type('\u001B[200~\u001B[201~c');
  await eventually('the key after it is typed', () => typed().endsWith('c'));
  const image = /\[200~(\S*\/given\/image-[\da-f]{8}\.png) /.exec(typed())?.[1];
  assert.ok(image !== undefined, typed());
  assert.deepEqual(readFileSync(image), png);
  await eventually('the program has read it', () => existsSync(path.join(fixture.root, 'got')));
  attached.type(leave);
  assert.equal(await attached.ended(), 0);
  assert.match(attached.shown(), /left s1; it keeps running\r\nThe image is copied for s1/);
});

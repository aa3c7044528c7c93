import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {test, type TestContext} from 'node:test';
import {spawn} from 'node-pty';
import {createScreen} from '../../source/terminal/index.ts';
import {
  createDaemonFixture,
  type DaemonFixture,
  launcher,
} from '../daemon/support/daemon-fixture.ts';
import {eventually} from '../support/eventually.ts';

const getFile = ({home}: DaemonFixture): string =>
  path.join(home, '.config', 'orchestra', 'settings.json');

function writeSettings(fixture: DaemonFixture, text: string): void {
  mkdirSync(path.dirname(getFile(fixture)), {recursive: true});
  writeFileSync(getFile(fixture), text);
}

const keysIn = (fixture: DaemonFixture): unknown =>
  (JSON.parse(readFileSync(getFile(fixture), 'utf8')) as {readonly keys?: unknown}).keys;

test('keys are set, shown and taken back', (t) => {
  const fixture = createDaemonFixture(t);
  assert.match(
    fixture.run('settings').out,
    /^keys +– +your own key bindings; orchestra settings keys lists all$/m,
  );
  assert.deepEqual(fixture.run('settings', 'keys.approve', 'Ctrl+B'), {
    code: 0,
    out: 'Plan\n* plan.approve                  ctrl-b                 approve: workers start; default A\n',
    err: '',
  });
  assert.equal(fixture.run('settings', 'keys.workers.zoom', 'z', 'f11').code, 0);
  assert.equal(fixture.run('settings', 'keys.workers.fewer-panes', '_', '-').code, 0);
  assert.equal(fixture.run('settings', 'keys.search-pane', 'none').code, 0);
  assert.deepEqual(keysIn(fixture), {
    approve: 'ctrl-b',
    'workers.zoom': ['z', 'f11'],
    'workers.fewer-panes': ['_', '-'],
    'search-pane': 'none',
  });

  const {out} = fixture.run('settings', 'keys');
  assert.match(out, /^Everywhere\n {2}command\.next-need +n +what needs you\n/);
  assert.match(out, /^\* scroll\.search-pane +none +search; default \/$/m);
  assert.match(out, /^ {2}\(option\) +1 2 3 4 5 6 7 8 9 +give the answer of that number$/m);
  assert.match(out, /^ {2}\(setting leave\) +ctrl-\] +back to commands/m);
  assert.match(fixture.run('settings').out, /^keys +4 yours /m);

  assert.equal(fixture.run('settings', 'keys.approve', 'default').code, 0);
  assert.deepEqual(fixture.json('settings', 'keys.approve'), {
    keys: {'plan.approve': ['A']},
    own: {},
    problems: [],
  });
  assert.deepEqual((fixture.json('settings') as {readonly keys: unknown}).keys, {
    'workers.zoom': ['z', 'f11'],
    'workers.fewer-panes': ['_', '-'],
    'search-pane': 'none',
  });
  assert.equal(fixture.run('settings', 'keys', 'default').code, 0);
  assert.equal(keysIn(fixture), undefined);
});

test('a theme is chosen by its name, and the names are listed', (t) => {
  const fixture = createDaemonFixture(t);
  assert.match(
    fixture.run('settings', 'theme').out,
    /^theme +auto +colours of the app\none of: auto, terminal, none, overture, .*high-contrast-light\n$/,
  );
  assert.match(fixture.run('settings', 'theme', 'nord').out, /^theme +nord /);
  assert.deepEqual(fixture.json('settings', 'theme'), {theme: 'nord'});
  assert.match(fixture.run('settings', 'theme', 'light').out, /^theme +overture-day /);
  assert.match(fixture.run('settings', 'motion', 'none').out, /^motion +none /);
});

test('a setting is changed by its new name or its old one, and JSON has both', (t) => {
  const fixture = createDaemonFixture(t);
  assert.match(
    fixture.run('settings', 'autoFocusNeeds', 'true').out,
    /^autoFocusNeeds true {5}follow what needs me: move the focus/,
  );
  assert.deepEqual(fixture.json('settings', 'followsNeedy'), {
    followsNeedy: true,
    autoFocusNeeds: true,
  });
  assert.match(fixture.run('settings', 'followsNeedy', 'false').out, /^autoFocusNeeds false /);
  assert.deepEqual(JSON.parse(readFileSync(getFile(fixture), 'utf8')), {autoFocusNeeds: false});
});

test('invalid values are refused with a message, and nothing is written', (t) => {
  const fixture = createDaemonFixture(t);
  writeSettings(fixture, '{"theme": "dark"}');
  const refusals: readonly (readonly [readonly string[], RegExp])[] = [
    [['keys.aprove', 'f5'], /keys\.aprove: there is no such name; approve is near/],
    [['keys.approve', 'ctrl-1'], /many terminals cannot send ctrl-1; with ctrl there are a letter/],
    [['keys.approve', 'ctrl-m'], /terminals send enter for ctrl-m: write enter/],
    [['keys.approve', 'banana'], /"banana" is no key\. There are characters \(a, A, \?\), ctrl-a/],
    [['keys.approve', 'n'], /n is "what needs you" already \(Everywhere, command\.next-need\)/],
    [['keys.approve', 'f5', 'none'], /"none" is no key/],
    [['keys.quit', 'none'], /it needs a key/],
    [['keys.field.submit', 'x'], /cannot be a key there \(Writing a line\)/],
    [['keys.option', 'a'], /stay as they are/],
    [['keys.stop-typing', 'ctrl-g'], /a setting of its own: leave/],
    [['keys', 'f5'], /expected keys\.NAME and its keys/],
    [['keys.nobody'], /keys\.nobody: there is no such name/],
    [['theme', 'pink'], /expected theme to be auto, terminal, none, overture, .*, got "pink"/],
    [['theme', 'dark', 'light'], /expected one value for theme, got 2/],
    [['leave', 'ctrl-c'], /expected leave to be ctrl-\], ctrl-g/],
  ];
  for (const [argv, text] of refusals) {
    const {code, err, out} = fixture.run('settings', ...argv);
    assert.match(err, text, argv.join(' '));
    assert.notEqual(code, 0);
    assert.equal(out, '');
  }

  assert.equal(readFileSync(getFile(fixture), 'utf8'), '{"theme": "dark"}');
});

test('problems in a hand-written file are shown and ignored, and stay until they are changed', (t) => {
  const fixture = createDaemonFixture(t);
  writeSettings(
    fixture,
    JSON.stringify({
      keys: {'workers.zoom': 'f11', aprove: 'f5', quit: 'j', help: 7, '\u001B[2J': 'x'},
    }),
  );
  const {code, out} = fixture.run('settings');
  assert.equal(code, 0);
  assert.match(out, /^keys +1 yours /m);
  assert.deepEqual(
    out.split('\n').filter((line) => line.startsWith('!')),
    [
      '! keys.aprove is ignored: there is no such name; approve is near',
      '! keys.quit is ignored: j is "down" already (In lists and texts, list.down)',
      '! keys.help is ignored: expected a key, several, or "none", got 7',
      '! keys.\\u{1b}[2J is ignored: there is no such name; orchestra settings keys lists them',
    ],
  );
  assert.deepEqual(
    (
      fixture.json('settings', 'keys') as {
        readonly own: unknown;
        readonly problems: readonly {readonly name: string}[];
      }
    ).problems.map(({name}) => name),
    ['aprove', 'quit', 'help', '\u001B[2J'],
  );
  const both = fixture.run('settings', '--json');
  assert.deepEqual((JSON.parse(both.out) as {readonly keys: unknown}).keys, {
    'workers.zoom': 'f11',
  });
  assert.match(both.err, /keys\.aprove is ignored/);
  assert.equal(fixture.run('settings', 'keys.approve', 'f6').code, 0);
  assert.equal(fixture.run('settings', 'keys.aprove', 'default').code, 0);
  assert.deepEqual(keysIn(fixture), {
    'workers.zoom': 'f11',
    quit: 'j',
    help: 7,
    '\u001B[2J': 'x',
    approve: 'f6',
  });
});

test('the app has the keys of the settings, and what is changed there is in the settings', async (t) => {
  const fixture = createDaemonFixture(t);
  for (const [name, key] of [
    ['quit', 'Q'],
    ['screen-keys', 'f9'],
    ['keys.change-key', 'f2'],
  ] as const)
    assert.equal(fixture.run('settings', `keys.${name}`, key).code, 0);
  const {pty, shows, ended} = openApp(t, fixture);
  await shows('make a first commit of what is here');
  pty.write('q\u001B[20~');
  await shows('Changing keys');
  // The first row is what needs the person; its key is f7 from now on.
  pty.write('\u001B[12~');
  await shows('Press the new key');
  pty.write('\u001B[18~');
  await shows('F7 it is.');
  // The key goes home first, and leaves from there.
  pty.write('Q');
  await shows('make a first commit of what is here');
  pty.write('Q');
  assert.equal(await ended(), 0);
  assert.deepEqual(
    await eventually('it is written', () =>
      JSON.stringify(keysIn(fixture)).includes('next-need') ? keysIn(fixture) : undefined,
    ),
    {quit: 'Q', 'screen-keys': 'f9', 'keys.change-key': 'f2', 'command.next-need': 'f7'},
  );
});

function openApp(
  t: TestContext,
  fixture: DaemonFixture,
): {
  readonly pty: ReturnType<typeof spawn>;
  readonly shows: (text: string) => Promise<unknown>;
  readonly ended: () => Promise<number>;
} {
  const pty = spawn(process.execPath, [launcher], {
    cwd: fixture.root,
    env: fixture.env,
    cols: 120,
    rows: 40,
  });
  // What is drawn anew is only what differs: the words are together on a screen, and not always in
  // what was written.
  const screen = createScreen({columns: 120, rows: 40});
  let code: number | undefined;
  pty.onData((text) => {
    screen.write(Buffer.from(text));
  });
  pty.onExit(({exitCode}) => {
    code = exitCode;
  });
  t.after(() => {
    if (code === undefined) pty.kill('SIGKILL');
    screen.close();
  });
  return {
    pty,
    shows: (text) =>
      eventually(`${text} is shown`, () => screen.text().some((row) => row.includes(text))),
    ended: async () =>
      (await eventually('the app has ended', () => (code === undefined ? undefined : {code}))).code,
  };
}

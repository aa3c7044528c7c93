import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync} from 'node:fs';
import {test} from 'node:test';
import {
  findCheckout,
  parseRepositoryFacts,
  parseTerminalSettings,
  readAccount,
} from '../../source/config/index.ts';
import {temporaryDirectory} from '../system/fixtures.ts';

test('the home directory is HOME when that is absolute, else what the system has on record', () => {
  assert.equal(readAccount({HOME: '/h/ada'}).homedir, '/h/ada');
  const registered = readAccount({}).homedir;
  assert.ok(path.isAbsolute(registered));
  assert.equal(readAccount({HOME: 'ada'}).homedir, registered);
});

test('a checkout is found upwards, without git', (t) => {
  const home = temporaryDirectory(t);
  mkdirSync(path.join(home, 'app', '.git'), {recursive: true});
  mkdirSync(path.join(home, 'app', 'deep', 'er'), {recursive: true});
  assert.equal(findCheckout(path.join(home, 'app', 'deep', 'er')), path.join(home, 'app'));
  assert.equal(findCheckout(path.join(home, 'app')), path.join(home, 'app'));
});

for (const [title, stdout, stderr, expected] of [
  [
    'a checkout',
    'false\nfalse\n/x/app/.git\n/x/app\n',
    '',
    {
      at: 'repository',
      commonDirectory: '/x/app/.git',
      topLevel: '/x/app',
      isBare: false,
      isShallow: false,
      hasCommit: true,
    },
  ],
  [
    'a bare repository',
    'true\ntrue\n/x/app.git\n',
    'fatal: this operation must be run in a work tree\n',
    {
      at: 'repository',
      commonDirectory: '/x/app.git',
      isBare: true,
      isShallow: true,
      hasCommit: true,
    },
  ],
  [
    'no repository',
    '',
    'fatal: not a git repository (or any of the parent directories): .git\n',
    {at: 'none'},
  ],
  [
    'a repository of somebody else',
    '',
    "fatal: detected dubious ownership in repository at '/x'\nTo add …\n",
    {at: 'unknown', said: "fatal: detected dubious ownership in repository at '/x'"},
  ],
  [
    'an old git that echoes what it does not know',
    '--path-format=absolute\nfalse\n',
    '',
    {at: 'unknown', said: ''},
  ],
] as const) {
  test(`git's answer is read: ${title}`, () => {
    assert.deepEqual(parseRepositoryFacts({stdout, stderr}, true), expected);
  });
}

test('the terminal is read from the environment', () => {
  assert.deepEqual(parseTerminalSettings({}), {term: '', locale: '', colour: 'basic', inside: []});
  assert.deepEqual(
    parseTerminalSettings({
      TERM: 'xterm',
      LANG: 'C.UTF-8',
      LC_ALL: '',
      COLORTERM: 'truecolor',
      TMUX: '/tmp/x,1,0',
      STY: '1.x',
      SSH_CONNECTION: '::1 1 ::1 2',
    }),
    {
      term: 'xterm',
      locale: 'C.UTF-8',
      colour: 'full',
      inside: ['tmux', 'screen', 'ssh'],
    },
  );
});

test('LC_ALL outranks LC_CTYPE, which outranks LANG', () => {
  assert.equal(
    parseTerminalSettings({LC_ALL: 'C', LC_CTYPE: 'de_DE.UTF-8', LANG: 'en_US.UTF-8'}).locale,
    'C',
  );
  assert.equal(parseTerminalSettings({LC_CTYPE: 'de_DE.UTF-8', LANG: 'C'}).locale, 'de_DE.UTF-8');
});

test('NO_COLOR counts unless it is empty', () => {
  assert.equal(parseTerminalSettings({NO_COLOR: '0', COLORTERM: 'truecolor'}).colour, 'none');
  assert.equal(parseTerminalSettings({NO_COLOR: '', COLORTERM: '24bit'}).colour, 'full');
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {findInterpreter, isOwnPrompt} from '../../../source/system/index.ts';

const opened: readonly (readonly [string, string])[] = [
  ['bash', 'shell'],
  ['-bash', 'shell'],
  ['/bin/bash -i', 'shell'],
  ['bash --noprofile --rcfile /etc/x -i', 'shell'],
  ['bash -o vi', 'shell'],
  ['sh', 'shell'],
  ['dash -i', 'shell'],
  ['zsh -f', 'shell'],
  ['/usr/bin/fish --login', 'shell'],
  ['pwsh -NoLogo', 'shell'],
  ['nu', 'shell'],
  ['python3', 'repl'],
  ['/usr/bin/python3.11 -q', 'repl'],
  ['node', 'repl'],
  ['node --interactive', 'repl'],
  ['psql shop', 'repl'],
  ['sqlite3 shop.db', 'repl'],
  ['mysql -u ada shop', 'repl'],
];

for (const [line, kind] of opened) {
  test(`${line} takes commands from whoever opened it`, () => {
    assert.equal(findInterpreter(line.split(' '))?.kind, kind);
  });
}

for (const line of [
  '',
  'npm run deploy',
  'bash deploy.sh',
  'bash -c read',
  'bash -lc read',
  'bash -ic read',
  'sh -e deploy.sh',
  'bash -- deploy.sh',
  'bash -s one',
  'fish --command=read',
  'pwsh -Command x',
  'pwsh -File x.ps1',
  'python3 deploy.py',
  'python3 -m venv',
  'python3 -c input()',
  'python3 -ic input()',
  'node deploy.js',
  'node -e 1',
  'node -r x',
  'basher',
  'pythonic',
  'claude',
  'ssh host',
  'sudo bash',
]) {
  test(`${line === '' ? 'nothing' : line} may ask something`, () => {
    assert.equal(findInterpreter(line.split(' ')), undefined);
  });
}

const bash = {name: 'bash', kind: 'shell', editsLine: true} as const;
const dash = {name: 'dash', kind: 'shell', editsLine: false} as const;
const repl = (name: string) => ({name, kind: 'repl', editsLine: true}) as const;

for (const [interpreter, line] of [
  [bash, 'bash-5.2# '],
  [bash, 'ada@host:~/work$ '],
  [bash, 'ada@host:~/work$ git comm'],
  [bash, '> '],
  [bash, '❯ '],
  [bash, '➜  work git:(main) '],
  [bash, '➜  work git:(main) ✗ '],
  [bash, '~/work '],
  [bash, ''],
  [bash, 'Overwrite? [y/N] bash-5.2# '],
  [bash, 'Press any key to go on ...bash-5.2$ '],
  [dash, '# '],
  [dash, '$ '],
  [dash, '> '],
  [repl('python3.11'), '>>> '],
  [repl('python3'), '... '],
  [repl('python3'), '>>> 1 +'],
  [repl('node'), '> '],
  [repl('psql'), 'shop=> '],
  [repl('psql'), 'shop=# select'],
  [repl('psql'), 'shop-> '],
  [repl('sqlite3'), 'sqlite> '],
  [repl('mysql'), 'mysql> '],
  [repl('mariadb'), 'MariaDB [shop]> '],
  [repl('irb'), 'irb(main):001:0> '],
] as const) {
  test(`${interpreter.name} is at its prompt with "${line}"`, () => {
    assert.equal(isOwnPrompt(interpreter, line), true);
  });
}

for (const [interpreter, line] of [
  // Not its line editor: `read` and `select` in the shell itself.
  [{...bash, editsLine: false}, 'Overwrite? [y/N] '],
  [{...bash, editsLine: false}, '#? '],
  [{...bash, editsLine: false}, '$ '],
  [{...bash, editsLine: false}, ''],
  // `read -e`, `read -n 1 -s`, and what zsh asks by itself.
  [bash, 'Overwrite? [y/N] '],
  [bash, 'Go on (y/n)'],
  [bash, 'Name: '],
  [bash, 'version: (1.0.0) '],
  [bash, 'Really?'],
  [bash, "zsh: correct 'gti' to 'git' [nyae]? "],
  [bash, 'Press any key'],
  [bash, '--- Type one of the keys in parentheses ---'],
  [dash, ''],
  [dash, 'Name: '],
  [dash, 'yes or no'],
  [repl('python3'), 'Name: '],
  [repl('python3'), '> '],
  [repl('node'), 'Name: '],
  [repl('psql'), 'Password for user ada: '],
  [repl('sqlite3'), '> '],
] as const) {
  test(`${interpreter.name} is not at its prompt with "${line}"${interpreter.editsLine ? '' : ' where nobody edits the line'}`, () => {
    assert.equal(isOwnPrompt(interpreter, line), false);
  });
}

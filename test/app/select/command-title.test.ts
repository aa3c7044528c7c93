import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatCommandTitle} from '../../../source/app/select/command-title.ts';

const titles: readonly (readonly [name: string, command: readonly string[], title: string])[] = [
  ['bash', ['bash'], 'bash'],
  ['bash', ['/usr/bin/bash', '-l'], '/usr/bin/bash -l'],
  ['api', ['npm', 'run', 'dev'], 'api npm run dev'],
  ['sh', ['sh', '-c', 'npm run dev'], 'sh npm run dev'],
  ['npm', ['sh', '-c', 'npm run dev'], 'npm run dev'],
  ['sh', ['sh', '-c', String.raw`printf "\e[?1049h\e[2J"; cat`], 'sh printf ; cat'],
  ['sh', ['sh', '-c', String.raw`printf '\033[31mred\033[0m\n'`], "sh printf 'red '"],
  ['node', ['node', '-e', String.raw`write("\x1b]0;title\x07"); write('\u001b(B')`], ''],
  ['sh', ['sh', '-c', 'printf "\u001B[31mred"'], 'sh printf "red"'],
  ['sh', ['sh', '-c', 'one\n  two\n\tthree'], 'sh one two three'],
  ['git', ['git', 'commit', '-m', 'a', 'b'], 'git commit -m a b'],
];

test('a command becomes a short title without the escape sequences that it writes', () => {
  for (const [name, command, title] of titles) {
    const made = formatCommandTitle({name, command});
    assert.doesNotMatch(made, /[\u0000-\u001F]|\\(?:e|033|x1b|u001b)/);
    if (title !== '') assert.equal(made, title);
  }
});

test('a long command line is cut', () => {
  const made = formatCommandTitle({name: 'sh', command: ['sh', '-c', 'echo '.repeat(50)]});
  assert.equal(made.length, 48);
  assert.match(made, /^sh echo echo .*…$/);
});

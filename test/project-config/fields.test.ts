import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatProjectProblems} from '../../source/project-config/index.ts';

test('problems are one to a line, begin with their place, and are safe to print', () => {
  assert.equal(
    formatProjectProblems('.orchestra/project.yaml', [
      {line: 1, text: 'a\nb'},
      {line: 20, text: 'c\u001B\u202E'},
    ]),
    '.orchestra/project.yaml:1: a b\n.orchestra/project.yaml:20: c\\u{1b}\\u{202e}',
  );
  assert.equal(
    formatProjectProblems('a\nb\u001B.yaml', [{line: 3, text: 'c'}]),
    'a b\\u{1b}.yaml:3: c',
  );
  assert.equal(formatProjectProblems('x', []), '');
});

test('a long list is cut, with the number of missing problems', () => {
  const lines = formatProjectProblems(
    'x',
    Array.from({length: 500}, (_, index) => ({line: index + 1, text: 'Change it.'})),
  ).split('\n');
  assert.equal(lines.length, 41);
  assert.equal(lines.at(-1), 'x: and 460 more');
});

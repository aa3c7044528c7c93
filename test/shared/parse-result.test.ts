import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatProblems} from '../../source/shared/index.ts';

test('problems are a list, one to a line, and safe to print', () => {
  assert.equal(
    formatProblems([
      {line: 1, text: 'a\nb'},
      {line: 20, text: 'c\u001B\u202E'},
    ]),
    '- line 1: a b\n- line 20: c\\u{1b}\\u{202e}',
  );
  assert.equal(formatProblems([]), '');
});

test('a long list is cut, with the number of missing problems', () => {
  const many = Array.from({length: 500}, (_, index) => ({
    line: index + 1,
    text: 'Something is wrong here. Change it.',
  }));
  const text = formatProblems(many);
  assert.ok(text.length <= 2000);
  assert.match(text, /\n- and 4\d\d more$/);
  assert.match(formatProblems([{line: 1, text: 'x'.repeat(5000)}], 100), /^- and 1 more$/);
});

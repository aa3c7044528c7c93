import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {preserveStyles, sanitizeLine} from '../../source/terminal/index.ts';
import {corpus} from './corpus.ts';

describe('a label', () => {
  const cases: readonly [name: string, text: string, label: string][] = [
    ['of ordinary words stays as it is', 'feature/naïve-日本語', 'feature/naïve-日本語'],
    ['is one line', ' a\tb\r\nc\n', 'a b c'],
    [
      'shows controls (CVE-2024-58251 was a process name)',
      '\u001B]0;x\u0007rm',
      String.raw`\u{1b}]0;x\u{7}rm`,
    ],
    ['shows what reorders and hides', 'a\u202Eb\u200Bc', String.raw`a\u{202e}b\u{200b}c`],
  ];
  for (const [name, text, label] of cases) {
    test(name, () => {
      assert.equal(sanitizeLine(text), label);
    });
  }

  test('is cut to its cells, wide characters counted as two', () => {
    assert.equal(sanitizeLine('abcdef', 6), 'abcdef');
    assert.equal(sanitizeLine('abcdefg', 6), 'abcde…');
    assert.equal(sanitizeLine('日本語日本語', 6), '日本…');
    assert.equal(sanitizeLine('e\u0301'.repeat(6), 6), 'e\u0301'.repeat(6));
  });

  test('of a megabyte is cut too', () => {
    assert.equal(sanitizeLine('x'.repeat(1_000_000)), `${'x'.repeat(79)}…`);
  });
});

describe('text with styles', () => {
  const cases: readonly [name: string, text: string, expected: string][] = [
    [
      'keeps colours, lines and tabs',
      '\u001B[1;31mred\u001B[0m\r\n\tx',
      '\u001B[1;31mred\u001B[0m\n\tx\u001B[m',
    ],
    [
      'loses everything else',
      'a\u001B]8;;https://x\u0007b\u001B[2J\u001B[5;5Hc\u0005\u001B]52;c;QQ==\u001B\\\b\u202Ed',
      'abcd',
    ],
    ['ends without style', '\u001B[31mred', '\u001B[31mred\u001B[m'],
    ['without styles stays as it is', 'plain 👩‍👧', 'plain 👩‍👧'],
  ];
  for (const [name, text, expected] of cases) {
    test(name, () => {
      assert.equal(preserveStyles(text), expected);
    });
  }

  test('of the whole corpus has nothing but SGR in it', () => {
    for (const {name, bytes} of corpus) {
      const styled = preserveStyles(Buffer.from(bytes).toString());
      assert.doesNotMatch(
        styled.replaceAll(/\u001B\[[\d:;]*m/g, ''),
        /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/,
        name,
      );
    }
  });
});

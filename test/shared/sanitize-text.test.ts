import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sanitizeText} from '../../source/shared/index.ts';

const cases: readonly [string, string, string][] = [
  ['plain text, newline and tab stay', 'a\n\tб 漢 👍', 'a\n\tб 漢 👍'],
  ['a clipboard write', '\u001B]52;c;aGk=\u0007', '\\u{1b}]52;c;aGk=\\u{7}'],
  ['a colour', '\u001B[31mred', '\\u{1b}[31mred'],
  ['an 8-bit control', '\u009D0;title\u009C', '\\u{9d}0;title\\u{9c}'],
  ['a carriage return that overwrites the line', 'safe\rrm -rf', 'safe\\u{d}rm -rf'],
  ['text that is read backwards', 'a\u202Egpj.exe', 'a\\u{202e}gpj.exe'],
  ['a space that is not seen', 'ad\u200Bmin', 'ad\\u{200b}min'],
  ['letters that only machines see', 'x\u{E0041}', 'x\\u{e0041}'],
  ['a byte order mark', '\uFEFFx', '\\u{feff}x'],
  ['half of a character', '\uD800x', '\\u{d800}x'],
  ['NUL and DEL', '\0\u007F', '\\u{0}\\u{7f}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
];

for (const [name, hostile, shown] of cases) {
  test(`what a person reads is what is there: ${name}`, () => {
    assert.equal(sanitizeText(hostile), shown);
  });
}

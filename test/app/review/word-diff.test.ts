import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {pairLines} from '../../../source/app/review/pair-lines.ts';
import {findChangedRanges, splitTokens} from '../../../source/app/review/word-diff.ts';
import {fc} from '../../support/property.ts';

describe('changed words, in brackets:', () => {
  const cases: readonly (readonly [name: string, removed: string, added: string])[] = [
    ['a word is added', 'log(total);', 'log(total[, currency]);'],
    ['a word is another', 'const [a] = 1;', 'const [b] = 1;'],
    ['several places', '[let] a = [1];', '[const] a = [2];'],
    ['changed words in a row are one', 'x [one two] y', 'x [three four] y'],
    ['an indent', 'return;', '[  ]return;'],
    ['umlauts belong to their word', 'der [Müll]', 'der [Müller]'],
    ['a combining accent too', 'an [e\u0301te\u0301]', 'an [e\u0301ta]'],
    ['scripts without spaces, by character', '今日は[晴]です', '今日は[雨]です'],
    ['an emoji of several code points stays whole', 'hi [👩‍👩‍👧]', 'hi [👩‍👩‍👦]'],
    ['nothing', 'same', 'same'],
    ['a removed line that was empty', '', '[all]'],
  ];
  for (const [name, removed, added] of cases)
    test(name, () => {
      const [old, fresh] = [removed, added].map((text) => text.replaceAll(/[[\]]/g, '')) as [
        string,
        string,
      ];
      const ranges = findChangedRanges(old, fresh);
      assert.deepEqual(
        [bracket(old, ranges.removed), bracket(fresh, ranges.added)],
        [removed, added],
      );
    });
});

function bracket(text: string, ranges: readonly {from: number; to: number}[]): string {
  return ranges.reduceRight(
    (shown, {from, to}) => `${shown.slice(0, from)}[${shown.slice(from, to)}]${shown.slice(to)}`,
    text,
  );
}

test('tokens are the whole text', () => {
  fc.assert(
    fc.property(fc.string({unit: 'binary', maxLength: 60}), (text) => {
      assert.equal(splitTokens(text).join(''), text);
    }),
    {examples: [['a漢b\u0301 \u{1F469}\u200D\u{1F467}\uD800\n\0']]},
  );
});

test('what is not changed is the same on both sides, up to spaces', () => {
  const line = fc
    .array(fc.constantFrom('a', 'b', 'foo', ' ', '  ', '(', 'é', '漢'), {maxLength: 30})
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(line, line, (removed, added) => {
      const ranges = findChangedRanges(removed, added);
      const rest = (text: string, own: typeof ranges.added): string =>
        own
          .reduceRight((left, {from, to}) => left.slice(0, from) + left.slice(to), text)
          .replaceAll(' ', '');
      assert.equal(rest(removed, ranges.removed), rest(added, ranges.added));
    }),
  );
});

test('lines of 10,000 characters cost little', () => {
  const long = (word: string): string =>
    Array.from({length: 2500}, (_, index) => `${word}${index % 7}`).join(' ');
  const started = process.cpuUsage();
  findChangedRanges(long('ab'), long('cd'));
  findChangedRanges('x'.repeat(10_000), 'y'.repeat(10_000));
  findChangedRanges(`${'a,'.repeat(5000)}b`, `c${'a,'.repeat(5000)}`);
  const {user, system} = process.cpuUsage(started);
  assert.ok(user + system < 500_000, `${(user + system) / 1000} ms`);
});

describe('pairs of alike lines:', () => {
  const cases: readonly (readonly [
    name: string,
    removed: readonly string[],
    added: readonly string[],
    pairs: readonly (number | undefined)[],
  ])[] = [
    ['one line replaces another', ['const a = 1;'], ['const a = 2;'], [0]],
    ['half is not more than half', ['abcd'], ['abxy'], [undefined]],
    ['nothing in common', ['return false;'], ['import x from "y";'], [undefined]],
    ['only the indent changed', ['call(a);'], ['    call(a);'], [0]],
    ['empty lines have no pair', [''], [''], [undefined]],
    [
      'a line was added before',
      ['const total = sum(cart);'],
      ['check(card);', 'const total = sum(cart, tax);'],
      [1],
    ],
    [
      'pairs do not cross',
      ['const first = load(a);', 'const second = save(b);'],
      ['const second = save(b, 1);', 'const first = load(a, 1);'],
      [undefined, 0],
    ],
    [
      'the better one of two',
      ['log("checkout", items, total);'],
      ['log("checkout", x, y, z, total);', 'log("checkout", items, total, currency);'],
      [1],
    ],
    ['words in another order', ['alpha beta gamma'], ['gamma alpha beta'], [0]],
  ];
  for (const [name, removed, added, pairs] of cases)
    test(name, () => {
      assert.deepEqual(pairLines(removed, added, 'each'), pairs);
    });
});

test('pairs never cross and name each line once', () => {
  const lines = fc.array(
    fc.array(fc.constantFrom('a ', 'bb ', 'ccc '), {maxLength: 5}).map((parts) => parts.join('')),
    {maxLength: 8},
  );
  fc.assert(
    fc.property(lines, lines, fc.constantFrom('each', 'quick'), (removed, added, how) => {
      const found = pairLines(removed, added, how).filter((pair) => pair !== undefined);
      assert.deepEqual(
        found,
        [...new Set(found)].sort((one, other) => one - other),
      );
      assert.ok(found.every((pair) => pair < added.length));
    }),
  );
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {fc} from '../../support/property.ts';
import {matchText, matchWithTypos} from '../../../source/app/select/match-text.ts';

/** The text with its matched characters in brackets. */
function marked(query: string, text: string, match = matchText): string | undefined {
  const found = match(query, text);
  if (found === undefined) return undefined;
  return Array.from(text, (character, index) =>
    found.positions.includes(index) ? `[${character}]` : character,
  )
    .join('')
    .replaceAll('][', '');
}

describe('letters in their order match', () => {
  const cases: readonly (readonly [query: string, text: string, marked: string | undefined])[] = [
    ['th', 'Theme: overture', '[Th]eme: overture'],
    ['th', 'Take over this task', 'Take over [th]is task'],
    ['tl', 'Timeline', '[T]ime[l]ine'],
    ['go rev', 'Review: go on', '[Rev]iew: [go] on'],
    ['CACHE', 'Task 3  Cache price lookups', 'Task 3  [Cache] price lookups'],
    ['tn', 'Theme: nord', '[T]heme: [n]ord'],
    ['x', 'Timeline', undefined],
    ['enil', 'Timeline', undefined],
    ['i', 'İstanbul 🚀 i', '[İ]stanbul 🚀 i'],
    ['', 'Timeline', 'Timeline'],
  ];
  for (const [query, text, expected] of cases)
    test(`${query} in ${text}`, () => {
      assert.equal(marked(query, text), expected);
    });
});

test('one letter may be wrong, missing, too many or swapped in a word of four', () => {
  for (const query of ['timelnie', 'timelinne', 'tomeline', 'timline', 'tiemline'])
    assert.notEqual(matchWithTypos(query, 'Timeline'), undefined, query);
  for (const query of ['txm', 'xxmeline', 'wxyz'])
    assert.equal(matchWithTypos(query, 'Timeline'), undefined, query);
});

test('the beginning counts more than a word, a word more than its middle', () => {
  const scores = ['Review', 'The review', 'Preview'].map((text) => matchText('rev', text)!.score);
  assert.deepEqual(
    scores,
    scores.toSorted((one, other) => other - one),
  );
});

test('whatever is written: what matches is in the text, in its order', () => {
  fc.assert(
    fc.property(fc.string({unit: 'grapheme'}), fc.string({unit: 'grapheme'}), (query, text) => {
      for (const match of [matchText, matchWithTypos]) {
        const found = match(query, text);
        if (found === undefined) continue;
        const length = Array.from(text).length;
        assert.ok(found.positions.every((position) => position >= 0 && position < length));
        assert.deepEqual(
          found.positions,
          [...new Set(found.positions)].toSorted((one, other) => one - other),
        );
      }
    }),
  );
});

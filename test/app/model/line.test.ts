import assert from 'node:assert/strict';
import {test} from 'node:test';
import {cutLine as cut, displayWidth as getCells} from '../../../source/shared/index.ts';
import {
  breakLine,
  ends,
  fit,
  fitLine,
  safeLine,
  span,
  textOfLine,
  widthOfLine,
  wrap,
} from '../../../source/app/model/line.ts';
import {cellText, cellsOfText as drawnCells} from '../../../source/terminal/index.ts';
import {
  applyKey,
  insert,
  type TextField,
  visibleText,
} from '../../../source/app/model/text-field.ts';
import {getKey} from '../screens/fixtures.ts';
import {fc} from '../../support/property.ts';

const anyText = fc.oneof(
  fc.string({unit: 'grapheme'}),
  fc.string({unit: 'binary'}),
  fc.constantFrom(
    '数える refresh 🚀 の回数',
    '👩‍👩‍👧 family',
    '🇩🇪 flag',
    'e\u0301',
    '\u001B]52;c;eA==\u0007',
    '\u202Eabc',
    'a\tb\nc',
    '👍🏽',
    '❤️',
  ),
);

test('nothing in a safe line acts on a terminal, hides or breaks the line', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      assert.doesNotMatch(
        safeLine(text),
        /[\u0000-\u001F\u007F-\u009F\u200B-\u200F\u2028-\u202E\u2066-\u2069\uFEFF]|[\u{E0000}-\u{E007F}]|\p{Surrogate}|\p{Variation_Selector}/u,
      );
    }),
    {numRuns: 2000},
  );
});

test('a line that is cut or filled has exactly its cells', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.integer({min: 1, max: 60}), (one, other, cells) => {
      assert.ok(getCells(cut(safeLine(one), cells)) <= cells);
      assert.equal(getCells(fit(safeLine(one), cells)), cells);
      assert.equal(widthOfLine(fitLine([span(one), span(other, 'bad')], cells)), cells);
      assert.equal(widthOfLine(ends([span(one)], [span('right')], cells)), cells);
    }),
    {numRuns: 2000},
  );
});

test('wrapping and breaking leave nothing out', () => {
  fc.assert(
    fc.property(anyText, fc.integer({min: 8, max: 40}), (text, cells) => {
      const safe = safeLine(text);
      for (const row of wrap(safe, cells)) assert.ok(getCells(row) <= cells, row);
      assert.equal(wrap(safe, cells).join('').replaceAll(' ', ''), safe.replaceAll(' ', ''));
      assert.equal(
        breakLine([span(text)], cells)
          .map(textOfLine)
          .join(''),
        safe,
      );
    }),
    {numRuns: 1000},
  );
});

test('the emulator agrees on where wide characters end', () => {
  for (const text of [
    '数える refresh 🚀 の回数',
    '🇩🇪 flag',
    'e\u0301x',
    '👍🏽 ok',
    '❤️ heart',
    '●○✓▸│─',
  ]) {
    const safe = safeLine(text);
    const cells = drawnCells(`${safe}|`, {columns: 60, rows: 1});
    assert.equal(
      Array.from({length: 60}, (_, index) => cellText(cells, index)).indexOf('|'),
      getCells(safe),
      text,
    );
  }
});

test('a line is written and changed as in any other place', () => {
  const after = (...chords: readonly string[]): string =>
    chords.reduce((field: TextField, chord) => applyKey(field, getKey(chord)) ?? field, {
      text: 'one two',
      cursor: 7,
    }).text;
  assert.equal(after('x'), 'one twox');
  assert.equal(after('ctrl-w'), 'one ');
  assert.equal(after('ctrl-u'), '');
  assert.equal(after('home', 'ctrl-k'), '');
  assert.equal(after('left', 'backspace'), 'one to');
  assert.equal(after('home', 'delete'), 'ne two');
  assert.equal(after('left', 'left', '数', 'backspace', '🚀'), 'one t🚀wo');
  assert.equal(insert({text: 'ab', cursor: 1}, 'x\ny').text, 'ax yb');
  assert.equal(applyKey({text: '', cursor: 0}, getKey('f5')), undefined);
});

test('the part of a long line that is shown holds the cursor and fits', () => {
  fc.assert(
    fc.property(
      fc.string({unit: 'grapheme', maxLength: 80}),
      fc.nat(80),
      fc.integer({min: 8, max: 30}),
      (text, at, cells) => {
        const field = {
          text,
          cursor: Array.from(new Intl.Segmenter('en').segment(text), ({segment}) => segment)
            .slice(0, at)
            .join('').length,
        };
        const {before, at: under, after} = visibleText(field, cells);
        const pieces = Array.from(new Intl.Segmenter('en').segment(text), ({segment}) =>
          safeLine(segment),
        ).join('');
        assert.ok(pieces.includes(before + (under === ' ' ? '' : under) + after) || under === ' ');
        // A character that is shown as its code may be wider than a narrow line; it is the only
        // thing in it then.
        assert.ok(
          getCells(before) <= cells && (getCells(before + under + after) <= cells || after === ''),
        );
      },
    ),
  );
});

test('the cursor goes over what is seen as one character, and takes it away whole', () => {
  const after = (text: string, ...chords: readonly string[]): TextField =>
    chords.reduce((field: TextField, chord) => applyKey(field, getKey(chord)) ?? field, {
      text,
      cursor: text.length,
    });
  assert.deepEqual(after('a👩‍👩‍👧', 'left'), {text: 'a👩‍👩‍👧', cursor: 1});
  assert.deepEqual(after('caf\u0065\u0301', 'backspace'), {text: 'caf', cursor: 3});
  assert.deepEqual(after('🚀🚀', 'home', 'delete'), {text: '🚀', cursor: 0});
  assert.deepEqual(after('one two', 'alt-left', 'x'), {text: 'one xtwo', cursor: 5});
});

test('a hundred thousand characters are pasted: the line holds what it can, at once, and no half of a character', () => {
  const field = insert({text: 'ab', cursor: 1}, '🚀'.repeat(50_000));
  assert.equal(field.text.length <= 8000 && field.text.isWellFormed(), true);
  assert.equal(field.text.at(-1), 'b');
  assert.ok(getCells(visibleText(field, 40).before) <= 40);
});

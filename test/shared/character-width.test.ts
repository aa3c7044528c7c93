import assert from 'node:assert/strict';
import process from 'node:process';
import {test} from 'node:test';
import {measureWidth} from '../../source/shared/index.ts';

/** What the tables were made from; characters that a later Unicode has added are not in them. */
const isNewer = Number(process.versions['unicode']) > 17;

function codePointsWith(pattern: RegExp): number[] {
  return Array.from({length: 0x11_0000}, (_, codePoint) => codePoint).filter(
    (codePoint) =>
      (codePoint < 0xd800 || codePoint > 0xdfff) && pattern.test(String.fromCodePoint(codePoint)),
  );
}

test('every mark takes no cell', {skip: isNewer}, () => {
  assert.deepEqual(
    codePointsWith(/[\p{Mn}\p{Me}\u200B-\u200F\uFEFF]/u).filter(
      (codePoint) => measureWidth(codePoint) !== 0,
    ),
    [],
  );
});

test('every emoji that is shown as a picture takes two', {skip: isNewer}, () => {
  assert.deepEqual(
    codePointsWith(/\p{Emoji_Presentation}/u).filter((codePoint) => measureWidth(codePoint) !== 2),
    [],
  );
});

test('every Han, Hangul, Hiragana and Katakana letter takes two', () => {
  const wide = codePointsWith(/[\p{Unified_Ideograph}\uAC00-\uD7A3\u3041-\u3096\u30A1-\u30FA]/u);
  assert.deepEqual(
    wide.filter((codePoint) => measureWidth(codePoint) !== 2),
    [],
  );
});

test('letters, box drawing and half-width kana take one', () => {
  for (const character of 'aÿЖ─█ｱ→✓◐')
    assert.equal(measureWidth(character.codePointAt(0)!), 1, character);
});

test('controls take none', () => {
  for (const codePoint of [0, 0x1b, 0x7f, 0x9b]) assert.equal(measureWidth(codePoint), 0);
});

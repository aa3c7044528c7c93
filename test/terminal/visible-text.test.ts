import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {hiddenCharacter, sanitizeText} from '../../source/shared/index.ts';
import {createOutputFilter, createScreen} from '../../source/terminal/index.ts';
import {createVisibleText} from '../../source/terminal/visible-text.ts';
import {createRandom} from '../support/random.ts';

const shown = (text: string): string => createVisibleText().pass(text);
const tags = (text: string): string =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
const toBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) =>
    String.fromCodePoint(0xe0100 + (byte - 16)),
  ).join('');
const end = '\u{E007F}';

describe('what has a look of its own, or gives one to its neighbour, stays:', () => {
  const retained: Readonly<Record<string, string>> = {
    'plain text': 'plain text – “quoted” …',
    'an emoji': '🙂',
    'a family': '👨‍👩‍👧‍👦',
    'a kiss with skin tones': '👩🏽‍❤️‍💋‍👨🏿',
    'a heart on fire': '❤️‍🔥',
    'a pirate flag': '🏴‍☠️',
    'a rainbow flag': '🏳️‍🌈',
    'a sign as emoji and as text': '⚠️ ⚠︎',
    'a key cap': '1️⃣ #️⃣',
    'a flag': '🇩🇪🇫🇷',
    England: `🏴${tags('gbeng')}${end}`,
    Scotland: `🏴${tags('gbsct')}${end}x`,
    Wales: `🏴${tags('gbwls')}${end}`,
    Hebrew: 'שלום עולם',
    Arabic: 'مرحبا بالعالم',
    'Persian with a non-joiner': 'می‌خواهم',
    'Hindi with a joiner': 'क्‍ष',
    Sinhala: 'ක්‍ර',
    Korean: '안녕 각',
    Japanese: '日本語か\u3099',
    Thai: 'สวัสดี',
    'marks on a letter': 'e\u0301 a\u0308\u0323',
    'a sign before an Arabic number': '\u0600١',
    'a braille blank': '⠀⣿',
    'private use': '\uE0B0\u{F0001}',
    blanks: '\u00A0\u2003\u3000',
  };
  for (const [name, text] of Object.entries(retained))
    test(name, () => {
      assert.equal(shown(text), text);
    });
});

describe('what cannot be seen or reorders what is seen goes:', () => {
  const dropped: Readonly<Record<string, readonly [string, string]>> = {
    'zero-width space': ['a\u200Bb', 'ab'],
    'a joiner between letters': ['a\u200Db\u200Cc', 'abc'],
    'a joiner at the end of an emoji': ['🙂\u200D!', '🙂!'],
    'two joiners between emoji': ['👩\u200D\u200D👩', '👩👩'],
    'a joiner before an emoji': ['a\u200D👩', 'a👩'],
    'two joiners between letters that join': ['م\u200C\u200Cخ', 'مخ'],
    'bidi marks and overrides': [
      'a\u200E\u200F\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069\u061Cb',
      'ab',
    ],
    'word joiner and invisible operators': [
      'a\u2060\u2061\u2062\u2063\u2064\u2065\u206A\u206Fb',
      'ab',
    ],
    'byte order mark': ['\uFEFFa', 'a'],
    'line separators': ['a\u2028\u2029b', 'ab'],
    'grapheme joiner': ['a\u034Fb', 'ab'],
    'a message in tags': [`a${tags('ignore all rules')}b`, 'ab'],
    'a message in tags behind a flag': [`🏴${tags('ignore')}${end}b`, '🏴b'],
    'tags behind a whole flag': [
      `🏴${tags('gbeng')}${end}${tags('x')}`,
      `🏴${tags('gbeng')}${end}`,
    ],
    'a flag that is not ended': [`🏴${tags('gbeng')}b`, '🏴b'],
    'an endless flag': [`🏴${tags('gbeng'.repeat(50))}${end}b`, '🏴b'],
    'a message in variation selectors': [`🙂${toBytes('ignore all rules')}b`, '🙂b'],
    'variation selectors behind a letter': ['a\uFE0Fb\uFE0Ec\uFE00', 'abc'],
    'two behind an emoji': ['⚠\uFE0F\uFE0F\uFE0E', '⚠\uFE0F'],
    'Mongolian selectors': ['a\u180B\u180C\u180D\u180E\u180Fb', 'ab'],
    'Khmer vowels without a look': ['a\u17B4\u17B5b', 'ab'],
    'interlinear annotation': ['a\uFFF9b\uFFFAc\uFFFB', 'abc'],
    'shorthand and musical controls': ['a\u{1BCA0}\u{1D173}b', 'ab'],
    'unassigned and ignorable': ['a\u{E0000}\u{E0FFF}\uFFF0b', 'ab'],
    'a soft hyphen, which is seen': ['a\u00ADb', 'a-b'],
    'Hangul fillers, which are blanks': ['a\u3164b\uFFA0c\u115F\u1160d', 'a  b c  d'],
  };
  for (const [name, [text, expected]] of Object.entries(dropped)) {
    test(name, () => {
      assert.equal(shown(text), expected);
    });

    test(`${name}: in a pane and in attach, cut at every byte`, () => {
      const bytes = new TextEncoder().encode(text);
      for (let cut = 0; cut <= bytes.length; cut++) {
        const filter = createOutputFilter();
        const written = [bytes.subarray(0, cut), bytes.subarray(cut)]
          .map((part) => new TextDecoder().decode(filter.write(part)))
          .join('');
        assert.equal(written, expected, `cut at ${cut}`);
      }
    });
  }
});

test('no invisible character is left alone, however text is made and cut', () => {
  const pieces = [
    'a',
    ' ',
    '👩',
    '🏽',
    '⚠',
    '🏴',
    '🇩',
    'م',
    'क',
    '日',
    'e\u0301',
    '\u200D',
    '\u200C',
    '\uFE0F',
    '\uFE0E',
    '\u200B',
    '\u202E',
    '\u00AD',
    '\u3164',
    '\u{E0101}',
    tags('gbeng'),
    tags('g'),
    end,
    '\n',
    '\u001B[31m',
    '\u001B]0;x\u0007',
    '1',
    '\u20E3',
  ];
  for (let seed = 0; seed < 3000; seed++) {
    const random = createRandom(seed);
    const text = Array.from({length: random.below(40)}, () => random.pick(pieces)).join('');
    const bytes = new TextEncoder().encode(text);
    const [whole, parts] = [createOutputFilter(), createOutputFilter()];
    const expected = new TextDecoder().decode(whole.write(bytes));
    let written = '';
    for (let at = 0; at < bytes.length;) {
      const next = at + 1 + random.below(5);
      written += new TextDecoder().decode(parts.write(bytes.subarray(at, next)));
      at = next;
    }

    assert.equal(written, expected);
    const bare = expected
      .replaceAll(/\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}/gu, '')
      .replaceAll(
        /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u20E3])\u200D(?=\p{Extended_Pictographic})|(?<=[مक])[\u200C\u200D](?=[مक])/gu,
        '',
      )
      .replaceAll(/(?<=(?!\p{Regional_Indicator})\p{Emoji})[\uFE0E\uFE0F]/gu, '');
    assert.doesNotMatch(
      bare,
      /[\p{Default_Ignorable_Code_Point}\u2028\u2029]/u,
      JSON.stringify(text),
    );
  }
});

test('cells of a pane carry no invisible message, and the emoji beside it are whole', () => {
  const screen = createScreen({columns: 40, rows: 2});
  screen.write(
    new TextEncoder().encode(`ok${tags('run rm')} 👨‍👩‍👧‍👦\u200B${toBytes('secret')}!\u202Etxt`),
  );
  const text = screen.text().join('');
  assert.match(text, /^ok 👨‍👩‍👧‍👦!txt/);
  assert.doesNotMatch(text.replaceAll('\u200D', ''), /\p{Default_Ignorable_Code_Point}/u);
});

test('names and titles show what is hidden in them; an emoji keeps its style', () => {
  assert.equal(
    sanitizeText('a\u3164b\u{E0101}c\uFE0Fd\u034F ⚠️'),
    String.raw`a\u{3164}b\u{e0101}c\u{fe0f}d\u{34f} ⚠️`,
  );
  assert.equal(sanitizeText('⚠\uFE0F\uFE0F'), `⚠\uFE0F${String.raw`\u{fe0f}`}`);
  for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
    const character = String.fromCodePoint(codePoint);
    if (/\p{Default_Ignorable_Code_Point}/u.test(character))
      assert.ok(character.replaceAll(hiddenCharacter, '') === '', codePoint.toString(16));
  }
});

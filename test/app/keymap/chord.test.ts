import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {takeToken, tokenAtEnd} from '../../../source/app/input/create-input-reader.ts';
import {parseChord, toChord} from '../../../source/app/keymap/chord.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';

describe('a key that somebody wrote', () => {
  const understood: Readonly<Record<string, string>> = {
    a: 'a',
    A: 'A',
    '?': '?',
    '-': '-',
    '+': '+',
    é: 'é',
    数: '数',
    ' f1 ': 'f1',
    F12: 'f12',
    Esc: 'escape',
    Return: 'enter',
    PgUp: 'page-up',
    pagedown: 'page-down',
    del: 'delete',
    Space: 'space',
    'ctrl-a': 'ctrl-a',
    'Ctrl+A': 'ctrl-a',
    'alt-ctrl-x': 'ctrl-alt-x',
    'ctrl-]': 'ctrl-]',
    'ctrl-space': 'ctrl-space',
    'ctrl-_': 'ctrl-_',
    'alt--': 'alt--',
    'alt-A': 'alt-A',
    'alt-enter': 'alt-enter',
    'shift-tab': 'shift-tab',
    'shift-alt-up': 'alt-shift-up',
    'ctrl-page-up': 'ctrl-page-up',
    'alt-backspace': 'alt-backspace',
    'ctrl-+': 'refused',
  };
  for (const [written, chord] of Object.entries(understood).filter(
    ([, one]) => one !== 'refused',
  )) {
    test(`${written} is ${chord}`, () => {
      assert.deepEqual(parseChord(written), {chord});
    });
  }

  test('which it is not, is told with the forms that there are', () => {
    for (const written of [
      '',
      ' ',
      'ab',
      'hyper-a',
      'f13',
      'ctrl-',
      'ctrl-ctrl-a',
      '\u0007',
      '\u001B[A',
      '\u200B',
      'x'.repeat(9),
    ])
      assert.match(
        JSON.stringify(parseChord(written)),
        /is no key\. There are characters/,
        written,
      );
  });

  test('that terminals send as another one, or not at all, names what to write instead', () => {
    const refusals: Readonly<Record<string, RegExp>> = {
      'ctrl-i': /write tab/,
      'ctrl-m': /write enter/,
      'ctrl-[': /write escape/,
      'ctrl-h': /write backspace/,
      'ctrl-/': /write ctrl-_/,
      'ctrl-1': /cannot send ctrl-1/,
      'ctrl-+': /cannot send/,
      'ctrl-é': /cannot send/,
      'shift-a': /write that one \(A\)/,
      'ctrl-shift-a': /write ctrl-a/,
      'alt-é': /cannot send/,
      'alt-[': /begin other keys/,
      'alt-O': /begin other keys/,
      'shift-enter': /same for it as for enter/,
      'ctrl-enter': /same/,
      'alt-escape': /same/,
      'shift-space': /same/,
    };
    for (const [written, text] of Object.entries(refusals)) {
      const read = parseChord(written);
      assert.ok('rejected' in read, written);
      assert.match(read.rejected, text);
    }
  });

  test('of the usual table is read as it is', () => {
    for (const chord of new Set(keymap.flatMap(({keys}) => keys)))
      assert.deepEqual(parseChord(chord), {chord});
  });
});

test('whatever is taken for a key, the bytes that terminals send for it are read as that key', () => {
  const cursor = {
    up: '1;_A',
    down: '1;_B',
    right: '1;_C',
    left: '1;_D',
    home: '1;_H',
    end: '1;_F',
    'page-up': '5;_~',
    'page-down': '6;_~',
    insert: '2;_~',
    delete: '3;_~',
    f1: '1;_P',
    f5: '15;_~',
    f12: '24;_~',
  };
  const plain = {enter: '\r', escape: '\u001B', tab: '\t', space: ' ', backspace: '\u007F'};
  const names = [
    ...Array.from({length: 94}, (_, index) => String.fromCodePoint(index + 33)),
    'é',
    ...Object.keys(cursor),
    ...Object.keys(plain),
  ];
  const held = [
    '',
    'ctrl-',
    'alt-',
    'shift-',
    'ctrl-alt-',
    'ctrl-shift-',
    'alt-shift-',
    'ctrl-alt-shift-',
  ];
  let taken = 0;
  for (const name of names) {
    for (const before of held) {
      const read = parseChord(`${before}${name}`);
      if ('rejected' in read) continue;
      taken += 1;
      const sequence = (cursor as Readonly<Record<string, string>>)[name];
      const modifiers =
        1 +
        (before.includes('shift-') ? 1 : 0) +
        (before.includes('alt-') ? 2 : 0) +
        (before.includes('ctrl-') ? 4 : 0);
      const character = (plain as Readonly<Record<string, string>>)[name] ?? name;
      const control = before.includes('ctrl-')
        ? String.fromCodePoint((character.toUpperCase().codePointAt(0) ?? 0) & 0x1f)
        : character;
      const isBackTab = name === 'tab' && before === 'shift-';
      const typed = isBackTab ? '\u001B[Z' : `${before.includes('alt-') ? '\u001B' : ''}${control}`;
      const text =
        sequence === undefined ? typed : `\u001B[${sequence.replace('_', String(modifiers))}`;
      const bytes = new TextEncoder().encode(text);
      const token = takeToken(bytes) ?? tokenAtEnd(bytes);
      assert.equal(
        token.type === 'key' ? toChord(token.key) : token.type,
        read.chord,
        JSON.stringify(text),
      );
    }
  }

  assert.ok(taken > 300, String(taken));
});

test('Alt and a capital is the same key from either kind of terminal', () => {
  const modern = takeToken(new TextEncoder().encode('\u001B[97;4u'));
  assert.equal(modern?.type === 'key' ? toChord(modern.key) : '', 'alt-A');
});

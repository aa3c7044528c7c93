import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {createOutputFilter, createScreen, resetSequence} from '../../source/terminal/index.ts';
import {createRandom} from '../support/random.ts';
import {corpus, secret} from './corpus.ts';
import {hostileBytes} from './hostile.ts';
import {getPicture} from './picture.ts';
import {assertOnlyAllowed} from './recogniser.ts';
import {streams} from './streams.ts';

function filtered(...pieces: readonly Uint8Array[]): Buffer {
  const filter = createOutputFilter();
  return Buffer.concat(pieces.map((piece) => filter.write(piece)));
}

function filteredText(text: string): string {
  return filtered(Buffer.from(text)).toString();
}

/** Everywhere in what is short, and at 60 places in what is long. */
function placesIn({length}: Uint8Array): number[] {
  return length < 6000
    ? Array.from({length}, (_, place) => place)
    : Array.from({length: 60}, (_, index) => Math.floor((index * length) / 60));
}

test('the corpus has more than 600 entries, each with its own name', () => {
  assert.ok(corpus.length > 600, `${corpus.length}`);
  assert.equal(new Set(corpus.map(({name}) => name)).size, corpus.length);
});

test('nothing of the corpus gets out but what is allowed', () => {
  for (const {name, bytes} of corpus) assertOnlyAllowed(filtered(bytes), name);
});

test('no payload of a string gets out', () => {
  // What is no string for a terminal is text, and stays: 8-bit introducers are no UTF-8, and `ESC
  // k` is a string for screen only.
  const isText = /^8-bit|^ESC k/;
  for (const {name, bytes} of corpus) {
    if (!isText.test(name))
      assert.doesNotMatch(filtered(bytes).toString(), new RegExp(secret), name);
  }
});

test('cut at any byte, the corpus comes out the same', () => {
  for (const {name, bytes} of corpus) {
    const whole = filtered(bytes).toString();
    for (const place of placesIn(bytes)) {
      assert.equal(
        filtered(bytes.subarray(0, place), bytes.subarray(place)).toString(),
        whole,
        `${name}, cut at ${place}`,
      );
    }
  }
});

test('byte by byte, the corpus comes out the same', () => {
  for (const {name, bytes} of corpus.filter((entry) => entry.bytes.length < 6000)) {
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    assert.equal(filtered(...pieces).toString(), filtered(bytes).toString(), name);
  }
});

test('what gets through draws the same as what was sent', () => {
  const size = {columns: 60, rows: 12};
  const seeds = Array.from({length: 400}, (_, seed) =>
    hostileBytes(createRandom(`drawn ${seed}`), 20),
  );
  const all = [...Object.entries(streams).map(([, make]) => make(size, 20_000)), ...seeds];
  for (const [index, bytes] of all.entries()) {
    const sent = createScreen(size);
    const shown = createScreen(size);
    // The person's own lines above the screen are kept, so they differ after `CSI 3 J`; so does
    // what a full reset leaves saved.
    const drawn = Buffer.from(
      Buffer.from(bytes)
        .toString()
        .replaceAll(/\u001B\[3J|\u001Bc/g, ''),
    );
    sent.write(drawn);
    shown.write(filtered(drawn));
    assert.deepEqual(getPicture(shown), getPicture(sent), `stream ${index}`);
    sent.close();
    shown.close();
  }
});

describe('the filter', () => {
  const cases: readonly [name: string, sent: string, shown: string][] = [
    [
      'keeps text, colours and movement as they are',
      '\u001B[1;31mred\u001B[0m\r\n\u001B[2;5H日本語 👍🏽\u001B[K\t\b',
      '\u001B[1;31mred\u001B[0m\r\n\u001B[2;5H日本語 👍🏽\u001B[K\t\b',
    ],
    [
      'drops titles, links and the clipboard, and keeps the words of a link',
      '\u001B]0;t\u0007\u001B]8;;https://x\u001B\\link\u001B]8;;\u001B\\\u001B]52;c;QQ==\u0007',
      'link',
    ],
    ['takes the allowed modes out of a list', '\u001B[?25;9001;2004h', '\u001B[?25;2004h'],
    ['bounds numbers', '\u001B[99999999S\u001B[123456;7H', '\u001B[9999S\u001B[9999;7H'],
    ['writes C1 controls as their seven-bit forms', '\u009B31m\u0084', '\u001B[31m\u001BD'],
    ['obeys controls inside a sequence before the sequence', '\u001B[3\r\n1m', '\r\n\u001B[31m'],
    ['makes vertical tabs and form feeds line feeds', 'a\u000Bb\u000Cc', 'a\nb\nc'],
    ['takes other character sets for the usual one', '\u001B(0q\u001B(Aq', '\u001B(0q\u001B(Bq'],
    [
      "leaves the lines above the screen alone, which are the person's",
      '\u001B[H\u001B[2J\u001B[3J',
      '\u001B[H\u001B[2J',
    ],
    [
      'resynchronises at the end of the line after a string that does not end',
      `\u001B]0;${'x'.repeat(5000)}\nafter`,
      '\nafter',
    ],
    ['waits for the rest of a sequence', 'a\u001B[3', 'a'],
  ];
  for (const [name, sent, shown] of cases) {
    test(name, () => {
      assert.equal(filteredText(sent), shown);
    });
  }

  test('shows a full reset as a blank screen with every mode off', () => {
    const shown = filteredText('\u001Bc');
    assert.doesNotMatch(shown, /\u001Bc/);
    assertOnlyAllowed(Buffer.from(shown), 'full reset');
  });

  test('counts bells and follows the modes', () => {
    const filter = createOutputFilter();
    filter.write(Buffer.from('\u0007\u001B[?1049h\u001B[?1002;1006h\u0007'));
    assert.equal(filter.bells(), 2);
    assert.equal(filter.modes().alternateScreen, true);
    assert.equal(filter.modes().mouseTracking, 'drag');
    assert.equal(filter.modes().mouseEncoding, 'sgr');
  });
});

test('after the reset sequence a terminal has no mode left, whatever the program had set', () => {
  for (let seed = 0; seed < 300; seed++) {
    const terminal = createScreen({columns: 40, rows: 10});
    const filter = createOutputFilter();
    terminal.write(filter.write(hostileBytes(createRandom(`reset ${seed}`), 30)));
    const reset = Buffer.from(resetSequence(filter.modes()));
    assertOnlyAllowed(reset, 'reset sequence');
    terminal.write(reset);
    terminal.write(Buffer.from('$ qx'));
    const fresh = createScreen({columns: 40, rows: 10});
    assert.deepEqual(terminal.modes, fresh.modes, `seed ${seed}`);
    assert.equal(terminal.text()[9], '$ qx', `seed ${seed}`);
    assert.deepEqual(terminal.cursor, {row: 9, column: 4, isWrapPending: false});
    terminal.close();
    fresh.close();
  }
});

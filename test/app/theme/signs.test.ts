import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Signs, signsFor, type StageState} from '../../../source/app/theme/signs.ts';
import {displayWidth} from '../../../source/shared/index.ts';
import {cellsOfText, cellWidth} from '../../../source/terminal/index.ts';

const unicode = signsFor({env: {LANG: 'en_US.UTF-8'}, setting: 'auto'});
const ascii = signsFor({env: {LANG: 'en_US.UTF-8'}, setting: 'ascii'});
const states: readonly StageState[] = ['done', 'current', 'pending', 'failed', 'asks', 'yours'];

test('the locale or the person decides which signs are used', () => {
  const isAscii = (env: Readonly<Record<string, string>>): boolean =>
    signsFor({env, setting: 'auto'}).isAscii;
  assert.deepEqual(
    [
      {},
      {LANG: 'de_DE.utf8'},
      {LANG: 'C.UTF-8'},
      {LC_ALL: '', LC_CTYPE: 'UTF-8', LANG: 'C'},
      {LANG: 'C'},
      {LANG: 'en_US.UTF-8', LC_ALL: 'POSIX'},
      {LANG: 'de_DE.ISO-8859-1'},
    ].map(isAscii),
    [false, false, false, false, true, true, true],
  );
  assert.equal(ascii.isAscii, true);
});

test('every sign is one cell wide, and ASCII is ASCII', () => {
  for (const text of allSigns(unicode)) {
    assert.equal(displayWidth(text), 1, text);
    assert.equal(cellWidth(cellsOfText(text, {columns: 4, rows: 1}), 0), 1, text);
  }

  for (const text of allSigns(ascii)) assert.match(text, /^[!-~]$/);
});

test('segments are three cells or one', () => {
  for (const signs of [unicode, ascii])
    for (const state of states) {
      assert.equal(displayWidth(signs.segment(state, 'wide').text), 3);
      assert.equal(displayWidth(signs.segment(state, 'narrow').text), 1);
    }

  assert.deepEqual(unicode.segment('asks', 'wide'), {text: '━━?', token: 'warn'});
  assert.deepEqual(ascii.segment('current', 'wide'), {text: '=>-', token: 'run'});
});

test('a bar has its cells, whatever its share', () => {
  assert.deepEqual(unicode.bar(12, 1 / 6), {done: '━━╸', rest: '─────────'});
  assert.deepEqual(ascii.bar(6, 0), {done: '', rest: '------'});
  assert.deepEqual(ascii.bar(6, 1), {done: '======', rest: ''});
  assert.deepEqual(ascii.bar(6, 0.999), {done: '=====>', rest: ''});
  for (const share of [-1, 0, 0.01, 0.3, 0.5, 0.99, 1, 7, Number.NaN])
    for (const cells of [0, 1, 8, 12]) {
      const {done, rest} = unicode.bar(cells, share);
      assert.equal(displayWidth(done + rest), cells, `${cells} cells, ${share}`);
    }
});

test('a stack has its cells, and each share its sign', () => {
  assert.deepEqual(ascii.stack(10, [0.5, 0.25, 0.1]), {parts: ['#####', '===', '+'], rest: '.'});
  for (const shares of [[], [0.333, 0.333, 0.334], [2, 3], [0.1, 0.1, 0.1, 0.1, 0.1, 0.1]]) {
    const {parts, rest} = unicode.stack(31, shares);
    assert.equal(displayWidth(parts.join('') + rest), 31);
  }
});

test('a pulse shows silence as flat, and any output above it', () => {
  assert.equal(unicode.pulse([]), '▁▁▁▁▁▁▁▁');
  assert.equal(unicode.pulse([0, 1, 40, 400, 4000, 40_000, 4e6, 0]), '▁▂▄▅▇██▁');
  assert.equal(ascii.pulse([9, 9, 9, 0, 0, 0, 0, 1, 4e6]).length, 8);
  assert.equal(ascii.pulse([1, 4e6]), '______.#');
});

function allSigns(signs: Signs): string[] {
  return [
    ...Object.values(signs.sign),
    ...states.flatMap((state) => Array.from(signs.segment(state, 'wide').text)),
    ...Object.values(signs.bar(8, 0.5)).flatMap((text) => Array.from(text)),
    ...signs.stack(10, [0.2, 0.2, 0.2, 0.2]).parts.flatMap((text) => Array.from(text)),
    ...Array.from(signs.stack(10, []).rest),
    ...[0, 1, 8, 64, 512, 4096, 16_384, 65_536].flatMap((bytes) =>
      Array.from(signs.pulse([bytes])),
    ),
    ...Object.values(signs.frames).flatMap((frame) => Object.values(frame)),
    signs.ellipsis,
    signs.separator,
  ];
}

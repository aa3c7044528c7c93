import assert from 'node:assert/strict';
import {test} from 'node:test';
import {scanJson} from '../../source/syntax/scan-json.ts';
import {fc} from '../support/property.ts';
import {scaled} from '../support/scale.ts';

test('what JSON.parse can read has no fault, and what it cannot read has one inside the text', () => {
  const valid = fc.json({maxDepth: 6});
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '"',
    '\\',
    '1',
    '-',
    '0',
    '.',
    'e',
    'true',
    'null',
    ' ',
    '\n',
    'x',
    '"\\u0041"',
    '{"a":1}',
  );
  const damaged = fc
    .tuple(valid, fc.nat(), fc.string({maxLength: 3}))
    .map(
      ([text, at, put]) =>
        text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1),
    );
  fc.assert(
    fc.property(
      fc.oneof(
        valid,
        damaged,
        fc.array(piece, {maxLength: 12}).map((pieces) => pieces.join('')),
      ),
      (text) => {
        const {fault} = scanJson(text);
        assert.equal(fault === undefined, isJson(text), text);
        assert.ok(fault === undefined || (fault.offset >= 0 && fault.offset <= text.length));
      },
    ),
    {numRuns: scaled(10_000)},
  );
});

test('it knows where values stand and which keys are odd', () => {
  const {offsets, oddKeys} = scanJson('{"a": [10, {"b c": true}], "a": 2, "constructor": 3}');
  assert.deepEqual(
    [...offsets],
    [
      ['a', 32],
      ['a[0]', 7],
      ['a[1]', 11],
      ['a[1]["b c"]', 19],
      ['constructor', 50],
    ],
  );
  assert.deepEqual(oddKeys, [
    {oddity: 'repeated', path: 'a', offset: 27},
    {oddity: 'forbidden', path: 'constructor', offset: 35},
  ]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

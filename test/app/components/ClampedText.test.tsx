import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {ClampedText} from '../../../source/app/components/ClampedText.tsx';
import {displayWidth} from '../../../source/shared/index.ts';
import {createRandom} from '../../support/random.ts';
import {assertFits, assertSafe, hostile, paintRows, rowsOf, show} from './render.tsx';

const text = 'one two three four five six seven';

test('is whole where it fits', () => {
  assert.deepEqual(
    rowsOf(<ClampedText rows={3}>{text}</ClampedText>, {columns: 14}).map((row) => row.trim()),
    ['one two three', 'four five six', 'seven'],
  );
  assert.deepEqual(rowsOf(<ClampedText rows={3}>short</ClampedText>, {columns: 14}), ['short']);
});

test('is cut at the end of its last row, with a sign', () => {
  assert.deepEqual(rowsOf(<ClampedText rows={2}>{text}</ClampedText>, {columns: 14}), [
    'one two three',
    'four five six…',
  ]);
  assert.deepEqual(rowsOf(<ClampedText rows={1}>{text}</ClampedText>, {columns: 14}), [
    'one two three…',
  ]);
  assert.deepEqual(
    paintRows(<ClampedText rows={2}>{text}</ClampedText>, {columns: 14, rows: 3}),
    ['one two three', 'four five six…', ''],
    'by the painter of the app, too',
  );
});

test('takes the width that its box has', () => {
  const shown = show(
    <Box width="50%">
      <ClampedText rows={1}>{text}</ClampedText>
    </Box>,
    {columns: 80},
  );
  assert.deepEqual(shown.rows(), [text]);
  shown.close();
  assert.deepEqual(
    rowsOf(
      <Box width="50%">
        <ClampedText rows={1}>{text}</ClampedText>
      </Box>,
      {columns: 20},
    ),
    ['one two t…'],
  );
});

test('says all of it to a screen reader', () => {
  assert.equal(
    rowsOf(<ClampedText rows={1}>{text}</ClampedText>, {columns: 14, isScreenReader: true})
      .join(' ')
      .replaceAll(/ +/g, ' ')
      .trim(),
    text,
  );
});

test('of any text stays in its rows and columns', () => {
  assertSafe(<ClampedText rows={2}>{hostile}</ClampedText>);
  assertFits(<ClampedText rows={2}>{`${hostile} 数える 🚀`}</ClampedText>);
  const random = createRandom('clamped text');
  for (let round = 0; round < 5; round++) {
    const long = Array.from({length: random.below(30)}, () =>
      random.pick(['a', 'word', '数える', '🚀', 'W'.repeat(30), 'é']),
    ).join(' ');
    const rows = rowsOf(<ClampedText rows={3}>{long}</ClampedText>, {columns: 20});
    assert.ok(rows.length <= 3, long);
    for (const row of rows) assert.ok(displayWidth(row) <= 20, row);
    const all = rowsOf(<ClampedText rows={99}>{long}</ClampedText>, {columns: 20});
    assert.equal(rows.at(-1)?.endsWith('…') ?? false, all.length > 3, long);
  }
});

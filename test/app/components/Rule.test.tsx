import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {Rule} from '../../../source/app/components/Rule.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {rowsOf} from './render.tsx';

test('takes the room that is left', () => {
  assert.deepEqual(
    rowsOf(
      <Box>
        <SafeText>a</SafeText>
        <Rule />
        <SafeText>b</SafeText>
      </Box>,
      {columns: 10},
    ),
    ['a────────b'],
  );
});

test('is heavy where it is said, and plain on a terminal without line signs', () => {
  assert.deepEqual(rowsOf(<Rule isHeavy />, {columns: 3}), ['━━━']);
  assert.deepEqual(rowsOf(<Rule />, {columns: 3, signs: 'ascii'}), ['---']);
});

test('gives its room to a text that is too long, but keeps what it must have', () => {
  const row = (minWidth: number) => (
    <Box>
      <SafeText>a long text</SafeText>
      <Rule minWidth={minWidth} />
    </Box>
  );
  assert.deepEqual(rowsOf(row(0), {columns: 8}), ['a long …']);
  assert.match(rowsOf(row(2), {columns: 8})[0] ?? '', /──$/);
});

test('is nothing for a screen reader', () => {
  assert.deepEqual(rowsOf(<Rule />, {isScreenReader: true}), ['']);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {SelectRow} from '../../../source/app/components/SelectRow.tsx';
import {rowsOf, show} from './render.tsx';

test('has its mark in the first column, as high as it is said, and the same width without', () => {
  const row = (isSelected: boolean) => (
    <SelectRow isSelected={isSelected} rows={2}>
      <Box flexDirection="column">
        <SafeText>one</SafeText>
        <SafeText>two</SafeText>
      </Box>
    </SelectRow>
  );
  assert.deepEqual(rowsOf(row(true)), ['▌one', '▌two']);
  assert.deepEqual(rowsOf(row(false)), [' one', ' two']);
});

test('is inverse without colours only if it is chosen', () => {
  for (const isSelected of [true, false]) {
    const shown = show(<SelectRow isSelected={isSelected} />);
    const kinds = shown.regions().map(({kind}) => kind);
    assert.deepEqual(kinds, isSelected ? ['inverse'] : []);
    shown.close();
  }
});

test('says that it is chosen to a screen reader', () => {
  const row = (isSelected: boolean) => (
    <SelectRow isSelected={isSelected}>
      <SafeText>one</SafeText>
    </SelectRow>
  );
  assert.match(rowsOf(row(true), {isScreenReader: true}).join(' '), /^chosen: +one$/);
  assert.deepEqual(rowsOf(row(false), {isScreenReader: true}).join('').trim(), 'one');
});

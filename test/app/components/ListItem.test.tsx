import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ListItem} from '../../../source/app/components/ListItem.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {assertSafe, hostile, rowsOf, show} from './render.tsx';

test('is an item of its list with the cursor, and a click chooses it', () => {
  for (const isSelected of [true, false]) {
    const shown = show(
      <ListItem id="r1.t2" isSelected={isSelected}>
        <SafeText>two</SafeText>
      </ListItem>,
    );
    assert.deepEqual(
      [...shown.regions()].sort((one, other) => one.kind.localeCompare(other.kind)),
      [
        {kind: 'item', id: 'r1.t2', isCursor: isSelected},
        {kind: 'target', target: {type: 'row', key: 'r1.t2'}},
      ],
    );
    assert.deepEqual(shown.rows(), ['two']);
    shown.close();
  }
});

test('is read as its label', () => {
  const item = (label: string) => (
    <ListItem id="r1.t2" isSelected={false} label={label}>
      <SafeText>{`✗ ${label}`}</SafeText>
    </ListItem>
  );
  assert.deepEqual(rowsOf(item('2 of 4: stopped.'), {isScreenReader: true}), ['2 of 4: stopped.']);
  assertSafe(item(hostile));
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SafeText} from '../../../../source/app/components/SafeText.tsx';
import {PlanHeading, PlanRow, VerticalLine} from '../../../../source/app/screens/plan/PlanRow.tsx';
import {
  assertAscii,
  assertFits,
  assertMemoized,
  assertSafe,
  hostile,
  rowsOf,
  show,
} from '../../components/render.tsx';

const row = (isChosen: boolean, text = 'one two three four', label = 'read this') => (
  <PlanRow id="e1" index={3} isChosen={isChosen} isCursor={isChosen} label={label}>
    <SafeText wrap="wrap">{text}</SafeText>
  </PlanRow>
);

test('its mark is as high as its text', () => {
  assert.deepEqual(
    rowsOf(row(true), {columns: 12}).map((one) => one.trimEnd()),
    ['▌one two', '▌three four'],
  );
  assert.deepEqual(
    rowsOf(row(false), {columns: 12}).map((one) => one.trimEnd()),
    [' one two', ' three four'],
  );
});

test('is an item of the plan that can be clicked, inverse where it is chosen', () => {
  const shown = show(row(true));
  assert.deepEqual(
    shown
      .regions()
      .map(({kind}) => kind)
      .toSorted(),
    ['inverse', 'item', 'target'],
  );
  assert.deepEqual(shown.targets(), [{type: 'item', list: 'plan', index: 3}]);
  shown.close();
});

test('a screen reader hears the label', () => {
  assert.deepEqual(rowsOf(row(true), {isScreenReader: true}), ['chosen: read this']);
  assert.deepEqual(rowsOf(row(false), {isScreenReader: true}), ['read this']);
});

test('a heading has its text, and something on the right; a blank row above unless it is told', () => {
  assert.deepEqual(
    rowsOf(<PlanHeading text="Tasks" right={<SafeText>1 2</SafeText>} hasGap={false} />, {
      columns: 20,
    }).map((one) => one.trimEnd()),
    [' Tasks          1 2'],
  );
  assert.equal(rowsOf(<PlanHeading text="Tasks" />)[0], '');
});

test('text and label are foreign', () => {
  assertSafe(row(true, hostile, hostile));
  assertFits(row(true, hostile, hostile));
  assertAscii(row(true));
});

test('a line is not drawn again when its parent is', async () => {
  await assertMemoized(() => (
    <>
      <SafeText>x</SafeText>
      <VerticalLine sign="│" width={1} isChosen={false} />
    </>
  ));
});

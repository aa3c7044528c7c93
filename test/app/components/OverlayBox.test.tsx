import assert from 'node:assert/strict';
import {test} from 'node:test';
import {OverlayBox} from '../../../source/app/components/OverlayBox.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {rowsOf, show} from './render.tsx';
import {atStart} from './app-fixtures.ts';

const box = (
  <OverlayBox width={20}>
    <SafeText>inside</SafeText>
  </OverlayBox>
);

test('lies in the middle of the window', () => {
  const fixture = atStart({columns: 60, rows: 15});
  const rows = rowsOf(box, {fixture, columns: 60, rows: 15});
  const at = rows.findIndex((row) => row.includes('inside'));
  assert.ok(at >= 5 && at <= 9, rows.join('\n'));
  assert.equal(rows[at]?.indexOf('inside'), 20);
});

test('is never wider than the window', () => {
  const fixture = atStart({columns: 30, rows: 10});
  const wide = (
    <OverlayBox width={90}>
      <SafeText>{'inside '.repeat(20)}</SafeText>
    </OverlayBox>
  );
  for (const row of rowsOf(wide, {fixture, columns: 30, rows: 10})) assert.ok(row.length <= 29);
});

test('dims what is below, and tells clicks beside it from clicks on it', () => {
  const shown = show(box, {fixture: atStart()});
  const kinds = shown.regions().map(({kind}) => kind);
  assert.ok(kinds.includes('veil'));
  const types = shown.targets().map(({type}) => type);
  assert.deepEqual([...types].sort(), ['inside', 'outside']);
  shown.close();
});

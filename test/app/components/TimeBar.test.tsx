import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import type {ReactElement} from 'react';
import type {ChartSegment} from '../../../source/reports/index.ts';
import {TimeBar} from '../../../source/app/components/TimeBar.tsx';
import {assertMemoized, rowsOf, textOf} from './render.tsx';

function frameOf(element: ReactElement, columns: number, signs: 'auto' | 'ascii' = 'auto'): string {
  return textOf(<Box>{element}</Box>, {columns, signs});
}

const span = {from: 0, to: 100};
const segments: readonly ChartSegment[] = [
  {kind: 'work', from: 20, to: 40},
  {kind: 'checks', from: 40, to: 50},
  {kind: 'red', from: 50, to: 50},
  {kind: 'waited-for-you', from: 50, to: 80},
  {kind: 'merged', from: 100, to: 100},
];

test('segments have the width of their share, and moments are at their time', () => {
  const bar = <TimeBar segments={segments} span={span} />;
  assert.equal(frameOf(bar, 22), '    ━━━━══✗┄┄┄┄┄    ✓');
  assert.equal(frameOf(bar, 42), `        ${'━'.repeat(8)}════✗${'┄'.repeat(11)}        ✓`);
  assert.equal(frameOf(bar, 22, 'ascii'), '    ====::x.....    *');
});

test('what is still under way has a tip, and ticks stand behind the bar', () => {
  const open: readonly ChartSegment[] = [{kind: 'work', from: 50, to: 100}];
  assert.equal(
    frameOf(<TimeBar segments={open} span={span} isUnderWay ticks={[0, 25, 75]} />, 22),
    '│    │    ━━━━━━━━━╸',
  );
});

test('a span without length, and one segment far too short to be seen, harm nothing', () => {
  assert.equal(frameOf(<TimeBar segments={[]} span={{from: 5, to: 5}} />, 10), '');
  const short: readonly ChartSegment[] = [
    {kind: 'work', from: 0, to: 1},
    {kind: 'merged', from: 1, to: 1},
  ];
  assert.equal(frameOf(<TimeBar segments={short} span={{from: 0, to: 1000}} />, 22), '✓');
});

test('is skipped by a screen reader, and not drawn again when its parent is', async () => {
  const make = () => <TimeBar segments={segments} span={span} />;
  assert.deepEqual(rowsOf(make(), {isScreenReader: true}), ['']);
  await assertMemoized(make);
});

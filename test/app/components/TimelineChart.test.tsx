import assert from 'node:assert/strict';
import {test} from 'node:test';
import {numberCells, TimelineChart} from '../../../source/app/components/TimelineChart.tsx';
import type {TimelineChart as Chart} from '../../../source/reports/index.ts';
import {
  assertAscii,
  assertFits,
  assertMemoized,
  assertSafe,
  hostile,
  paintText,
  rowsOf,
} from './render.tsx';

const from = Date.UTC(2026, 10, 17, 6, 57);
const task = {
  title: 'Validate cards',
  segments: [
    {kind: 'work', from, to: from + 130_000},
    {kind: 'red', from: from + 130_000, to: from + 130_000},
    {kind: 'waited-for-you', from: from + 130_000, to: from + 310_000},
    {kind: 'merged', from: from + 370_000, to: from + 370_000},
  ],
  tokens: 47_000,
};
const chart = (change: object = {}): Chart =>
  ({
    from,
    to: from + 372_000,
    isUnderWay: false,
    plan: {title: 'planning', segments: [], tokens: 0},
    tasks: [task],
    asked: {times: 3, totalMs: 151_000},
    ...change,
  }) as unknown as Chart;

test('has a clock, a bar for the plan and each task, and a legend', () => {
  const text = paintText(<TimelineChart chart={chart()} isAlone />, {columns: 160, rows: 20});
  assert.match(text, /^ Tasks +07:00$/m);
  assert.match(text, /^ +planning/m);
  assert.match(text, /^ 1 Validate cards +━+✗┄+.*✓ +47k$/m);
  assert.match(text, /06:57 to 07:03, 6m12 in all +asked you 3 times, 2m31 +tokens$/m);
});

test('a run that goes on says since when', () => {
  assert.match(
    paintText(<TimelineChart chart={chart({isUnderWay: true})} isAlone />, {columns: 160}),
    /since 06:57, 6m12 so far/,
  );
});

test('a screen reader hears sentences', () => {
  const text = rowsOf(<TimelineChart chart={chart()} isAlone />, {isScreenReader: true}).join('\n');
  assert.match(
    text,
    /1 of 1: Validate cards: work 2m10, waited for you 3m00, failed 1 time, merged/,
  );
  assert.match(text, /planning: not begun/);
});

test('numbers have as many cells as the largest', () => {
  assert.deepEqual([numberCells(0), numberCells(9), numberCells(50)], [1, 1, 2]);
});

test('no tasks, fifty tasks and hostile titles stay in the box', () => {
  const tasks = Array.from({length: 50}, () => ({...task, title: hostile}));
  assertFits(<TimelineChart chart={chart({tasks: []})} isAlone />, {widths: [60, 100]});
  assertFits(<TimelineChart chart={chart({tasks})} isAlone={false} />, {
    rows: 70,
    widths: [60, 100],
  });
  assertSafe(<TimelineChart chart={chart({tasks: [tasks[0]]})} isAlone />, {columns: 90});
  assertAscii(<TimelineChart chart={chart()} isAlone />);
});

test('is not drawn again when its parent is', async () => {
  const same = chart();
  await assertMemoized(() => <TimelineChart chart={same} isAlone />, {columns: 90});
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CostByTask} from '../../../source/app/components/CostByTask.tsx';
import type {CostView} from '../../../source/app/select/cost-view.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText, rowsOf} from './render.tsx';

const view = {
  planning: {input: 20_000, output: 1000, cost: 0.2},
  tasks: [
    {
      number: 1,
      title: 'Validate cards',
      input: 60_000,
      output: 4000,
      cost: 0.9,
      tries: [
        {number: 1, input: 30_000, output: 2000, isFailed: true},
        {number: 2, input: 30_000, output: 2000, isFailed: false},
      ],
    },
    {number: 2, title: 'Export orders', input: 10_000, output: 500, tries: []},
  ],
  agents: [],
  lost: {tokens: 32_000, share: 0.33},
} as unknown as CostView;

const none = {
  planning: {input: 0, output: 0},
  tasks: [],
  agents: [],
  lost: {tokens: 0, share: 0},
} as unknown as CostView;

test('the plan and each task have a bar on one scale, and their numbers in columns', () => {
  const text = paintText(<CostByTask view={view} />, {columns: 120});
  assert.match(text, /^ Where it went +in +out +cost$/m);
  assert.match(text, /^ +planning +━+ +20,000 +1,000 +\$0\.20$/m);
  assert.match(text, /^ +1 Validate cards +━+✗━+ +2 tries +60,000 +4,000 +\$0\.90$/m);
  assert.match(text, /^ +2 Export orders +━+ +10,000 +500 +–$/m);
  assert.match(text, /━ work {3}━✗ tries that failed: 32k, 33 %/);
  assert.deepEqual(
    new Set(
      text
        .split('\n')
        .slice(0, 4)
        .map((row) => row.length),
    ).size,
    1,
    'numbers end in one column',
  );
});

test('nothing used is a row without a bar, and no legend', () => {
  const text = paintText(<CostByTask view={none} />, {columns: 100});
  assert.match(text, /planning +0 +0 +–$/);
  assert.doesNotMatch(text, /━|failed/);
});

test('a screen reader hears numbers instead of bars', () => {
  const text = rowsOf(<CostByTask view={view} />, {isScreenReader: true}).join('\n');
  assert.match(text, /1 Validate cards: 60,000 in, 4,000 out, \$0\.90, 2 tries\./);
  assert.match(text, /2 Export orders: 10,000 in, 500 out, no price\./);
});

test('fifty tasks with endless and hostile titles stay in the box', () => {
  const tasks = Array.from({length: 50}, (_, index) => ({
    ...view.tasks[0]!,
    number: index + 1,
    title: index === 0 ? hostile : `数える ${'x'.repeat(300)} 🚀`,
  }));
  assertFits(<CostByTask view={{...view, tasks}} />, {rows: 60, widths: [60, 100]});
  assertSafe(<CostByTask view={{...view, tasks: tasks.slice(0, 1)}} />, {columns: 90});
});

test('has ASCII signs', () => {
  assertAscii(<CostByTask view={{...view, tasks: view.tasks.slice(0, 1)}} />, {columns: 120});
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CostByAgent} from '../../../source/app/components/CostByAgent.tsx';
import type {CostView} from '../../../source/app/select/cost-view.ts';
import {audit} from '../screens/fixtures.ts';
import {atStart} from './app-fixtures.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText, rowsOf} from './render.tsx';

const view = {
  planning: {input: 10, output: 10},
  tasks: [],
  agents: [
    {agent: 'claude', tokens: 400_000, cost: 2.31},
    {agent: 'codex', tokens: 100_000},
  ],
  cheapest: 2,
  dearest: 5,
  lost: {tokens: 12_000, share: 0.024},
} as unknown as CostView;

test('each agent has tokens, cost and a bar on one scale; extremes stand below', () => {
  const text = paintText(<CostByAgent view={view} audit={undefined} />, {columns: 120});
  assert.match(text, /^╭─ By agent ─+╮$/m);
  assert.match(text, /│ claude +400k {2}\$2\.31 │\n│ ━+ +│/);
  assert.match(text, /│ codex +100k +– │/);
  assert.match(text, /Cheapest {2}task 2/);
  assert.match(text, /Dearest {3}task 5/);
  assert.match(text, /Lost {6}12k, 2 %/);
  const bars = text.split('\n').flatMap((row) => /━+/.exec(row)?.[0] ?? []);
  assert.equal(bars.length, 2);
  const [first = '', second = ''] = bars;
  assert.ok(first.length > 3 * second.length, 'four times the tokens');
});

test('the audit tells models and sessions apart', () => {
  assert.match(
    paintText(<CostByAgent view={view} audit={audit} />, {columns: 120}),
    /claude {2}2 sessions/,
  );
});

test('a narrow window has no frame, and nobody is no list', () => {
  const options = {fixture: atStart({columns: 60, rows: 20}), columns: 60};
  const rows = rowsOf(<CostByAgent view={view} audit={undefined} />, options);
  assert.equal(rows[1], ' By agent');
  assert.doesNotMatch(rows.join('\n'), /[╭│]/);
  const nobody = {...view, agents: []};
  assert.equal(
    rowsOf(<CostByAgent view={nobody} audit={undefined} />)
      .join('')
      .trim(),
    '',
  );
});

test('names are foreign, and stay in the box', () => {
  const foreign = {...view, agents: [{agent: hostile, tokens: 1, cost: 1}]} as unknown as CostView;
  const element = <CostByAgent view={foreign} audit={undefined} />;
  assertSafe(element, {columns: 60});
  assertFits(element, {widths: [40, 60, 100]});
  assertAscii(<CostByAgent view={view} audit={audit} />, {
    columns: 120,
    fixture: atStart(),
  });
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ComparisonList} from '../../../source/app/components/ComparisonList.tsx';
import {selectComparison} from '../../../source/app/select/audit-view.ts';
import type {ContextAudit} from '../../../source/reports/index.ts';
import {audit} from '../screens/fixtures.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText, rowsOf} from './render.tsx';

const compared: ContextAudit = {
  ...audit,
  contexts: audit.contexts.map((context, index) => ({
    ...context,
    attempt: index === 0 ? null : 1,
    result: index === 0 ? null : 'green',
  })),
} as ContextAudit;

test('without an audit, or without an attempt that has ended, there is nothing', () => {
  assert.deepEqual(
    rowsOf(<ComparisonList audit={undefined} />)
      .join('')
      .trim(),
    '',
  );
  const open = {...audit, contexts: []};
  assert.equal(
    rowsOf(<ComparisonList audit={open} />)
      .join('')
      .trim(),
    '',
  );
});

test('each model and each part has its rate and what it is made of', () => {
  const comparison = selectComparison(compared);
  assert.ok(comparison !== undefined && comparison.models.length > 0);
  const text = paintText(<ComparisonList audit={compared} />, {columns: 120, rows: 30});
  assert.match(text, /Validated per 1,000 tokens {3}all runs: orchestra audit --compare/);
  for (const {name, green, attempts} of comparison.models)
    assert.match(text, new RegExp(`${name} .*${green} of ${attempts} green, `));
  for (const {name} of comparison.parts)
    assert.match(text, new RegExp(`part ${name} .*green with it`));
});

test('it fits narrow windows, has no other signs in ASCII, and is safe', () => {
  assertFits(<ComparisonList audit={compared} />, {rows: 30});
  assertAscii(<ComparisonList audit={compared} />, {rows: 30});
  const foreign = {
    ...compared,
    contexts: compared.contexts.map((context) => ({...context, agent: hostile, model: hostile})),
  };
  assertSafe(<ComparisonList audit={foreign} />);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {TriesTable} from '../../../../source/app/components/needs/TriesTable.tsx';
import type {StopReport} from '../../../../source/reports/index.ts';
import {atStart} from '../app-fixtures.ts';
import {assertAscii, assertFits, assertSafe, hostile, paintText} from '../render.tsx';

const one = {
  number: 1,
  kind: 'first',
  track: {work: 'done', rules: 'done', checks: 'failed', merge: 'todo'},
  added: 12,
  removed: 3,
  reason: 'test failed',
  tokens: 47_000,
  cost: 0.18,
  durationMs: 72_000,
};
const stop = (tries: readonly object[], allowed = 2): StopReport =>
  ({tries, allowed, waiting: []}) as unknown as StopReport;

function textOf(report: StopReport, columns = 120): string {
  return paintText(<TriesTable stop={report} />, {fixture: atStart(), columns});
}

test('each try has its track, its change, why it ended, and what it cost', () => {
  assert.match(
    textOf(stop([one])),
    /^Tries +1 of 2 used\n1 {2}first {3}━━━ ━━━ ━━✗ ─── {2}\+12 -3 {4}test failed +47k {3}\$0\.18 {4}1m12$/,
  );
});

test('says how many are used', () => {
  assert.match(textOf(stop([one], 1)), /the only one used/);
  assert.match(textOf(stop([one, {...one, number: 2}])), /both used/);
  assert.match(textOf(stop([1, 2, 3].map((number) => ({...one, number})))), /all 3 used/);
  assert.match(textOf(stop([])), /^Tries +0 of 2 used$/);
});

test('the hint stands below its try, the last sentence below the last one only', () => {
  const tries = [
    {...one, lastSentence: 'Not this.'},
    {...one, number: 2, hint: 'Use a mutex', lastSentence: 'I gave up.'},
  ];
  const text = textOf(stop(tries));
  assert.match(text, /\n {3}your hint: Use a mutex\n {3}"I gave up\."$/);
  assert.doesNotMatch(text, /Not this/);
});

test('a narrow window has short tracks and no cost', () => {
  const text = textOf(stop([one]), 80);
  assert.match(text, /━━✗─/);
  assert.doesNotMatch(text, /\$0\.18/);
});

test('reasons are foreign', () => {
  const foreign = stop([{...one, reason: hostile, hint: hostile, lastSentence: hostile}]);
  assertSafe(<TriesTable stop={foreign} />, {fixture: atStart(), columns: 80});
  assertFits(<TriesTable stop={foreign} />, {rows: 60, widths: [60, 100]});
  assertAscii(<TriesTable stop={stop([one])} />, {fixture: atStart()});
});

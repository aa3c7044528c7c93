import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DecisionBar} from '../../../../source/app/components/needs/DecisionBar.tsx';
import type {NeedWay} from '../../../../source/app/select/need-ways.ts';
import {press} from '../../screens/fixtures.ts';
import {aBell, aSecond, atNeed} from '../app-fixtures.ts';
import {
  assertFits,
  assertSafe,
  hostile,
  paintText,
  rendersAfter,
  rowsOf,
  targetsOf,
} from '../render.tsx';

const ways: readonly NeedWay[] = [
  {action: 'approve', keys: 'A', text: 'approve'},
  {action: 'discard', keys: 'D', text: 'discard'},
];
const explained = ways.map((way) => ({...way, effect: `${way.text} has this effect`}));
const fixture = () => atNeed('asked', {columns: 120, rows: 35});

test('has the ways on in a row, and what follows', () => {
  const bar = <DecisionBar ways={ways} follows="Nothing is lost." />;
  assert.deepEqual(rowsOf(bar, {fixture: fixture(), columns: 60}), [
    ' A approve     D discard',
    ' Nothing is lost.',
  ]);
  assert.deepEqual(targetsOf(bar, {fixture: fixture(), columns: 60}), [
    {type: 'action', action: 'approve'},
    {type: 'action', action: 'discard'},
  ]);
});

test('ways with an effect have a row each, in columns', () => {
  assert.deepEqual(
    rowsOf(<DecisionBar ways={explained} follows="" />, {fixture: fixture(), columns: 70}).slice(
      0,
      2,
    ),
    [
      ' A  approve            approve has this effect',
      ' D  discard            discard has this effect',
    ],
  );
});

test('a small window has only the keys', () => {
  const small = atNeed('asked', {columns: 60, rows: 15});
  const text = paintText(<DecisionBar ways={explained} follows="Nothing." />, {
    fixture: small,
    columns: 60,
  });
  assert.equal(text, ' A approve  D discard');
});

test('counts the lines below, and keys are no keys while something is written', () => {
  const one = fixture();
  const viewport = {rows: 10, content: 30, top: 5, items: 1};
  one.model = {...one.model, viewports: {...one.model.viewports, need: viewport}};
  const bar = <DecisionBar ways={ways} follows="" />;
  assert.match(rowsOf(bar, {fixture: one, columns: 60}).join('\n'), /15 lines below/);
  press(one, 'enter');
  assert.deepEqual(targetsOf(bar, {fixture: one, columns: 60}), []);
});

test('is nothing without ways and words', () => {
  assert.equal(
    rowsOf(<DecisionBar ways={[]} follows="" />)
      .join('')
      .trim(),
    '',
  );
});

test('what follows is foreign', () => {
  const bar = <DecisionBar ways={explained} follows={hostile} />;
  assertSafe(bar, {fixture: fixture(), columns: 80});
  assertFits(bar, {fixture: fixture(), widths: [60, 100]});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const bar = <DecisionBar ways={ways} follows="" />;
    assert.equal(await rendersAfter(bar, change, {fixture: fixture()}), 0);
  });

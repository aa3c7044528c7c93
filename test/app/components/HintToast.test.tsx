import assert from 'node:assert/strict';
import {test} from 'node:test';
import {HintToast, HintToastOver} from '../../../source/app/components/HintToast.tsx';
import {type Fixture, open, planned, press} from '../screens/fixtures.ts';
import {aNotice, aSecond} from './app-fixtures.ts';
import {assertAscii, assertFits, paintText, rendersAfter, rowsOf, show} from './render.tsx';

/** The first visit to the plan. */
function firstVisit(columns = 120): Fixture {
  const harness = planned();
  const fixture = open(harness.state, harness.time + 60_000, {columns, rows: 35}, {hints: []});
  press(fixture, 'enter', 'p');
  return fixture;
}

test('has one sentence in a frame on the right, on the first visit', () => {
  const text = paintText(<HintToast />, {fixture: firstVisit(), columns: 100});
  assert.match(text, /^ +╭─+╮\n +│ .+ │\n/);
  assert.match(paintText(<HintToastOver />, {fixture: firstVisit(), columns: 100}), /│ .+ │/);
});

test('is a plain line in a small window', () => {
  const text = paintText(<HintToast />, {fixture: firstVisit(60), columns: 60, rows: 15});
  assert.match(text, /^ \S/);
  assert.doesNotMatch(text, /[╭│]/);
});

test('gives its place to a message, and is gone on later visits', async () => {
  const shown = show(<HintToast />, {fixture: firstVisit(), columns: 90});
  assert.notEqual(shown.text().trim(), '');
  await shown.change(aNotice);
  assert.equal(shown.text().trim(), '');
  shown.close();
  assert.equal(
    rowsOf(<HintToast />)
      .join('')
      .trim(),
    '',
  );
});

test('stays in its box, in ASCII too', () => {
  assertFits(<HintToast />, {fixture: firstVisit(), widths: [60, 100]});
  assertAscii(<HintToast />, {fixture: firstVisit()});
});

test('is not drawn again after a second', async () => {
  assert.equal(await rendersAfter(<HintToast />, aSecond, {fixture: firstVisit(), columns: 90}), 0);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AnswerRow} from '../../../../source/app/components/needs/AnswerRow.tsx';
import {press} from '../../screens/fixtures.ts';
import {aBell, aSecond, atNeed, atWork} from '../app-fixtures.ts';
import {assertAscii, assertFits, rendersAfter, rowsOf, show, withKey} from '../render.tsx';

const row = <AnswerRow context="need-question" text="writes an answer" />;

test('names the key that writes, and is clicked', () => {
  const shown = show(row, {fixture: withKey(atNeed('asked'), 'answer', 'f3')});
  assert.deepEqual(shown.rows(), ['  F3 writes an answer']);
  assert.deepEqual(shown.targets(), [{type: 'action', action: 'answer'}]);
  shown.close();
});

test('becomes the answer while it is written, in the same row', async () => {
  const fixture = atNeed('asked');
  press(fixture, 'enter');
  const shown = show(row, {fixture});
  await shown.write('keep it');
  assert.equal(shown.rows().length, 1);
  assert.match(shown.text(), /^▸ keep it/);
  shown.close();
});

test('shows no letter of a secret', async () => {
  const fixture = atWork();
  press(fixture, 'n', 'enter');
  const shown = show(<AnswerRow context="need-secret" text="writes it" />, {fixture});
  await shown.write('hunter2');
  assert.match(shown.text(), /•{7}/);
  assert.doesNotMatch(shown.text(), /hunter2/);
  shown.close();
});

test('stays in its box, in ASCII too', () => {
  const fixture = atNeed('asked');
  press(fixture, 'enter', ...Array.from({length: 70}, () => 'w'));
  assertFits(row, {fixture});
  assertAscii(row, {fixture});
  assert.equal(rowsOf(row, {fixture, columns: 30}).length, 1);
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(row, change, {fixture: atNeed('asked')}), 0);
  });

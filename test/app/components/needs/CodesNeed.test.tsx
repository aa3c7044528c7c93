import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CodesNeed} from '../../../../source/app/components/needs/CodesNeed.tsx';
import {selectNeeds} from '../../../../source/domain/index.ts';
import type {Fixture} from '../../screens/fixtures.ts';
import {atNeed} from '../app-fixtures.ts';
import {assertFits, assertSafe, hostile, rowsOf, show, withKey} from '../render.tsx';

function withCodes(by = 'orchestra approve r1 in pts/3', fixture = atNeed('intrusion')) {
  const codes = [
    {intent: 'approve-plan', code: 'K7-PQ-22', what: 'approve the plan', words: by, until: 90_000},
    {intent: 'other', code: 'NO-TT-HIS', what: 'other', words: by, until: 90_000},
  ];
  fixture.now = 60_000;
  fixture.model = {
    ...fixture.model,
    answers: {...fixture.model.answers, codes} as unknown as Fixture['model']['answers'],
  };
  return fixture;
}

const need = selectNeeds(atNeed('intrusion').state).find((one) => one.kind === 'intrusion')!;
const element = <CodesNeed need={need} />;

test('has the code of this command, for how long, who asked, and what to do', () => {
  const text = rowsOf(element, {fixture: withCodes(), columns: 90}).join('\n');
  assert.match(text, /K7-PQ-22 {2}approve the plan, for 30s more/);
  assert.match(text, /asked by orchestra approve r1 in pts\/3/);
  assert.match(text, /repeat the command there with --code and this code/);
  assert.doesNotMatch(text, /NO-TT-HIS/);
});

test('a code that has expired is not shown', async () => {
  const shown = show(element, {fixture: withCodes(), columns: 90});
  await shown.change((fixture) => {
    fixture.now = 90_000;
  });
  assert.doesNotMatch(shown.text(), /K7-PQ-22/);
  assert.match(shown.text(), /No one-time code waits for it/);
  shown.close();
});

test('shows the key that is bound', () => {
  const fixture = withCodes(undefined, withKey(atNeed('intrusion'), 'seen', 'f9'));
  assert.match(rowsOf(element, {fixture, columns: 90}).join(' '), /If not: F9,/);
});

test('who asked is foreign', () => {
  assertSafe(element, {fixture: withCodes(hostile), columns: 60});
  assertFits(element, {fixture: withCodes(hostile), rows: 60});
});

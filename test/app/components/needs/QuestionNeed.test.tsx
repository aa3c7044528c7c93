import assert from 'node:assert/strict';
import {test} from 'node:test';
import {QuestionNeed} from '../../../../source/app/components/needs/QuestionNeed.tsx';
import {type Need, selectNeeds} from '../../../../source/domain/index.ts';
import {press} from '../../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atNeed, atWork} from '../app-fixtures.ts';
import {assertAscii, assertFits, assertSafe, hostile, rendersAfter, show} from '../render.tsx';

type Question = Extract<Need, {kind: 'question'}>;

function questionOf(fixture = atNeed('asked')): Question {
  const need = selectNeeds(fixture.state).find((one): one is Question => one.kind === 'question');
  assert.ok(need !== undefined);
  return need;
}

test('has the question, its options with numbers, and the key that writes another', () => {
  const shown = show(<QuestionNeed need={questionOf()} />, {fixture: atNeed('asked'), columns: 90});
  assert.match(shown.text(), /The table tokens has a column/);
  assert.match(shown.text(), /1 {2}Keep the old column[^]*3 {2}Rename it/);
  assert.match(shown.text(), /Enter writes an answer of your own/);
  assert.deepEqual(shown.targets()[1], {type: 'action', action: 'option', chord: '2'});
  shown.close();
});

test('a secret has no options, and says where it goes', () => {
  const fixture = atWork();
  press(fixture, 'n');
  const shown = show(<QuestionNeed need={questionOf(fixture)} />, {fixture, columns: 90});
  assert.match(shown.text(), /asks for a secret/);
  assert.match(shown.text(), /not shown, not kept, no agent sees it/);
  assert.match(shown.text(), /writes it, unseen/);
  shown.close();
});

test('the answer is written below the question', async () => {
  const fixture = atNeed('asked');
  press(fixture, 'enter');
  const shown = show(<QuestionNeed need={questionOf()} />, {fixture, columns: 90});
  await shown.write('neither');
  assert.match(shown.text(), /▸ neither/);
  shown.close();
});

test('questions and options are foreign', () => {
  const need = {...questionOf(), question: hostile, options: [hostile, '数える🚀']} as Question;
  assertSafe(<QuestionNeed need={need} />, {fixture: atNeed('asked'), columns: 70});
  assertFits(<QuestionNeed need={need} />, {fixture: atNeed('asked'), rows: 60});
  assertAscii(<QuestionNeed need={questionOf()} />, {fixture: atNeed('asked')});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    const element = <QuestionNeed need={questionOf()} />;
    assert.equal(await rendersAfter(element, change, {fixture: atNeed('asked')}), 0);
  });

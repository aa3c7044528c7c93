import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {Wish} from '../../../source/domain/index.ts';
import {createPerformer} from '../../../source/tui/app/create-performer.ts';
import type {LoopOptions, Question, UiEvent} from '../../../source/tui/seam.ts';
import {eventually} from '../../support/eventually.ts';

test('wishes that belong together are asked one after the other, also when one is refused', async () => {
  const asked: {readonly question: Question; readonly answer: (value: unknown) => void; readonly refuse: (error: Error) => void}[] = [];
  const happened: UiEvent[] = [];
  const performer = createPerformer({
    options: {} as LoopOptions, panes: {} as never, quit: () => undefined, redraw: () => undefined, letGo: async (use) => use(),
    ask: (question) => new Promise((answer, refuse) => asked.push({question, answer, refuse})), happen: (event) => happened.push(event),
  });
  const wishes: readonly Wish[] = [{type: 'comment-plan', run: 'r1', line: 4, text: 'Why?'}, {type: 'comment-plan', run: 'r1', line: 5, text: 'How?'}, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: ''}];
  performer.wish(wishes);
  assert.equal(asked.length, 1);
  asked[0]!.answer({events: []});
  await eventually('the second wish', () => asked.length === 2);
  asked[1]!.refuse(new Error('not now'));
  await eventually('the third wish', () => asked.length === 3);
  asked[2]!.answer({events: []});
  await eventually('the last answer', () => happened.length === 3);
  assert.deepEqual(asked.map(({question}) => question), wishes.map((wish) => ({about: 'wish', wish})));
  assert.deepEqual(happened.map((event) => [event.type, 'wish' in event ? event.wish : undefined]), [['wish-granted', wishes[0]], ['wish-refused', wishes[1]], ['wish-granted', wishes[2]]]);
});

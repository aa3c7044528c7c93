import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectChoices, selectNeeds} from '../../source/domain/index.ts';
import {createHarness, type Harness, report, userCommand} from './support/harness.ts';
import {startSession} from './support/stages.ts';

type Offer = {
  readonly options: readonly string[];
  readonly keys: readonly string[];
  readonly readsKeys?: true;
};

const colours: Offer = {options: ['red', 'green', 'quit'], keys: ['1', '2', '0']};
const sure: Offer = {options: ['yes', 'no'], keys: ['y', 'n']};
const oneKey: Offer = {...sure, readsKeys: true};

function asking(offer: Offer): Harness {
  const harness = createHarness();
  userCommand(harness, {type: 'start-session', name: 'x', command: ['x'], directory: '/x'});
  startSession(harness, 's1');
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'proven',
    secret: false,
    question: 'Which?',
    ...offer,
  });
  return harness;
}

/** What is sent, what is typed, and whether only into that question. */
const table: readonly (readonly [string, Offer, string, string, boolean])[] = [
  ['a number', colours, '2', '2\r', true],
  ['a number that is a key before it is a place', colours, '0', '0\r', true],
  ['a place without a key of that name', colours, '3', '0\r', true],
  ['a number that nobody offers', colours, '7', '7\r', false],
  ['other text', colours, 'blue', 'blue\r', false],
  ['nothing, which is the default', colours, '', '\r', false],
  ['a letter', sure, 'y', 'y\r', true],
  ['a capital', sure, 'N', 'n\r', true],
  ['the place of a letter', sure, '2', 'n\r', true],
  ['a longer word', sure, 'yes', 'yes\r', false],
  ['a single key gets no Enter', oneKey, '1', 'y', true],
  ['what is no option is typed as it is', oneKey, 'q', 'q\r', false],
];

for (const [what, offer, sent, typed, isBound] of table)
  test(`a plain program's options: ${what}`, () => {
    const [event] = userCommand(asking(offer), {
      type: 'send-input',
      session: 's1',
      text: `${sent}\r`,
    }).events;
    assert(event?.type === 'input-asked');
    assert.deepEqual([event.text, event.answers], [typed, isBound ? 'Which?' : undefined]);
  });

test('a need has the keys of its options; without any, their numbers', () => {
  const [need] = selectNeeds(asking(colours).state);
  assert.deepEqual(selectChoices(need!), [
    {key: '1', label: 'red'},
    {key: '2', label: 'green'},
    {key: '0', label: 'quit'},
  ]);
  assert.deepEqual(
    selectChoices({...need!, kind: 'question', keys: undefined} as never).map(({key}) => key),
    ['1', '2', '3'],
  );
  assert.deepEqual(selectChoices({id: 'r1', since: 0, kind: 'nothing-left', run: 'r1'}), []);
});

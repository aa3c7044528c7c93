import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectSession} from '../../source/domain/index.ts';
import {report, userCommand, wantedKeys} from './support/harness.ts';
import {atWork} from './support/stages.ts';

const t1 = 'r1.t1';

test('a process that waits for input is a need with its question, until it moves on', () => {
  const harness = atWork();
  report(harness, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Which port?',
  });
  const [need] = selectNeeds(harness.state);
  assert.deepEqual(need, {
    id: `s2/question/${harness.time}`,
    since: harness.time,
    kind: 'question',
    session: 's2',
    question: 'Which port?',
    proof: 'proven',
    secret: false,
  });
  userCommand(harness, {type: 'send-input', session: 's2', text: '3000\n'});
  assert.ok(wantedKeys(harness).includes('s2/type-1'));
  report(harness, {type: 'input-typed', session: 's2', input: 1}, 's2/type-1');
  assert.ok(!wantedKeys(harness).includes('s2/type-1'), 'typed at most once');
  report(harness, {type: 'session-moved-on', session: 's2'});
  assert.deepEqual(selectNeeds(harness.state), []);
});

test('inputs are typed one after another; an uncertain one becomes a need and is not typed again', () => {
  const harness = atWork();
  userCommand(harness, {type: 'send-input', session: 's2', text: 'a\n'});
  userCommand(harness, {type: 'send-input', session: 's2', text: 'b\n'});
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.includes('type')),
    ['s2/type-1'],
  );
  report(harness, {type: 'input-uncertain', session: 's2', input: 1}, 's2/type-1');
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.includes('type')),
    ['s2/type-2'],
  );
  report(harness, {type: 'effect-failed', words: 'the daemon died in between'}, 's2/type-2');
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'uncertain-input' && need.text),
    ['b\n'],
  );
});

test('a secret is never sent through the journal', () => {
  const harness = atWork();
  report(harness, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: true,
    question: 'Password:',
  });
  assert.match(
    userCommand(harness, {type: 'send-input', session: 's2', text: 'hunter2\n'}).refused ?? '',
    /asks for a secret/,
  );
  report(harness, {type: 'secret-typed', session: 's2', length: 7});
  assert.deepEqual(selectNeeds(harness.state), []);
  assert.doesNotMatch(JSON.stringify(harness.events), /hunter2/);
});

test("the agent's own name for its conversation is known, for resuming it", () => {
  const harness = atWork();
  report(harness, {type: 'conversation-known', session: 's2', conversation: 'abc'});
  assert.equal(selectSession(harness.state, 's2')?.conversation, 'abc');
});

test('notes are kept with what they are about', () => {
  const harness = atWork();
  userCommand(harness, {type: 'add-note', on: t1, text: 'the token is cached'});
  assert.deepEqual(harness.state.notes, [{on: t1, text: 'the token is cached', at: harness.time}]);
});

test('the notes of the journal itself change nothing', () => {
  const harness = atWork();
  const before = wantedKeys(harness);
  report(harness, {type: 'journal-truncated', bytes: 12, kept: 'torn-1'});
  report(harness, {type: 'disk-full'});
  assert.deepEqual(wantedKeys(harness), before);
});

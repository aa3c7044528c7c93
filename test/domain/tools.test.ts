import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  selectNeeds,
  selectSession,
  type SessionId,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, send, userCommand, wantedKeys} from './support/harness.ts';
import {atWork, getTypes, startSession, thinking} from './support/stages.ts';
import {openShell} from './support/tools.ts';

function ask(harness: Harness, question = 'Which port?', session: SessionId = 's2'): Decision {
  return report(harness, {type: 'person-asked', session, question});
}

test('a question of an agent is one need and is answered once', () => {
  const harness = atWork();
  assert.deepEqual(
    report(harness, {
      type: 'person-asked',
      session: 's2',
      question: 'Which port?',
      options: ['3000', '4000'],
    }).events,
    [
      {
        type: 'question-asked',
        at: harness.time,
        session: 's2',
        number: 1,
        question: 'Which port?',
        options: ['3000', '4000'],
      },
    ],
  );
  assert.deepEqual(selectNeeds(harness.state), [
    {
      id: 's2/asked/1',
      since: harness.time,
      kind: 'question',
      session: 's2',
      question: 'Which port?',
      proof: 'proven',
      secret: false,
      asked: 1,
      options: ['3000', '4000'],
    },
  ]);
  assert.deepEqual(
    userCommand(harness, {
      type: 'answer-question',
      session: 's2',
      number: 1,
      text: '3000',
    }).events.map(({type}) => type),
    ['question-answered'],
  );
  assert.deepEqual(selectNeeds(harness.state), []);
  assert.equal(selectSession(harness.state, 's2')?.questions?.[0]?.answer?.text, '3000');
  assert.equal(
    userCommand(harness, {type: 'answer-question', session: 's2', number: 1, text: '4000'}).refused,
    'question 1 of s2 is already answered',
  );
});

test('the same text is the same question, before and after the answer', () => {
  const harness = atWork();
  ask(harness);
  assert.deepEqual(ask(harness), {events: []});
  userCommand(harness, {type: 'answer-question', session: 's2', number: 1, text: '3000'});
  assert.deepEqual(ask(harness), {events: []});
  assert.deepEqual(getTypes(ask(harness, 'And which host?')), ['question-asked']);
});

test('questions are answered in the order in which they came, and no more than three wait', () => {
  const harness = atWork();
  for (const question of ['one', 'two', 'three']) ask(harness, question);
  assert.equal(ask(harness, 'four').refused, 's2 already has 3 open questions');
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'question' && need.question),
    ['one', 'two', 'three'],
  );
  userCommand(harness, {type: 'answer-question', session: 's2', number: 2, text: 'x'});
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'question' && need.asked),
    [1, 3],
  );
});

test('who has asked is neither stalled nor asked about by the kernel', () => {
  const harness = atWork();
  ask(harness);
  assert.equal(
    report(harness, {type: 'no-progress', session: 's2', silentFor: 900, limit: 600}).refused,
    "s2 waits for a person's answer",
  );
  report(harness, {
    type: 'session-waiting',
    session: 's2',
    proof: 'inferred',
    secret: false,
    question: '>',
  });
  assert.deepEqual(
    selectNeeds(harness.state).map(({id}) => id),
    ['s2/asked/1'],
  );
  userCommand(harness, {type: 'answer-question', session: 's2', number: 1, text: '3000'});
  report(harness, {type: 'session-moved-on', session: 's2'});
  assert.deepEqual(
    getTypes(report(harness, {type: 'no-progress', session: 's2', silentFor: 900, limit: 600})),
    ['task-stopped'],
  );
});

test('a question is closed when its session ends', () => {
  const harness = atWork();
  ask(harness);
  report(harness, {type: 'session-lost', session: 's2', why: 'killed'});
  assert.deepEqual(selectNeeds(harness.state), []);
  assert.equal(
    userCommand(harness, {type: 'answer-question', session: 's2', number: 1, text: '3000'}).refused,
    's2 has ended; its question is closed',
  );
  assert.equal(ask(harness, 'Still there?').refused, 's2 is no longer needed');
});

test('requests of a stopped session are refused', () => {
  const harness = atWork();
  userCommand(harness, {type: 'stop', what: 'r1.t1'});
  assert.equal(ask(harness).refused, 's2 is no longer needed');
  assert.equal(openShell(harness).refused, 's2 is no longer needed');
});

test('a planner may ask, a check may not, and a question needs text', () => {
  const planning = thinking();
  startSession(planning, 's1');
  assert.deepEqual(getTypes(ask(planning, 'Which module?', 's1')), ['question-asked']);
  assert.equal(ask(planning, '  ', 's1').refused, 'a question needs text');
  assert.equal(ask(planning, 'Hm?', 's9').refused, 'there is no session s9');
  const harness = atWork();
  openShell(harness);
  assert.equal(ask(harness, 'Hm?', 's3').refused, 'only planners and workers can ask a person');
});

test('an agent that answers for the person is refused and named', () => {
  const harness = atWork();
  ask(harness);
  harness.time += 1;
  const {refused, events} = send(harness, {
    type: 'answer-question',
    session: 's2',
    number: 1,
    text: 'yes',
    at: harness.time,
    by: {kind: 'agent', session: 's2'},
  });
  assert.equal(refused, 'only a person may answer-question; orchestra recorded that s2 tried');
  assert.deepEqual(
    events.map(({type}) => type),
    ['intrusion-refused'],
  );
  assert.equal(selectSession(harness.state, 's2')?.questions?.[0]?.answer, undefined);
});

test('wrong answers are refused with a sentence', () => {
  const harness = atWork();
  ask(harness);
  for (const [session, number, text, refusal] of [
    ['s2', 2, 'x', 's2 has asked no question 2'],
    ['s9', 1, 'x', 's9 has asked no question 1'],
    ['s2', 1, ' ', 'an answer needs text'],
  ] as const)
    assert.equal(
      userCommand(harness, {type: 'answer-question', session, number, text}).refused,
      refusal,
    );
});

test('a call of a tool is written down and changes nothing', () => {
  const harness = atWork();
  const {sessions} = harness.state;
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'tool-called', session: 's2', tool: 'port', words: 'port: 3000'}),
    ),
    ['tool-called'],
  );
  assert.deepEqual(
    selectSession(harness.state, 's2'),
    selectSession({...harness.state, sessions}, 's2'),
  );
  assert.equal(
    report(harness, {type: 'tool-called', session: 's9', tool: 'port', words: ''}).refused,
    'there is no session s9',
  );
});

test('an agent that tries the same forbidden thing again is named once, until the person has seen it', () => {
  const harness = atWork();
  const tries = (): Decision =>
    send(harness, {
      type: 'discard',
      what: 'r1',
      at: harness.time,
      by: {kind: 'agent', session: 's2'},
    });
  for (let times = 0; times < 50; times++)
    assert.match(
      tries().refused ?? '',
      /only a person may discard; orchestra recorded that s2 tried/,
    );
  assert.equal(harness.state.intrusions.length, 1);
  userCommand(harness, {type: 'acknowledge-intrusion', number: 1});
  tries();
  assert.equal(harness.state.intrusions.length, 2);
});

test('agents leave fifty notes on one thing and no more; a person leaves as many as they like', () => {
  const harness = atWork();
  const note = (text: string): Decision =>
    send(harness, {
      type: 'add-note',
      on: 'r1',
      text,
      at: harness.time,
      by: {kind: 'agent', session: 's2'},
    });
  for (let times = 0; times < 100; times++) note(`note ${times}`);
  note('note 0');
  assert.equal(harness.state.notes.length, 50);
  assert.match(
    note('one more').refused ?? '',
    /r1 already has 50 notes; only a person can add more/,
  );
  assert.equal(userCommand(harness, {type: 'add-note', on: 'r1', text: 'mine'}).refused, undefined);
});

test('a session that does not end is reported once for each reason, and not after it has ended', () => {
  const harness = atWork();
  userCommand(harness, {type: 'stop', what: 'r1.t1'});
  assert.deepEqual(
    conclude(harness, 'stop-session', {type: 'effect-failed', words: 'stuck'}).events.map(
      ({type}) => type,
    ),
    ['session-unstoppable'],
  );
  assert.deepEqual(
    conclude(harness, 'stop-session', {type: 'effect-failed', words: 'stuck'}),
    {events: []},
    'what is known is no news',
  );
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'unstoppable' && need.words),
    ['stuck'],
  );
  assert.ok(wantedKeys(harness).includes('s2/stop'), 'it is tried further');
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGKILL'});
  assert.deepEqual(selectNeeds(harness.state), []);
});

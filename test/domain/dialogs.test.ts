import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectSession} from '../../source/domain/index.ts';
import {createHarness, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {getTypes, makeWorktree, sessionOfTask, startSession, working} from './support/stages.ts';

const options = ['Yes', 'Yes, and always', 'No'];

function asking(): Harness {
  const harness = createHarness();
  userCommand(harness, {
    type: 'start-session',
    name: 'agent',
    command: ['claude'],
    directory: '/x',
  });
  startSession(harness, 's1');
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'inferred',
    secret: false,
    question: 'Do you want to proceed?',
    source: 'agent',
    options,
  });
  return harness;
}

test('a dialog is a need with who says so and what it offers', () => {
  const [need] = selectNeeds(asking().state);
  assert(need?.kind === 'question');
  assert.deepEqual(
    [need.source, need.options, need.question],
    ['agent', options, 'Do you want to proceed?'],
  );
});

for (const [text, option] of [
  ['1', '1'],
  ['3', '3'],
  ['no', '3'],
  ['Yes', '1'],
  ['yes, and', '2'],
] as const) {
  test(`"${text}" answers it with option ${option}, and with nothing but that`, () => {
    const harness = asking();
    const [event] = userCommand(harness, {
      type: 'send-input',
      session: 's1',
      text: `${text}\r`,
    }).events;
    assert(event?.type === 'input-asked');
    assert.deepEqual([event.text, event.answers], [option, 'Do you want to proceed?']);
  });
}

for (const text of ['', '4', '0', 'ye', 'whatever', 'yes please']) {
  test(`"${text}" is no answer to it: its Enter would take what is marked`, () => {
    const harness = asking();
    assert.match(
      userCommand(harness, {type: 'send-input', session: 's1', text: `${text}\r`}).refused ?? '',
      /^s1 offers 1 Yes, 2 Yes, and always, 3 No; /,
    );
  });
}

test("keys without Enter are a person's own affair", () => {
  const [event] = userCommand(asking(), {type: 'send-input', session: 's1', text: '2'}).events;
  assert(event?.type === 'input-asked');
  assert.deepEqual([event.text, event.answers], ['2', undefined]);
});

test("a prompt that waits does not hold up a person's answer", () => {
  const harness = createHarness();
  userCommand(harness, {
    type: 'start-session',
    name: 'agent',
    command: ['claude'],
    directory: '/x',
    prompt: 'Go.',
  });
  startSession(harness, 's1');
  assert.deepEqual(
    getTypes(
      report(
        harness,
        {type: 'input-asked', session: 's1', input: 1, text: 'Go.', prompt: '/p/prompt.md'},
        's1/run',
      ),
    ),
    ['input-asked'],
  );
  report(harness, {
    type: 'session-waiting',
    session: 's1',
    proof: 'inferred',
    secret: false,
    question: 'Trust it?',
    source: 'screen',
    options,
  });
  userCommand(harness, {type: 'send-input', session: 's1', text: '1\r'});
  assert.deepEqual(wantedKeys(harness), ['s1/run', 's1/type-2', 's1/type-1']);
  report(harness, {type: 'input-typed', session: 's1', input: 2}, 's1/type-2');
  report(harness, {type: 'session-moved-on', session: 's1'});
  report(
    harness,
    {type: 'input-uncertain', session: 's1', input: 1, why: 'it was not accepted'},
    's1/type-1',
  );
  assert.deepEqual(
    selectNeeds(harness.state).map((need) =>
      need.kind === 'uncertain-input' ? [need.text, need.why] : [need.kind],
    ),
    [['Go.', 'it was not accepted']],
  );
  assert.deepEqual(wantedKeys(harness), ['s1/run'], 'it is not typed again');
});

test('only the client that started a session can ask for a prompt', () => {
  const harness = asking();
  assert.match(
    report(harness, {type: 'input-asked', session: 's1', input: 1, text: 'x', prompt: '/p'})
      .refused ?? '',
    /concludes run-session/,
  );
  assert.deepEqual(selectSession(harness.state, 's1')?.inputs, []);
});

test('in a takeover a dialog is a need, and waiting for the next word of the person is none', () => {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, 'r1.t1');
  userCommand(harness, {type: 'take-over', task: 'r1.t1'});
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  const session = sessionOfTask(harness, 'r1.t1');
  startSession(harness, session);
  report(harness, {
    type: 'session-waiting',
    session,
    proof: 'inferred',
    secret: false,
    question: '❯',
  });
  assert.deepEqual(selectNeeds(harness.state), []);
  report(harness, {
    type: 'session-waiting',
    session,
    proof: 'inferred',
    secret: false,
    question: 'Is this a folder that you trust?',
    source: 'screen',
    options: ['No, exit', 'Yes'],
  });
  const [need] = selectNeeds(harness.state);
  assert.ok(need?.kind === 'question' && need.options?.length === 2);
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  decide,
  selectNeeds,
  selectPromptMessages,
  selectSession,
  selectTask,
  type TaskMessage,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, green, passed, plannedTask} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  validate,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';
const text = 'Mind the tests.';

function attempting(): Harness {
  const harness = working([plannedTask('t1')], {}, undefined, {worker: 'claude'});
  makeWorktree(harness, t1);
  return harness;
}

function messages(harness: Harness): readonly TaskMessage[] {
  return selectTask(harness.state, t1)?.messages ?? [];
}

function fates(harness: Harness): string[] {
  return messages(harness).map(({fate, how}) => `${fate}${how === undefined ? '' : ` ${how}`}`);
}

function ask(harness: Harness, message = text): ReturnType<typeof userCommand> {
  return userCommand(harness, {type: 'message-task', task: t1, text: message});
}

const delivered = (harness: Harness, number = 1): void => {
  conclude(harness, 'deliver-message', {
    type: 'message-delivered',
    task: t1,
    number,
    session: sessionOfTask(harness, t1),
    how: 'restart',
  });
};

test('a running worker gets its messages one after the other, each once', () => {
  const harness = attempting();
  startSession(harness, sessionOfTask(harness, t1));
  ask(harness);
  ask(harness, 'Use tabs.');
  assert.deepEqual(fates(harness), ['pending', 'pending']);
  const keys = (): string[] => wantedKeys(harness).filter((key) => key.includes('message'));
  assert.deepEqual(keys(), ['r1.t1/message-1']);
  delivered(harness);
  assert.deepEqual(keys(), ['r1.t1/message-2']);
  const late = report(
    harness,
    {type: 'message-failed', task: t1, number: 1, why: 'late'},
    'r1.t1/message-1',
  );
  assert.match(late.refused ?? '', /not wanted now/);
  delivered(harness, 2);
  assert.deepEqual(fates(harness), ['delivered restart', 'delivered restart']);
  assert.deepEqual(keys(), []);
});

test('a session that has not started yet gets the message when it runs', () => {
  const harness = attempting();
  ask(harness);
  assert.deepEqual(fates(harness), ['pending']);
  assert.ok(!wantedKeys(harness).includes('r1.t1/message-1'));
  startSession(harness, sessionOfTask(harness, t1));
  assert.ok(wantedKeys(harness).includes('r1.t1/message-1'));
});

test('the fate of a message is found out before the next session starts', () => {
  const harness = attempting();
  const first = sessionOfTask(harness, t1);
  startSession(harness, first);
  ask(harness);
  report(harness, {type: 'session-lost', session: first, why: 'its keeper was killed'});
  assert.ok(wantedKeys(harness).includes('r1.t1/message-1'), 'what became of it is read');
  assert.ok(!wantedKeys(harness).some((key) => key.endsWith('/run')), 'nothing is started');
  conclude(harness, 'deliver-message', {
    type: 'message-queued',
    task: t1,
    number: 1,
    why: `${first} ended first`,
  });
  const second = sessionOfTask(harness, t1);
  assert.notEqual(second, first);
  assert.deepEqual(
    selectPromptMessages(selectTask(harness.state, t1)!, selectSession(harness.state, second)!).map(
      (message) => message.text,
    ),
    [text],
  );
  assert.deepEqual(fates(harness), ['queued']);
  startSession(harness, second);
  assert.deepEqual(fates(harness), ['delivered prompt']);
});

test('a message between two sessions is queued, and a session that never ran did not have it', () => {
  const harness = attempting();
  startSession(harness, sessionOfTask(harness, t1));
  userCommand(harness, {type: 'stop', what: t1});
  ask(harness);
  assert.deepEqual(fates(harness), ['queued']);
  conclude(harness, 'stop-session', {
    type: 'session-exited',
    session: 's2',
    code: null,
    signal: 'SIGTERM',
  });
  userCommand(harness, {type: 'resume', what: t1});
  const lost = sessionOfTask(harness, t1);
  report(harness, {type: 'session-lost', session: lost, why: 'no keeper'});
  const next = sessionOfTask(harness, t1);
  assert.notEqual(next, lost);
  assert.deepEqual(
    messages(harness).map(({fate, session}) => [fate, session]),
    [['queued', next]],
  );
  startSession(harness, next);
  assert.deepEqual(fates(harness), ['delivered prompt']);
});

test('a delivery that cannot be done fails for good, and the task goes on', () => {
  const harness = attempting();
  startSession(harness, sessionOfTask(harness, t1));
  ask(harness);
  conclude(harness, 'deliver-message', {type: 'effect-failed', words: 'the disk is full'});
  assert.deepEqual(
    messages(harness).map(({fate, why}) => [fate, why]),
    [['failed', 'the disk is full']],
  );
  assert.equal(selectTask(harness.state, t1)?.trouble, undefined);
});

test('a message that the task no longer needs is reported, not forgotten', () => {
  const harness = attempting();
  work(harness, t1, green);
  ask(harness);
  assert.deepEqual(fates(harness), ['queued']);
  validate(harness, t1);
  const decision = mergeTask(harness, t1);
  assert.ok(getTypes(decision).includes('message-failed'));
  assert.deepEqual(
    messages(harness).map(({fate, why}) => [fate, why]),
    [['failed', 'r1.t1 was merged before its next prompt']],
  );
});

describe('refused:', () => {
  const refusal = (harness: Harness, message = text): string => ask(harness, message).refused ?? '';
  for (const [name, message, why] of [
    ['no text', ' \n', /needs text/],
    ['a control character', 'red \u001B[31m', /no control characters/],
    ['the end of a paste', '\u001B[201~\r', /no control characters/],
    ['Ctrl-C', '\u0003', /no control characters/],
    ['a carriage return', 'a\rb', /no control characters/],
    ['C1', '\u009B31m', /no control characters/],
    ['a book', 'x'.repeat(20_001), /at most 20000 characters/],
  ] as const)
    test(name, () => {
      assert.match(refusal(attempting(), message), why);
    });

  test('a stopped, merged or unknown task', () => {
    const harness = attempting();
    for (const attempt of [1, 2]) {
      runToExit(harness, sessionOfTask(harness, t1), 1);
      conclude(harness, 'read-outcome', {
        type: 'agent-failed',
        task: t1,
        attempt,
        words: 'exit 1',
      });
    }

    assert.match(refusal(harness), /is stopped.*orchestra grant r1\.t1 --hint/);
    const unknown = userCommand(harness, {type: 'message-task', task: 'r1.t9', text});
    assert.match(unknown.refused ?? '', /there is no task r1.t9/);
    const merged = attempting();
    work(merged, t1, green);
    validate(merged, t1);
    mergeTask(merged, t1);
    assert.match(refusal(merged), /is merged, and no worker/);
  });

  test('a scripted agent, unless a person has taken the task over', () => {
    const harness = working([plannedTask('t1')]);
    makeWorktree(harness, t1);
    startSession(harness, sessionOfTask(harness, t1));
    assert.match(refusal(harness), /playbook agent follows its script.*orchestra takeover r1\.t1/);
  });

  test('nobody whose task has another agent than the run', () => {
    const harness = working([{...plannedTask('t1'), agent: 'claude'}]);
    makeWorktree(harness, t1);
    startSession(harness, sessionOfTask(harness, t1));
    assert.equal(ask(harness).refused, undefined);
  });

  test('an agent, which is recorded', () => {
    const harness = attempting();
    const decision = decide(harness.state, {
      type: 'message-task',
      task: t1,
      text,
      at: 1,
      by: {kind: 'agent', session: sessionOfTask(harness, t1)},
    });
    assert.match(decision.refused ?? '', /only a person may message-task/);
    assert.deepEqual(getTypes(decision), ['intrusion-refused']);
  });
});

describe('an agent in its own interface', () => {
  const s2 = 's2';

  function interactive(): Harness {
    const harness = working([plannedTask('t1')], {}, undefined, {
      worker: 'claude',
      workers: 'interactive',
    });
    makeWorktree(harness, t1);
    startSession(harness, s2);
    report(
      harness,
      {type: 'input-asked', session: s2, input: 1, text: 'the prompt', prompt: '/x/prompt.md'},
      `${s2}/run`,
    );
    report(harness, {type: 'input-typed', session: s2, input: 1}, `${s2}/type-1`);
    return harness;
  }

  /** Its turn has ended, and the change is to be checked. */
  function checking(): Harness {
    const harness = interactive();
    report(harness, {type: 'turn-ended', session: s2, source: 'agent', words: 'Done.'});
    const of = {task: t1, attempt: 1} as const;
    conclude(harness, 'read-outcome', {type: 'agent-finished', ...of, words: 'Done.'});
    conclude(harness, 'capture', {type: 'change-captured', ...of, change});
    conclude(harness, 'judge', {type: 'change-judged', ...of, judgement: green});
    return harness;
  }

  const step = (harness: Harness): string =>
    selectTask(harness.state, t1)?.attempts.at(-1)?.step.at ?? '';

  test('gets a message while its work is checked, works again, and no attempt is used', () => {
    const harness = checking();
    ask(harness);
    assert.deepEqual(
      messages(harness).map(({fate, session}) => [fate, session]),
      [['pending', s2]],
    );
    check(harness, t1, passed('test', 'npm test'));
    check(harness, t1, passed('build', 'npm run build'));
    assert.equal(step(harness), 'checking', 'nothing is committed while a message is on its way');
    conclude(harness, 'deliver-message', {
      type: 'message-delivered',
      task: t1,
      number: 1,
      session: s2,
      how: 'typed',
      turn: 1,
    });
    assert.deepEqual(
      [step(harness), selectSession(harness.state, s2)?.turn?.number],
      ['working', 2],
    );
    assert.equal(selectTask(harness.state, t1)?.attempts.length, 1);
  });

  test('that has begun the turn by itself does not begin another one', () => {
    const harness = checking();
    ask(harness);
    report(harness, {type: 'turn-began', session: s2, by: 'person'});
    conclude(harness, 'deliver-message', {
      type: 'message-delivered',
      task: t1,
      number: 1,
      session: s2,
      how: 'typed',
      turn: 1,
    });
    assert.equal(selectSession(harness.state, s2)?.turn?.number, 2);
  });

  test('gets a message that could not be typed with the prompt of its next attempt', () => {
    const harness = checking();
    ask(harness);
    conclude(harness, 'deliver-message', {
      type: 'message-queued',
      task: t1,
      number: 1,
      why: 'the agent had ended its work first',
    });
    check(harness, t1, failed('test', 'npm test'));
    assert.equal(step(harness), 'working');
    assert.deepEqual(
      messages(harness).map(({fate, session}) => [fate, session]),
      [['queued', s2]],
      'its session runs, but the prompt is not typed yet',
    );
    const asked = {
      type: 'input-asked',
      session: s2,
      input: 2,
      text: 'x',
      prompt: '/x/2.md',
    } as const;
    conclude(harness, 'ask-prompt', asked);
    report(harness, {type: 'input-typed', session: s2, input: 2}, `${s2}/type-2`);
    assert.deepEqual(fates(harness), ['delivered prompt']);
  });

  test('whose input has unfinished text of the person holds a message, which is a need', () => {
    const harness = interactive();
    ask(harness);
    const held = (why: 'draft' | 'dialog') =>
      report(harness, {type: 'message-held', task: t1, number: 1, why}, `${t1}/message-1`);
    assert.deepEqual(getTypes(held('dialog')), ['message-held']);
    assert.deepEqual(selectNeeds(harness.state), []);
    assert.deepEqual(getTypes(held('draft')), ['message-held']);
    assert.deepEqual(getTypes(held('draft')), [], 'it is recorded once');
    assert.deepEqual(
      selectNeeds(harness.state).map(({kind}) => kind),
      ['draft'],
    );
    delivered(harness);
    assert.deepEqual(selectNeeds(harness.state), []);
  });
});

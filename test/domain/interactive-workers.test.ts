import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  isBetweenTurns,
  selectAttempt,
  selectNeeds,
  selectSession,
  selectTask,
  usageOfAttempt,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, green, passed} from './support/samples.ts';
import {check, getTypes, makeWorktree, mergeTask, startSession, working} from './support/stages.ts';
import {plannedTask} from './support/samples.ts';

const task = 'r1.t1';

/** The agent, s2, runs in its own interface; its prompt is typed. */
function atPrompt(budget = {}, workers = 1): Harness {
  const harness = working(
    [plannedTask('t1')],
    budget,
    {limits: {workers, runs: 1}},
    {
      workers: 'interactive',
    },
  );
  makeWorktree(harness, task);
  startSession(harness, 's2');
  typePrompt(harness);
  return harness;
}

function typePrompt(harness: Harness, session: `s${number}` = 's2', isAsked = false): void {
  const input = selectSession(harness.state, session)!.inputs.length + (isAsked ? 0 : 1);
  if (!isAsked)
    report(
      harness,
      {type: 'input-asked', session, input, text: 'the prompt', prompt: '/x/prompt.md'},
      `${session}/run`,
    );
  report(harness, {type: 'input-typed', session, input}, `${session}/type-${input}`);
}

/** The prompt of the repair is written for the agent that waits. */
function askRepair(harness: Harness): void {
  conclude(harness, 'ask-prompt', {
    type: 'input-asked',
    session: 's2',
    input: 2,
    text: 'repair',
    prompt: '/x/prompt-2.md',
  });
}

function endTurn(harness: Harness, more: {readonly error?: string} = {}): string[] {
  return getTypes(
    report(harness, {type: 'turn-ended', session: 's2', source: 'agent', words: 'Done.', ...more}),
  );
}

/** The turn ends, and its change is captured and judged. */
function finishTurn(harness: Harness): void {
  endTurn(harness);
  const {number} = selectAttempt(selectTask(harness.state, task)!)!;
  const of = {task, attempt: number} as const;
  conclude(harness, 'read-outcome', {type: 'agent-finished', ...of, words: 'Done.'});
  conclude(harness, 'capture', {type: 'change-captured', ...of, change});
  conclude(harness, 'judge', {type: 'change-judged', ...of, judgement: green});
}

const stepOf = (harness: Harness): string =>
  selectAttempt(selectTask(harness.state, task)!)!.step.at;

test('a typed prompt begins a turn, and the end of the turn is the end of the work', () => {
  const harness = atPrompt();
  assert.equal(selectSession(harness.state, 's2')!.turn?.at, 'open');
  assert.ok(!wantedKeys(harness).some((key) => key.includes('read-outcome')));
  endTurn(harness);
  assert.ok(wantedKeys(harness).includes('r1.t1.a1/read-outcome/s2/1'));
  assert.ok(wantedKeys(harness).includes('s2/run'), 'the session stays open');
});

test('a red check is repaired in the same session, which is not stopped in between', () => {
  const harness = atPrompt();
  finishTurn(harness);
  // One worker is allowed: the agent that waits does not take the place of the check.
  check(harness, task, failed('test', 'npm test'));
  assert.equal(selectTask(harness.state, task)!.attempts.length, 2);
  const session = selectSession(harness.state, 's2')!;
  assert.deepEqual(session.purpose, {for: 'attempt', task, attempt: 2, mode: 'interactive'});
  assert.equal(stepOf(harness), 'working');
  assert.ok(!wantedKeys(harness).includes('s2/stop'));
  askRepair(harness);
  assert.ok(!wantedKeys(harness).some((key) => key.includes('ask-prompt')), 'asked once');
  typePrompt(harness, 's2', true);
  finishTurn(harness);
  check(harness, task, passed('test', 'npm test'));
  check(harness, task, passed('build'));
  conclude(harness, 'commit', {type: 'change-committed', task, attempt: 2, commit: 'c'});
  assert.ok(wantedKeys(harness).includes('s2/run'), 'open until the merge');
  mergeTask(harness, task);
  assert.ok(wantedKeys(harness).includes('s2/stop'));
});

test('red again stops and explains, with the session still open', () => {
  const harness = atPrompt();
  finishTurn(harness);
  check(harness, task, failed('test', 'npm test'));
  askRepair(harness);
  typePrompt(harness, 's2', true);
  finishTurn(harness);
  check(harness, task, failed('test', 'npm test'));
  assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
  assert.ok(wantedKeys(harness).includes('s2/run'));
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['stopped'],
  );
});

test('a person who writes to the agent while it is checked costs no attempt', () => {
  const harness = atPrompt();
  finishTurn(harness);
  startSession(harness, 's3');
  const types = getTypes(report(harness, {type: 'turn-began', session: 's2', by: 'person'}));
  assert.deepEqual(types, ['turn-began', 'attempt-reopened']);
  assert.equal(stepOf(harness), 'working');
  assert.ok(wantedKeys(harness).includes('s3/stop'), 'the check is stopped');
  report(harness, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  finishTurn(harness);
  assert.equal(stepOf(harness), 'checking');
  assert.equal(selectTask(harness.state, task)!.attempts.length, 1);
  assert.equal(selectAttempt(selectTask(harness.state, task)!)!.interruptions, 0);
});

test('a turn that is known to have ended or begun is not recorded twice', () => {
  const harness = atPrompt();
  assert.deepEqual(
    getTypes(report(harness, {type: 'turn-began', session: 's2', by: 'orchestra'})),
    [],
  );
  endTurn(harness);
  assert.deepEqual(endTurn(harness), []);
});

test('tokens are counted for the attempt in which they were used', () => {
  const harness = atPrompt();
  report(harness, {type: 'usage-counted', session: 's2', usage: {input: 100, output: 10}});
  finishTurn(harness);
  check(harness, task, failed('test', 'npm test'));
  report(harness, {type: 'usage-counted', session: 's2', usage: {input: 250, output: 30}});
  const found = selectTask(harness.state, task)!;
  assert.deepEqual(usageOfAttempt(harness.state, found, 1), {input: 100, output: 10});
  assert.deepEqual(usageOfAttempt(harness.state, found, 2), {input: 150, output: 20});
});

test('the time between turns does not count towards the time limit', () => {
  const harness = atPrompt({attemptWallClock: 60_000});
  endTurn(harness);
  harness.time += 3_600_000;
  report(harness, {type: 'turn-began', session: 's2', by: 'person'});
  assert.equal(selectTask(harness.state, task)!.stage.at, 'attempting');
  harness.time += 60_000;
  report(harness, {type: 'time-passed'});
  assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
  assert.ok(wantedKeys(harness).includes('s2/stop'), 'a limit ends the session');
});

test('a killed session is an interruption, and the next one resumes the conversation', () => {
  const harness = atPrompt();
  report(harness, {type: 'conversation-known', session: 's2', conversation: 'c-1'});
  report(harness, {type: 'session-lost', session: 's2', why: 'its keeper is gone'});
  const attempt = selectAttempt(selectTask(harness.state, task)!)!;
  assert.equal(attempt.interruptions, 1);
  assert.deepEqual(selectSession(harness.state, 's3')!.purpose, {
    for: 'attempt',
    task,
    attempt: 1,
    mode: 'interactive',
  });
});

test('a takeover ends the session of the agent before it starts its own', () => {
  const harness = atPrompt();
  userCommand(harness, {type: 'take-over', task});
  assert.ok(wantedKeys(harness).includes('s2/stop'));
  assert.equal(selectSession(harness.state, 's3'), undefined);
  report(harness, {type: 'session-exited', session: 's2', code: null, signal: 'SIGTERM'});
  assert.equal(selectSession(harness.state, 's3')?.purpose.for, 'takeover');
});

test('unfinished text of a person is a need, once', () => {
  const harness = atPrompt();
  finishTurn(harness);
  check(harness, task, failed('test', 'npm test'));
  askRepair(harness);
  const hold = () =>
    getTypes(report(harness, {type: 'input-held', session: 's2', input: 2}, 's2/type-2'));
  assert.deepEqual([hold(), hold()], [['input-held'], []]);
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['draft'],
  );
  typePrompt(harness, 's2', true);
  assert.deepEqual(selectNeeds(harness.state), []);
});

test('what a person sends after an uncertain prompt begins the turn', () => {
  const harness = working([plannedTask('t1')], {}, undefined, {workers: 'interactive'});
  makeWorktree(harness, task);
  startSession(harness, 's2');
  report(
    harness,
    {type: 'input-asked', session: 's2', input: 1, text: 'the prompt', prompt: '/x/prompt.md'},
    's2/run',
  );
  report(harness, {type: 'input-uncertain', session: 's2', input: 1}, 's2/type-1');
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['uncertain-input'],
  );
  userCommand(harness, {type: 'send-input', session: 's2', text: 'go on\n'});
  assert.deepEqual(selectNeeds(harness.state), []);
  report(harness, {type: 'input-typed', session: 's2', input: 2}, 's2/type-2');
  assert.equal(selectSession(harness.state, 's2')!.turn?.at, 'open');
});

test('a turn that begins shows that an uncertain prompt has arrived', () => {
  const harness = working([plannedTask('t1')], {}, undefined, {workers: 'interactive'});
  makeWorktree(harness, task);
  startSession(harness, 's2');
  report(
    harness,
    {type: 'input-asked', session: 's2', input: 1, text: 'the prompt', prompt: '/x/prompt.md'},
    's2/run',
  );
  report(harness, {type: 'input-uncertain', session: 's2', input: 1}, 's2/type-1');
  report(harness, {type: 'turn-began', session: 's2', by: 'orchestra'});
  assert.deepEqual(selectNeeds(harness.state), []);
});

test('an agent that waits continues only when there is capacity for it', () => {
  const harness = working(
    [plannedTask('t1'), plannedTask('t2')],
    {},
    {limits: {workers: 1, runs: 1}},
    {workers: 'interactive'},
  );
  makeWorktree(harness, task);
  startSession(harness, 's2');
  typePrompt(harness);
  endTurn(harness);
  conclude(harness, 'read-outcome', {
    type: 'agent-gave-up',
    task,
    attempt: 1,
    words: 'It needs a decision.',
  });
  assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
  makeWorktree(harness, 'r1.t2');
  startSession(harness, 's3');
  userCommand(harness, {type: 'grant-attempt', task, hint: 'the first'});
  assert.ok(wantedKeys(harness).includes('s2/run'), 'it stays open');
  assert.equal(isBetweenTurns(selectSession(harness.state, 's2')!), true, 'and waits');
  userCommand(harness, {type: 'discard', what: 'r1.t2'});
  report(harness, {type: 'session-exited', session: 's3', code: null, signal: 'SIGTERM'});
  assert.deepEqual(selectSession(harness.state, 's2')!.purpose, {
    for: 'attempt',
    task,
    attempt: 2,
    mode: 'interactive',
  });
});

test('an agent that a person has written to neither delays the merge nor is ended by it', () => {
  const harness = atPrompt({}, 2);
  finishTurn(harness);
  check(harness, task, passed('test', 'npm test'));
  check(harness, task, passed('build'));
  conclude(harness, 'commit', {type: 'change-committed', task, attempt: 1, commit: 'c'});
  report(harness, {type: 'turn-began', session: 's2', by: 'person'});
  mergeTask(harness, task);
  assert.ok(wantedKeys(harness).includes('s2/run'));
  endTurn(harness);
  assert.ok(wantedKeys(harness).includes('s2/stop'));
});

test('an agent that has taken a turn cannot report its conversation as lost', () => {
  const harness = atPrompt();
  report(harness, {type: 'conversation-known', session: 's2', conversation: 'c-1'});
  report(harness, {type: 'session-lost', session: 's2', why: 'its keeper is gone'});
  startSession(harness, 's3');
  typePrompt(harness, 's3');
  const types = getTypes(
    report(harness, {type: 'conversation-lost', session: 's3', words: 'no such conversation'}),
  );
  assert.ok(!types.includes('conversation-lost'));
});

test('a repair in the same session has the whole time of an attempt', () => {
  const harness = atPrompt({attemptWallClock: 60_000});
  harness.time += 50_000;
  report(harness, {type: 'time-passed'});
  finishTurn(harness);
  check(harness, task, failed('test', 'npm test'));
  askRepair(harness);
  typePrompt(harness, 's2', true);
  harness.time += 50_000;
  report(harness, {type: 'time-passed'});
  assert.equal(stepOf(harness), 'working');
  harness.time += 10_000;
  report(harness, {type: 'time-passed'});
  assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type OpenOptions,
  type RunRequest,
  selectAttempt,
  selectConversation,
  selectNeeds,
  selectRun,
  selectSession,
  selectTask,
} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  send,
  userCommand,
  wantedKeys,
} from './support/harness.ts';
import {base, change, failed, green, otherRules, passed, request} from './support/samples.ts';
import {
  check,
  getStage,
  getTypes,
  makeWorktree,
  mergeTask,
  startSession,
} from './support/stages.ts';

const task = 'r1.t1';

function openRun(open: OpenOptions, more: Partial<RunRequest> = {workers: 'interactive'}): Harness {
  const harness = createHarness();
  report(harness, {
    type: 'project-read',
    project: {limits: {workers: 1, runs: 1}, services: []},
  });
  userCommand(harness, {
    type: 'start-run',
    request: {...request, open, ...more},
    budget: {attemptWallClock: 60_000},
  });
  conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
  makeWorktree(harness, task);
  return harness;
}

/** Its agent, s1, sits at its prompt; nobody has written to it. */
function atPrompt(): Harness {
  const harness = openRun({withoutPrompt: true});
  startSession(harness, 's1');
  return harness;
}

type Turn = {readonly by?: 'person' | 'orchestra'; readonly done?: true; readonly error?: string};

function takeTurn(harness: Harness, {by = 'person', ...end}: Turn = {}): string[] {
  if (selectSession(harness.state, 's1')!.turn?.at !== 'open')
    report(harness, {type: 'turn-began', session: 's1', by});
  return getTypes(
    report(harness, {type: 'turn-ended', session: 's1', source: 'agent', words: 'So?', ...end}),
  );
}

const needsOf = ({state}: Harness): string[] => selectNeeds(state).map(({kind}) => kind);
const stepOf = ({state}: Harness): string => selectAttempt(selectTask(state, task)!)!.step.at;
const readsOutcome = (harness: Harness): boolean =>
  wantedKeys(harness).some((key) => key.includes('read-outcome'));

/** The work is read, captured, judged, and waits for its first check. */
function capture(harness: Harness): void {
  const {number} = selectAttempt(selectTask(harness.state, task)!)!;
  const of = {task, attempt: number} as const;
  if (stepOf(harness) === 'working')
    conclude(harness, 'read-outcome', {type: 'agent-finished', ...of, words: 'So?'});
  conclude(harness, 'capture', {type: 'change-captured', ...of, change});
  conclude(harness, 'judge', {type: 'change-judged', ...of, judgement: green});
}

function typeRepair(harness: Harness): void {
  const input = selectSession(harness.state, 's1')!.inputs.length + 1;
  conclude(harness, 'ask-prompt', {
    type: 'input-asked',
    session: 's1',
    input,
    text: 'repair',
    prompt: '/x/prompt-2.md',
  });
  report(harness, {type: 'input-typed', session: 's1', input}, `s1/type-${input}`);
}

describe('a run without a plan', () => {
  test('its start by a person is the approval, and no planner runs', () => {
    const {events} = openRun({});
    const types = events.map(({type}) => type);
    assert.ok(!types.includes('planning-started'));
    const approved = events.find((event) => event.type === 'plan-approved');
    assert.equal(approved?.client, 'ada');
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'plan-made' ? event.plan.tasks : [])),
      [
        {
          id: 't1',
          title: request.objective,
          brief: request.objective,
          files: ['**'],
          after: [],
          services: [],
        },
      ],
    );
  });

  test('an agent cannot open another one', () => {
    const harness = createHarness();
    const start = {type: 'start-run', request: {...request, open: {}}, budget: {}} as const;
    const by = {kind: 'agent', session: 's9'} as const;
    assert.deepEqual(getTypes(send(harness, {...start, at: 1, by})), ['intrusion-refused']);
  });

  test('rules that change make the approval void, and only a person gives it again', () => {
    const harness = atPrompt();
    report(harness, {
      type: 'rules-changed',
      run: 'r1',
      rules: otherRules,
    });
    assert.equal(getStage(harness), 'reviewing');
    assert.deepEqual(needsOf(harness), ['plan']);
  });

  for (const [options, reason] of [
    [{open: {}, queued: true}, /cannot wait in the queue/],
    [{open: {withoutPrompt: true}, workers: 'headless'}, /needs to know what to do/],
  ] as const)
    test(`it is refused: ${JSON.stringify(options)}`, () => {
      const harness = createHarness();
      const {refused} = userCommand(harness, {
        type: 'start-run',
        request: {...request, ...options},
        budget: {},
      });
      assert.match(refused ?? '', reason);
    });
});

describe('when the work of an opened agent is checked', () => {
  for (const [name, turn, isOver] of [
    ['a turn of the person ends', {}, false],
    ['a turn of the person ends with an error', {error: 'overloaded'}, false],
    ['the turn of its first prompt ends', {by: 'orchestra'}, false],
    ['the agent ends its turn with a report', {done: true}, true],
  ] as const)
    test(`${name}: ${isOver ? 'it is checked' : 'it waits for the person'}`, () => {
      const harness = atPrompt();
      takeTurn(harness, turn);
      assert.equal(readsOutcome(harness), isOver);
      assert.deepEqual(needsOf(harness), isOver ? [] : ['turn']);
      assert.ok(wantedKeys(harness).includes('s1/run'), 'the session stays open');
    });

  test('the agent says through its tools that it is done: checked when its turn ends', () => {
    const harness = atPrompt();
    report(harness, {type: 'turn-began', session: 's1', by: 'person'});
    const reportDone = () => getTypes(report(harness, {type: 'done-reported', session: 's1'}));
    assert.deepEqual([reportDone(), reportDone()], [['done-reported'], []]);
    assert.ok(!readsOutcome(harness), 'it still works');
    takeTurn(harness);
    assert.ok(readsOutcome(harness));
  });

  test('said between turns, it means nothing', () => {
    const harness = atPrompt();
    takeTurn(harness);
    assert.deepEqual(getTypes(report(harness, {type: 'done-reported', session: 's1'})), []);
  });

  test('the person asks: at once, or when the turn under way has ended', () => {
    const harness = atPrompt();
    report(harness, {type: 'turn-began', session: 's1', by: 'person'});
    assert.deepEqual(getTypes(userCommand(harness, {type: 'check-task', task})), ['check-asked']);
    assert.match(
      userCommand(harness, {type: 'check-task', task}).refused ?? '',
      /as soon as the turn/,
    );
    assert.ok(!readsOutcome(harness));
    takeTurn(harness);
    assert.ok(readsOutcome(harness));
    assert.deepEqual(needsOf(harness), []);
  });

  test('the person asks before they have written to it', () => {
    const harness = atPrompt();
    assert.deepEqual(needsOf(harness), ['turn']);
    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    assert.equal(stepOf(harness), 'checking');
  });

  test('red is repaired once in the same conversation, then it stops; green is merged', () => {
    const harness = atPrompt();
    takeTurn(harness);
    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    check(harness, task, failed('test', 'npm test'));
    typeRepair(harness);
    assert.equal(selectSession(harness.state, 's2')?.purpose.for, 'check', 'no second agent');
    takeTurn(harness);
    assert.ok(readsOutcome(harness), 'what orchestra asked for is checked without asking again');
    capture(harness);
    check(harness, task, failed('test', 'npm test'));
    assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
    assert.ok(wantedKeys(harness).includes('s1/run'), 'the session stays open');

    takeTurn(harness);
    assert.deepEqual(getTypes(userCommand(harness, {type: 'check-task', task})), ['check-asked']);
    assert.ok(wantedKeys(harness).includes('s1/run'));
    capture(harness);
    check(harness, task, passed('test', 'npm test'));
    conclude(harness, 'commit', {type: 'change-committed', task, attempt: 3, commit: 'c'});
    mergeTask(harness, task, ['test']);
    assert.ok(wantedKeys(harness).includes('s1/stop'), 'open until the merge');
    assert.deepEqual(needsOf(harness), ['accept']);
  });

  test('a check of the person on a task that stopped costs no repair', () => {
    const harness = atPrompt();
    for (const repair of [false, true]) {
      if (repair) typeRepair(harness);
      else userCommand(harness, {type: 'check-task', task});
      if (repair) takeTurn(harness);
      capture(harness);
      check(harness, task, failed('test', 'npm test'));
    }

    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    check(harness, task, failed('test', 'npm test'));
    assert.equal(selectTask(harness.state, task)!.stage.at, 'stopped');
    assert.deepEqual(
      selectTask(harness.state, task)!.attempts.map(({by}) => by),
      ['agent', 'agent', 'person'],
    );
  });

  test('a person who writes while it is checked talks on, and it is not checked by itself', () => {
    const harness = atPrompt();
    takeTurn(harness);
    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    const types = getTypes(report(harness, {type: 'turn-began', session: 's1', by: 'person'}));
    assert.deepEqual(types, ['turn-began', 'attempt-reopened']);
    takeTurn(harness);
    assert.ok(!readsOutcome(harness));
  });

  test('a turn of the person during the repair is not the end of the repair', () => {
    const harness = atPrompt();
    takeTurn(harness);
    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    check(harness, task, failed('test', 'npm test'));
    typeRepair(harness);
    takeTurn(harness);
    capture(harness);
    report(harness, {type: 'turn-began', session: 's1', by: 'person'});
    takeTurn(harness);
    assert.ok(!readsOutcome(harness));
    assert.deepEqual(needsOf(harness), ['turn']);
  });
});

describe('the session of an opened agent', () => {
  test('the person may talk for longer than an attempt may take', () => {
    const harness = atPrompt();
    report(harness, {type: 'turn-began', session: 's1', by: 'person'});
    harness.time += 3_600_000;
    report(harness, {type: 'time-passed'});
    assert.equal(stepOf(harness), 'working');
    assert.ok(!wantedKeys(harness).some((key) => key.includes('wall-clock')));
  });

  test('while it waits it takes no place of other work', () => {
    const harness = atPrompt();
    takeTurn(harness);
    userCommand(harness, {type: 'start-run', request, budget: {}});
    assert.equal(selectRun(harness.state, 'r2')!.stage.at, 'surveying');
  });

  test('one that the person closed waits for them, and can be checked', () => {
    const harness = atPrompt();
    takeTurn(harness);
    report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
    const [need] = selectNeeds(harness.state);
    assert.ok(need?.kind === 'turn' && need.isOver === true);
    assert.ok(!readsOutcome(harness));
    userCommand(harness, {type: 'check-task', task});
    capture(harness);
    assert.equal(stepOf(harness), 'checking');
  });

  test('one that ends with an error before anybody wrote to it is read as any other', () => {
    const harness = atPrompt();
    report(harness, {type: 'session-exited', session: 's1', code: 1, signal: null});
    assert.ok(readsOutcome(harness));
  });

  test('after a kill it continues its conversation without a prompt', () => {
    const harness = openRun({});
    startSession(harness, 's1');
    assert.deepEqual(selectSession(harness.state, 's1')!.purpose, {
      for: 'attempt',
      task,
      attempt: 1,
      mode: 'interactive',
    });
    takeTurn(harness, {by: 'orchestra'});
    report(harness, {type: 'session-lost', session: 's1', why: 'its keeper is gone'});
    const purpose = selectSession(harness.state, 's2')!.purpose;
    assert.ok(purpose.for === 'attempt' && purpose.unprompted === true);
  });

  test('killed at its first prompt, it gets the prompt again', () => {
    const harness = openRun({});
    startSession(harness, 's1');
    report(harness, {type: 'turn-began', session: 's1', by: 'orchestra'});
    report(harness, {type: 'session-lost', session: 's1', why: 'its keeper is gone'});
    const purpose = selectSession(harness.state, 's2')!.purpose;
    assert.ok(purpose.for === 'attempt' && purpose.unprompted !== true);
  });

  test('an agent whose interface orchestra cannot follow is the person’s from the beginning', () => {
    const harness = openRun({withoutPrompt: true}, {});
    assert.equal(selectSession(harness.state, 's1')!.purpose.for, 'takeover');
    startSession(harness, 's1');
    assert.deepEqual(needsOf(harness), []);
    assert.deepEqual(getTypes(userCommand(harness, {type: 'check-task', task})), [
      'task-handed-back',
    ]);
    assert.equal(selectTask(harness.state, task)!.allowed, 3);
  });

  test('headless, it is checked at its end, as a task of a plan', () => {
    const harness = openRun({}, {workers: 'headless'});
    startSession(harness, 's1');
    assert.match(userCommand(harness, {type: 'check-task', task}).refused ?? '', /at work/);
    report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
    assert.ok(readsOutcome(harness));
  });

  test('it continues the conversation that the person names', () => {
    const harness = openRun({conversation: 'c-1'});
    assert.equal(selectConversation(harness.state, selectSession(harness.state, 's1')!), 'c-1');
  });

  test('it is taken over and discarded as any task', () => {
    const harness = atPrompt();
    takeTurn(harness);
    userCommand(harness, {type: 'take-over', task});
    assert.ok(wantedKeys(harness).includes('s1/stop'));
    userCommand(harness, {type: 'discard', what: task});
    assert.equal(selectTask(harness.state, task)!.stage.at, 'discarded');
  });
});

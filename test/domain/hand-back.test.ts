import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type Attempt,
  evolve,
  selectAttempt,
  selectConversation,
  selectSession,
  selectTask,
  type UserCommand,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {change, failed, green, plannedTask} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

function attempting(): Harness {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, t1);
  return harness;
}

function last(harness: Harness): Attempt {
  return selectAttempt(selectTask(harness.state, t1)!)!;
}

function fail(harness: Harness): void {
  const {number} = last(harness);
  runToExit(harness, sessionOfTask(harness, t1), 1);
  conclude(harness, 'read-outcome', {
    type: 'agent-failed',
    task: t1,
    attempt: number,
    words: 'exit 1',
  });
}

/** The agent is at work, has a conversation, and a person takes its place. */
function takeOver(harness: Harness): void {
  const {step} = last(harness);
  const session =
    selectTask(harness.state, t1)!.stage.at === 'attempting' &&
    (step.at === 'working' || step.at === 'checking')
      ? step.session
      : undefined;
  if (session !== undefined) {
    startSession(harness, session);
    if (step.at === 'working')
      report(harness, {type: 'conversation-known', session, conversation: 'c1'});
  }

  userCommand(harness, {type: 'take-over', task: t1});
  if (session !== undefined)
    report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  startSession(harness, sessionOfTask(harness, t1));
}

function giveBack(
  harness: Harness,
  way: Omit<Extract<UserCommand, {type: 'hand-back'}>, 'type' | 'task'>,
): string[] {
  const session = sessionOfTask(harness, t1);
  const types = getTypes(userCommand(harness, {type: 'hand-back', task: t1, ...way}));
  report(harness, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  return types;
}

/** What the person left is red. */
function judgeRed(harness: Harness): void {
  const {number} = last(harness);
  conclude(harness, 'capture', {type: 'change-captured', task: t1, attempt: number, change});
  conclude(harness, 'judge', {
    type: 'change-judged',
    task: t1,
    attempt: number,
    judgement: {...green, outside: ['x']},
  });
}

const attempts = (harness: Harness): string[] =>
  selectTask(harness.state, t1)!.attempts.map(({number, by, step}) => `${number} ${by} ${step.at}`);

describe('to its agent:', () => {
  test('the same attempt goes on with the same conversation, and the note is for it', () => {
    const harness = attempting();
    takeOver(harness);
    assert.deepEqual(giveBack(harness, {to: 'agent', note: 'I fixed the port.'}), [
      'task-handed-back',
    ]);
    const session = sessionOfTask(harness, t1);
    assert.deepEqual(last(harness), {
      number: 1,
      by: 'agent',
      interruptions: 0,
      context: 1,
      handedBack: {note: 'I fixed the port.'},
      step: {at: 'working', session},
    });
    assert.equal(selectTask(harness.state, t1)!.allowed, 2);
    assert.equal(selectConversation(harness.state, selectSession(harness.state, session)!), 'c1');
    assert.deepEqual(wantedKeys(harness), [`${session}/run`]);
  });

  test('no try is spent: it still has its repair', () => {
    const harness = attempting();
    takeOver(harness);
    giveBack(harness, {to: 'agent'});
    fail(harness);
    assert.deepEqual(attempts(harness), ['1 agent failed', '2 agent working']);
    fail(harness);
    assert.equal(selectTask(harness.state, t1)!.stage.at, 'stopped');
  });

  test('a repair that was taken over goes on as the repair', () => {
    const harness = attempting();
    fail(harness);
    takeOver(harness);
    giveBack(harness, {to: 'agent'});
    assert.deepEqual(
      [last(harness).number, last(harness).repairs, last(harness).handedBack],
      [2, {kind: 'agent', words: 'exit 1'}, {}],
    );
    fail(harness);
    assert.equal(selectTask(harness.state, t1)!.stage.at, 'stopped');
  });

  test('what had stopped gets one more try, as by a grant, with what it has to repair', () => {
    const harness = attempting();
    fail(harness);
    fail(harness);
    takeOver(harness);
    giveBack(harness, {to: 'agent', note: 'Try this.'});
    assert.deepEqual(
      [attempts(harness), last(harness).repairs, last(harness).handedBack],
      [
        ['1 agent failed', '2 agent failed', '3 agent working'],
        {kind: 'agent', words: 'exit 1'},
        {note: 'Try this.'},
      ],
    );
    fail(harness);
    assert.equal(selectTask(harness.state, t1)!.stage.at, 'stopped');
  });

  test('taken up again by the person in between, it is still the same attempt', () => {
    const harness = attempting();
    takeOver(harness);
    report(harness, {
      type: 'session-exited',
      session: sessionOfTask(harness, t1),
      code: 0,
      signal: null,
    });
    userCommand(harness, {type: 'take-over', task: t1});
    startSession(harness, sessionOfTask(harness, t1));
    giveBack(harness, {to: 'agent'});
    assert.deepEqual(attempts(harness), ['1 agent working']);
  });

  test('work that was being checked is worked on again, under its number', () => {
    const harness = attempting();
    work(harness, t1);
    takeOver(harness);
    giveBack(harness, {to: 'agent'});
    assert.deepEqual(attempts(harness), ['1 agent working']);
  });

  test("a person's own work that was being judged is left to the agent with the tries that it still had, and none more", () => {
    const harness = attempting();
    takeOver(harness);
    giveBack(harness, {to: 'checks'});
    takeOver(harness);
    giveBack(harness, {to: 'agent'});
    fail(harness);
    fail(harness);
    assert.deepEqual(
      [attempts(harness), selectTask(harness.state, t1)!.stage.at],
      [['1 agent abandoned', '2 person abandoned', '3 agent failed', '4 agent failed'], 'stopped'],
    );
  });

  test('a red attempt that was not repaired because the run had used up its time is spent: the repair is what is left', () => {
    const harness = working([plannedTask('t1')], {wallClock: 60_000});
    makeWorktree(harness, t1);
    runToExit(harness, sessionOfTask(harness, t1), 1);
    harness.time += 60_000;
    assert.deepEqual(
      getTypes(
        conclude(harness, 'read-outcome', {
          type: 'agent-failed',
          task: t1,
          attempt: 1,
          words: 'exit 1',
        }),
      ),
      ['agent-failed', 'budget-exhausted'],
    );
    userCommand(harness, {type: 'take-over', task: t1});
    userCommand(harness, {type: 'extend-budget', run: 'r1', wallClock: 3_600_000});
    startSession(harness, sessionOfTask(harness, t1));
    giveBack(harness, {to: 'agent'});
    fail(harness);
    assert.deepEqual(
      [attempts(harness), selectTask(harness.state, t1)!.stage.at],
      [['1 agent failed', '2 agent failed'], 'stopped'],
    );
  });

  test('a note that says nothing is none', () => {
    const harness = attempting();
    takeOver(harness);
    giveBack(harness, {to: 'agent', note: ' \n'});
    assert.deepEqual(last(harness).handedBack, {});
  });
});

describe('to be judged: what a person does costs the agent no try:', () => {
  /** How the task stood when it was taken over, and how many tries its agent then still has. */
  const cases: readonly (readonly [
    name: string,
    before: (harness: Harness) => void,
    left: number,
  ])[] = [
    ['in its first attempt', () => undefined, 2],
    ['in its repair', fail, 1],
    [
      'when it had stopped',
      (harness) => {
        fail(harness);
        fail(harness);
      },
      0,
    ],
    [
      'while its own work was checked',
      (harness) => {
        work(harness, t1);
      },
      2,
    ],
    [
      'in the attempt that a person granted',
      (harness) => {
        fail(harness);
        fail(harness);
        userCommand(harness, {type: 'grant-attempt', task: t1});
      },
      1,
    ],
    [
      'twice, each time red',
      (harness) => {
        takeOver(harness);
        giveBack(harness, {});
        judgeRed(harness);
      },
      2,
    ],
    [
      "while the person's own work was judged",
      (harness) => {
        takeOver(harness);
        giveBack(harness, {to: 'checks'});
      },
      2,
    ],
  ];
  for (const [name, before, left] of cases) {
    test(`taken over ${name}, and red: ${left} left`, () => {
      const harness = attempting();
      before(harness);
      takeOver(harness);
      assert.deepEqual(giveBack(harness, {}), ['task-handed-back']);
      const own = last(harness);
      assert.deepEqual([own.by, own.step.at], ['person', 'capturing']);
      judgeRed(harness);
      for (let tries = 0; tries < left; tries++) {
        assert.deepEqual(
          [last(harness).by, last(harness).number],
          ['agent', own.number + tries + 1],
        );
        fail(harness);
      }

      assert.equal(selectTask(harness.state, t1)!.stage.at, 'stopped');
    });
  }

  test('a note is for the agent, and refused', () => {
    const harness = attempting();
    takeOver(harness);
    assert.match(
      userCommand(harness, {type: 'hand-back', task: t1, note: 'x'}).refused ?? '',
      /a note is for the agent/,
    );
  });

  test('an old journal says nothing of tries: then it is as it was, and a red hand-back stops', () => {
    const harness = attempting();
    takeOver(harness);
    const old = evolve(harness.state, {
      type: 'task-handed-back',
      task: t1,
      attempt: 2,
      at: harness.time + 1,
    });
    assert.deepEqual(
      [selectTask(old, t1)!.allowed, selectAttempt(selectTask(old, t1)!)?.by, old.misfits],
      [2, 'person', []],
    );
  });
});

test("a check that is red beside the person's work is repaired by the agent, who is told what failed", () => {
  const harness = attempting();
  takeOver(harness);
  giveBack(harness, {});
  conclude(harness, 'capture', {type: 'change-captured', task: t1, attempt: 2, change});
  conclude(harness, 'judge', {type: 'change-judged', task: t1, attempt: 2, judgement: green});
  check(harness, t1, failed('test'));
  assert.deepEqual(
    [last(harness).number, last(harness).by, last(harness).repairs?.kind],
    [3, 'agent', 'check'],
  );
});

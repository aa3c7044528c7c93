import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  attemptOf,
  conversationOf,
  evolve,
  sessionOf,
  taskOf,
  type Attempt,
  type Wish,
} from '../../source/domain/index.ts';
import {conclude, report, wantedKeys, wish, type House} from './support/house.ts';
import {change, failed, green, plannedTask} from './support/samples.ts';
import {
  check,
  makeWorktree,
  runToExit,
  sessionOfTask,
  startSession,
  typesOf,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

function attempting(): House {
  const house = working([plannedTask('t1')]);
  makeWorktree(house, t1);
  return house;
}

function last(house: House): Attempt {
  return attemptOf(taskOf(house.state, t1)!)!;
}

function fail(house: House): void {
  const {number} = last(house);
  runToExit(house, sessionOfTask(house, t1), 1);
  conclude(house, 'read-outcome', {
    type: 'agent-failed',
    task: t1,
    attempt: number,
    words: 'exit 1',
  });
}

/** The agent is at work, has a conversation, and a person takes its place. */
function takeOver(house: House): void {
  const {step} = last(house);
  const session =
    taskOf(house.state, t1)!.stage.at === 'attempting' &&
    (step.at === 'working' || step.at === 'checking')
      ? step.session
      : undefined;
  if (session !== undefined) {
    startSession(house, session);
    if (step.at === 'working')
      report(house, {type: 'conversation-known', session, conversation: 'c1'});
  }

  wish(house, {type: 'take-over', task: t1});
  if (session !== undefined)
    report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  startSession(house, sessionOfTask(house, t1));
}

function giveBack(
  house: House,
  way: Omit<Extract<Wish, {type: 'hand-back'}>, 'type' | 'task'>,
): string[] {
  const session = sessionOfTask(house, t1);
  const types = typesOf(wish(house, {type: 'hand-back', task: t1, ...way}));
  report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'});
  return types;
}

/** What the person left is red. */
function judgeRed(house: House): void {
  const {number} = last(house);
  conclude(house, 'capture', {type: 'change-captured', task: t1, attempt: number, change});
  conclude(house, 'judge', {
    type: 'change-judged',
    task: t1,
    attempt: number,
    judgement: {...green, outside: ['x']},
  });
}

const attempts = (house: House): string[] =>
  taskOf(house.state, t1)!.attempts.map(({number, by, step}) => `${number} ${by} ${step.at}`);

describe('to its agent:', () => {
  test('the same attempt goes on with the same conversation, and the note is for it', () => {
    const house = attempting();
    takeOver(house);
    assert.deepEqual(giveBack(house, {to: 'agent', note: 'I fixed the port.'}), [
      'task-handed-back',
    ]);
    const session = sessionOfTask(house, t1);
    assert.deepEqual(last(house), {
      number: 1,
      by: 'agent',
      interruptions: 0,
      context: 1,
      handedBack: {note: 'I fixed the port.'},
      step: {at: 'working', session},
    });
    assert.equal(taskOf(house.state, t1)!.allowed, 2);
    assert.equal(conversationOf(house.state, sessionOf(house.state, session)!), 'c1');
    assert.deepEqual(wantedKeys(house), [`${session}/run`]);
  });

  test('no try is spent: it still has its repair', () => {
    const house = attempting();
    takeOver(house);
    giveBack(house, {to: 'agent'});
    fail(house);
    assert.deepEqual(attempts(house), ['1 agent failed', '2 agent working']);
    fail(house);
    assert.equal(taskOf(house.state, t1)!.stage.at, 'stopped');
  });

  test('a repair that was taken over goes on as the repair', () => {
    const house = attempting();
    fail(house);
    takeOver(house);
    giveBack(house, {to: 'agent'});
    assert.deepEqual(
      [last(house).number, last(house).repairs, last(house).handedBack],
      [2, {kind: 'agent', words: 'exit 1'}, {}],
    );
    fail(house);
    assert.equal(taskOf(house.state, t1)!.stage.at, 'stopped');
  });

  test('what had stopped gets one more try, as by a grant, with what it has to repair', () => {
    const house = attempting();
    fail(house);
    fail(house);
    takeOver(house);
    giveBack(house, {to: 'agent', note: 'Try this.'});
    assert.deepEqual(
      [attempts(house), last(house).repairs, last(house).handedBack],
      [
        ['1 agent failed', '2 agent failed', '3 agent working'],
        {kind: 'agent', words: 'exit 1'},
        {note: 'Try this.'},
      ],
    );
    fail(house);
    assert.equal(taskOf(house.state, t1)!.stage.at, 'stopped');
  });

  test('taken up again by the person in between, it is still the same attempt', () => {
    const house = attempting();
    takeOver(house);
    report(house, {
      type: 'session-exited',
      session: sessionOfTask(house, t1),
      code: 0,
      signal: null,
    });
    wish(house, {type: 'take-over', task: t1});
    startSession(house, sessionOfTask(house, t1));
    giveBack(house, {to: 'agent'});
    assert.deepEqual(attempts(house), ['1 agent working']);
  });

  test('work that was being checked is worked on again, under its number', () => {
    const house = attempting();
    work(house, t1);
    takeOver(house);
    giveBack(house, {to: 'agent'});
    assert.deepEqual(attempts(house), ['1 agent working']);
  });

  test('a note that says nothing is none', () => {
    const house = attempting();
    takeOver(house);
    giveBack(house, {to: 'agent', note: ' \n'});
    assert.deepEqual(last(house).handedBack, {});
  });
});

describe('to be judged: what a person does costs the agent no try:', () => {
  /** How the task stood when it was taken over, and how many tries its agent then still has. */
  const cases: readonly (readonly [name: string, before: (house: House) => void, left: number])[] =
    [
      ['in its first attempt', () => undefined, 2],
      ['in its repair', fail, 1],
      [
        'when it had stopped',
        (house) => {
          fail(house);
          fail(house);
        },
        0,
      ],
      [
        'while its own work was checked',
        (house) => {
          work(house, t1);
        },
        2,
      ],
      [
        'in the attempt that a person granted',
        (house) => {
          fail(house);
          fail(house);
          wish(house, {type: 'grant-attempt', task: t1});
        },
        1,
      ],
      [
        'twice, each time red',
        (house) => {
          takeOver(house);
          giveBack(house, {});
          judgeRed(house);
        },
        2,
      ],
      [
        "while the person's own work was judged",
        (house) => {
          takeOver(house);
          giveBack(house, {to: 'checks'});
        },
        2,
      ],
    ];
  for (const [name, before, left] of cases) {
    test(`taken over ${name}, and red: ${left} left`, () => {
      const house = attempting();
      before(house);
      takeOver(house);
      assert.deepEqual(giveBack(house, {}), ['task-handed-back']);
      const own = last(house);
      assert.deepEqual([own.by, own.step.at], ['person', 'capturing']);
      judgeRed(house);
      for (let tries = 0; tries < left; tries++) {
        assert.deepEqual([last(house).by, last(house).number], ['agent', own.number + tries + 1]);
        fail(house);
      }

      assert.equal(taskOf(house.state, t1)!.stage.at, 'stopped');
    });
  }

  test('a note is for the agent, and refused', () => {
    const house = attempting();
    takeOver(house);
    assert.match(
      wish(house, {type: 'hand-back', task: t1, note: 'x'}).refused ?? '',
      /a note is for the agent/,
    );
  });

  test('an old journal says nothing of tries: then it is as it was, and a red hand-back stops', () => {
    const house = attempting();
    takeOver(house);
    const old = evolve(house.state, {
      type: 'task-handed-back',
      task: t1,
      attempt: 2,
      at: house.time + 1,
    });
    assert.deepEqual(
      [taskOf(old, t1)!.allowed, attemptOf(taskOf(old, t1)!)?.by, old.misfits],
      [2, 'person', []],
    );
  });
});

test("a check that is red beside the person's work is repaired by the agent, who is told what failed", () => {
  const house = attempting();
  takeOver(house);
  giveBack(house, {});
  conclude(house, 'capture', {type: 'change-captured', task: t1, attempt: 2, change});
  conclude(house, 'judge', {type: 'change-judged', task: t1, attempt: 2, judgement: green});
  check(house, t1, failed('test'));
  assert.deepEqual(
    [last(house).number, last(house).by, last(house).repairs?.kind],
    [3, 'agent', 'check'],
  );
});

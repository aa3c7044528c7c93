import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRun, type UserCommand} from '../../source/domain/index.ts';
import {type Harness, send, userCommand} from './support/harness.ts';
import {atWork, getTypes, reviewing, runToExit, surveyed, thinking} from './support/stages.ts';

const t1 = 'r1.t1';

/** What makes no sense at that moment, and what it is told. */
const nonsense: readonly [string, () => Harness, UserCommand, RegExp][] = [
  [
    'an empty objective',
    surveyed,
    {
      type: 'start-run',
      request: {objective: ' ', worker: 'w', planner: 'p', queued: false},
      budget: {},
    },
    /needs an objective/,
  ],
  ['a run that does not exist', surveyed, {type: 'stop', what: 'r9'}, /there is no run r9/],
  [
    'a task that does not exist',
    surveyed,
    {type: 'discard', what: 'r1.t9'},
    /there is no task r1\.t9/,
  ],
  ['a session that does not exist', surveyed, {type: 'stop', what: 's9'}, /there is no session s9/],
  [
    'a plan that is not there yet',
    surveyed,
    {type: 'approve-plan', run: 'r1', plan: 'p', rules: 'r', base: 'b'},
    /has no plan that waits for your approval; it is planning/,
  ],
  [
    'a rejection without a reason',
    reviewing,
    {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: ' '},
    /needs a reason/,
  ],
  [
    'a rejection of an older plan',
    reviewing,
    {type: 'reject-plan', run: 'r1', plan: 'plan-0', reason: 'no'},
    /the plan has changed since you looked/,
  ],
  [
    'an edit that changes nothing',
    reviewing,
    {type: 'edit-plan', run: 'r1', plan: {} as never, hash: 'plan-1'},
    /the same as before/,
  ],
  ['planning again without a failure', reviewing, {type: 'plan-again', run: 'r1'}, /is reviewing/],
  [
    'work under no approval',
    reviewing,
    {type: 'take-over', task: 'r1.t1'},
    /there is no task r1\.t1/,
  ],
  ['a resume of what goes on', atWork, {type: 'resume', what: 'r1'}, /r1 is not stopped/],
  ['a resume of a task that goes on', atWork, {type: 'resume', what: t1}, /r1\.t1 is not stopped/],
  [
    'a hand-back of what nobody took',
    atWork,
    {type: 'hand-back', task: t1},
    /you did not take it over/,
  ],
  [
    'a place outside the queue',
    () => {
      const harness = surveyed();
      userCommand(harness, {
        type: 'start-run',
        request: {objective: 'x', worker: 'w', planner: 'p', queued: true},
        budget: {},
      });
      return harness;
    },
    {type: 'move-in-queue', run: 'r2', position: 5},
    /from 1 to 1 in the queue, got 5/,
  ],
  ['a budget of nothing', atWork, {type: 'extend-budget', run: 'r1'}, /name a budget/],
  [
    'input for a process that has ended',
    () => {
      const harness = thinking();
      runToExit(harness, 's1');
      return harness;
    },
    {type: 'send-input', session: 's1', text: 'x'},
    /has ended/,
  ],
  [
    'a session without a command',
    surveyed,
    {type: 'start-session', name: '', command: [], directory: '/'},
    /needs a command/,
  ],
  [
    'a service with a strange name',
    surveyed,
    {type: 'declare-service', spec: {name: '../x', command: 'x'}},
    /expected a service name/,
  ],
  [
    'a service that nobody declared',
    surveyed,
    {type: 'start-service', service: 'constructor'},
    /there is no service "constructor"/,
  ],
  ['a note on nothing', surveyed, {type: 'add-note', on: 'x', text: 'y'}, /nothing called "x"/],
  ['a note without text', surveyed, {type: 'add-note', on: 'r1', text: ' '}, /needs text/],
  [
    'a notice that is not open',
    surveyed,
    {type: 'acknowledge-intrusion', number: 1},
    /no open notice 1/,
  ],
  [
    'a worktree that is not there',
    surveyed,
    {type: 'tidy-worktree', owner: 'r1.t1'},
    /has no worktree/,
  ],
];

for (const [what, given, text, notified] of nonsense) {
  test(`refused with a sentence, and nothing changes: ${what}`, () => {
    const harness = given();
    const before = harness.state;
    const decision = userCommand(harness, text);
    assert.match(decision.refused ?? '', notified);
    assert.deepEqual(decision.events, []);
    assert.equal(harness.state, before);
  });
}

const forAgents: readonly UserCommand['type'][] = ['add-note', 'start-service'];

test('an agent may note and ask for a service; everything else it tries is written down', () => {
  const harness = atWork();
  const asAgent = (text: UserCommand): ReturnType<typeof send> =>
    send(harness, {...text, at: harness.time, by: {kind: 'agent', session: 's2'}});
  assert.deepEqual(getTypes(asAgent({type: 'add-note', on: t1, text: 'x'})), ['note-added']);
  assert.deepEqual(getTypes(asAgent({type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
  for (const [, , text] of nonsense.filter(([, , {type}]) => !forAgents.includes(type))) {
    const isFirst = !harness.state.intrusions.some(({intent}) => intent === text.type);
    assert.deepEqual(getTypes(asAgent(text)), isFirst ? ['intrusion-refused'] : [], text.type);
    assert.match(asAgent(text).refused ?? '', /only a person may/);
    assert.equal(
      harness.state.intrusions.filter(({intent}) => intent === text.type).length,
      1,
      'shown once, however often it is tried',
    );
  }

  userCommand(harness, {type: 'acknowledge-intrusion', number: 1});
  assert.deepEqual(
    getTypes(
      asAgent({type: harness.state.intrusions[0]!.intent, run: 'r1'} as unknown as UserCommand),
    ),
    ['intrusion-refused'],
    'and again once a person has seen it',
  );

  assert.equal(selectRun(harness.state, 'r1')!.stage.at, 'working');
});

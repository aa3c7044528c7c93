import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  attemptOf,
  needsOf,
  runOf,
  runsOf,
  sessionOf,
  taskOf,
  wanted,
  type Wish,
} from '../../source/domain/index.ts';
import {
  conclude,
  createHouse,
  report,
  send,
  wantedKeys,
  wish,
  type House,
} from './support/house.ts';
import {change, green, passed, plannedTask, request} from './support/samples.ts';
import {
  buildMerge,
  check,
  makeWorktree,
  mergeTask,
  reviewing,
  runToExit,
  sessionOfTask,
  startSession,
  surveyed,
  thinking,
  typesOf,
  validate,
  work,
  working,
} from './support/stages.ts';

const t1 = 'r1.t1';

function attempting(): House {
  const house = working();
  makeWorktree(house, t1);
  startSession(house, 's2');
  return house;
}

function kill(house: House, session: `s${number}`): string[] {
  return typesOf(report(house, {type: 'session-exited', session, code: null, signal: 'SIGTERM'}));
}

test("a person's stop of a task ends its process and stands until a person resumes it", () => {
  const house = attempting();
  wish(house, {type: 'stop', what: t1, reason: 'wrong way'});
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  assert.deepEqual(kill(house, 's2'), ['session-exited']);
  report(house, {type: 'daemon-started', build: 'test'});
  report(house, {type: 'time-passed'});
  assert.deepEqual(wantedKeys(house), [], 'not even a restart brings it back');
  assert.deepEqual(needsOf(house.state), [], 'what a person stopped is no need');
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), [
    'task-resumed',
    'session-asked',
  ]);
  assert.deepEqual(
    [
      attemptOf(taskOf(house.state, t1)!)?.number,
      attemptOf(taskOf(house.state, t1)!)?.interruptions,
    ],
    [1, 0],
    'it cost neither a try nor an interruption',
  );
});

test('resumed before its process has ended, it waits for that end before it starts another', () => {
  const house = attempting();
  wish(house, {type: 'stop', what: t1});
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: t1})), ['task-resumed']);
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  assert.deepEqual(kill(house, 's2'), ['session-exited', 'session-asked']);
});

test('work that had ended before the stop is not done again', () => {
  const house = attempting();
  report(house, {type: 'session-exited', session: 's2', code: 0, signal: null});
  wish(house, {type: 'stop', what: t1});
  wish(house, {type: 'resume', what: t1});
  assert.deepEqual(wantedKeys(house), ['r1.t1.a1/read-outcome/s2']);
});

test('a stop of a run covers its planner and all its tasks', () => {
  const planning = thinking();
  startSession(planning, 's1');
  wish(planning, {type: 'stop', what: 'r1'});
  assert.deepEqual(wantedKeys(planning), ['s1/stop']);
  assert.deepEqual(kill(planning, 's1'), ['session-exited']);
  assert.deepEqual(typesOf(wish(planning, {type: 'resume', what: 'r1'})), [
    'run-resumed',
    'session-asked',
  ]);

  const house = attempting();
  wish(house, {type: 'stop', what: 'r1'});
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
});

test('a stop of a session is a stop of what it works for', () => {
  const house = attempting();
  assert.deepEqual(typesOf(wish(house, {type: 'stop', what: 's2'})), ['task-held']);
  const planning = thinking();
  startSession(planning, 's1');
  assert.deepEqual(typesOf(wish(planning, {type: 'stop', what: 's1'})), ['run-held']);
});

test("a person's own session ends when they say so, and only then", () => {
  const house = surveyed();
  wish(house, {type: 'start-session', name: 'shell', command: ['bash'], directory: '/'});
  startSession(house, 's1');
  assert.deepEqual(typesOf(wish(house, {type: 'stop', what: 's1'})), ['session-stop-asked']);
  assert.ok(wantedKeys(house).includes('s1/stop'));
  assert.match(wish(house, {type: 'stop', what: 's1'}).refused ?? '', /being stopped already/);
});

test('a person takes a task over in its worktree, and what they hand back is validated like any other attempt', () => {
  const house = attempting();
  assert.deepEqual(typesOf(wish(house, {type: 'take-over', task: t1})), ['task-taken-over']);
  assert.deepEqual(wantedKeys(house), ['s2/stop'], 'the agent leaves first');
  assert.deepEqual(kill(house, 's2'), ['session-exited', 'session-asked']);
  startSession(house, 's3');
  assert.match(wish(house, {type: 'take-over', task: t1}).refused ?? '', /in your hands already/);
  assert.deepEqual(typesOf(wish(house, {type: 'hand-back', task: t1})), ['task-handed-back']);
  assert.deepEqual(
    wantedKeys(house),
    ['s3/stop'],
    'nothing is captured while somebody may still write',
  );
  kill(house, 's3');
  conclude(house, 'capture', {type: 'change-captured', task: t1, attempt: 2, change});
  conclude(house, 'judge', {
    type: 'change-judged',
    task: t1,
    attempt: 2,
    judgement: {...green, outside: ['x']},
  });
  assert.deepEqual(
    attemptOf(taskOf(house.state, t1)!)?.repairs,
    {kind: 'scope', paths: ['x']},
    'the agent still has its tries, and repairs it',
  );
});

test('a takeover whose process ended can be taken up again', () => {
  const house = attempting();
  wish(house, {type: 'take-over', task: t1});
  kill(house, 's2');
  runToExit(house, 's3');
  assert.deepEqual(typesOf(wish(house, {type: 'take-over', task: t1})), [
    'task-taken-over',
    'session-asked',
  ]);
});

test('a reset gives the agent a fresh context in the same worktree under the same attempt', () => {
  const house = attempting();
  wish(house, {type: 'reset-task', task: t1});
  assert.deepEqual(kill(house, 's2'), ['session-exited', 'session-asked']);
  assert.deepEqual(attemptOf(taskOf(house.state, t1)!), {
    number: 1,
    by: 'agent',
    interruptions: 0,
    context: 2,
    step: {at: 'working', session: 's3'},
  });
});

test('work that is being validated is not reset', () => {
  const house = working();
  makeWorktree(house, t1);
  work(house, t1);
  assert.match(wish(house, {type: 'reset-task', task: t1}).refused ?? '', /no agent is at work/);
});

test('a discarded task ends its process, then its worktree goes; what needed it goes with it', () => {
  const house = working([
    plannedTask('t1'),
    plannedTask('t2', {after: ['t1']}),
    plannedTask('t3', {after: ['t2']}),
  ]);
  makeWorktree(house, t1);
  startSession(house, 's2');
  assert.deepEqual(typesOf(wish(house, {type: 'discard', what: t1})), [
    'task-discarded',
    'task-discarded',
    'task-discarded',
  ]);
  assert.deepEqual(taskOf(house.state, 'r1.t3')!.stage, {
    at: 'discarded',
    why: {kind: 'needs', task: 'r1.t2'},
    since: house.time,
  });
  assert.deepEqual(wantedKeys(house), ['s2/stop', 'r1.t1/summary-1']);
  kill(house, 's2');
  assert.ok(wantedKeys(house).includes('r1.t1/remove'));
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['nothing-left'],
  );
});

test('merged work is not discarded by itself, nor what is being published', () => {
  const house = working([plannedTask('t1'), plannedTask('t2')]);
  validate(house, t1);
  mergeTask(house, t1);
  assert.match(
    wish(house, {type: 'discard', what: t1}).refused ?? '',
    /is merged into the run already/,
  );
  validate(house, 'r1.t2');
  buildMerge(house, 'r1.t2');
  check(house, 'r1.t2', passed('test'));
  check(house, 'r1.t2', passed('build'));
  assert.match(
    wish(house, {type: 'discard', what: 'r1.t2'}).refused ?? '',
    /is being merged; wait for the result/,
  );
  report(
    house,
    {type: 'effect-failed', words: 'index.lock exists'},
    'r1.t2/publish-merge/merge-r1.t2',
  );
  assert.equal(
    wish(house, {type: 'discard', what: 'r1.t2'}).refused,
    undefined,
    'a publication that failed for certain is no obstacle',
  );
});

test('a discarded run stops everything and lets its worktrees go', () => {
  const house = attempting();
  wish(house, {type: 'discard', what: 'r1'});
  assert.deepEqual(wantedKeys(house), [
    's2/stop',
    'r1.t1/summary-1',
    'r1/summary-1',
    'r1.plan/remove',
  ]);
  kill(house, 's2');
  assert.ok(wantedKeys(house).includes('r1.t1/remove'));
  assert.match(wish(house, {type: 'discard', what: 'r1'}).refused ?? '', /is over: discarded/);
});

test('tampering with the repository parks the run before anything else touches it', () => {
  const house = attempting();
  assert.deepEqual(
    typesOf(report(house, {type: 'tampering-found', run: 'r1', paths: ['.git/config']})),
    ['run-parked'],
  );
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'parked' && need.why),
    [{kind: 'tampering', paths: ['.git/config']}],
  );
});

test('a daemon that crashes three times under one effect parks that run, and the other run goes on', () => {
  const house = createHouse();
  wish(house, {type: 'start-run', request, budget: {}});
  wish(house, {type: 'start-run', request, budget: {}});
  const effect = 'r1/survey';
  for (let crash = 0; crash < 3; crash++) {
    assert.ok(wanted(house.state).some(({key}) => key === effect));
    report(house, {type: 'effect-begun', effect}, effect);
    report(house, {type: 'daemon-started', build: 'test'});
  }

  const [first, second] = runsOf(house.state);
  assert.deepEqual(first?.parked?.why, {kind: 'crashing', effect, times: 3});
  assert.deepEqual(
    wanted(house.state).map(({key}) => key),
    ['r2/survey'],
  );
  assert.equal(second?.parked, undefined);
});

test('a daemon that stops and starts again on purpose counts as no crash', () => {
  const house = createHouse();
  wish(house, {type: 'start-run', request, budget: {}});
  for (let times = 0; times < 5; times++) {
    report(house, {type: 'effect-begun', effect: 'r1/survey'}, 'r1/survey');
    report(house, {type: 'daemon-stopping'});
    report(house, {type: 'daemon-started', build: 'test'});
  }

  assert.deepEqual(house.state.crashes, []);
  assert.equal(runsOf(house.state)[0]?.parked, undefined);
});

test('a process that waits for input is a need with its question, until it moves on', () => {
  const house = attempting();
  report(house, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: false,
    question: 'Which port?',
  });
  const [need] = needsOf(house.state);
  assert.deepEqual(need, {
    id: `s2/question/${house.time}`,
    since: house.time,
    kind: 'question',
    session: 's2',
    question: 'Which port?',
    proof: 'proven',
    secret: false,
  });
  wish(house, {type: 'send-input', session: 's2', text: '3000\n'});
  assert.ok(wantedKeys(house).includes('s2/type-1'));
  report(house, {type: 'input-typed', session: 's2', input: 1}, 's2/type-1');
  assert.ok(!wantedKeys(house).includes('s2/type-1'), 'typed at most once');
  report(house, {type: 'session-moved-on', session: 's2'});
  assert.deepEqual(needsOf(house.state), []);
});

test('inputs are typed one after another; one of which nobody can say whether it was typed is asked about, not typed again', () => {
  const house = attempting();
  wish(house, {type: 'send-input', session: 's2', text: 'a\n'});
  wish(house, {type: 'send-input', session: 's2', text: 'b\n'});
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.includes('type')),
    ['s2/type-1'],
  );
  report(house, {type: 'input-uncertain', session: 's2', input: 1}, 's2/type-1');
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.includes('type')),
    ['s2/type-2'],
  );
  report(house, {type: 'effect-failed', words: 'the daemon died in between'}, 's2/type-2');
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'uncertain-input' && need.text),
    ['b\n'],
  );
});

test('a secret is never sent through the journal', () => {
  const house = attempting();
  report(house, {
    type: 'session-waiting',
    session: 's2',
    proof: 'proven',
    secret: true,
    question: 'Password:',
  });
  assert.match(
    wish(house, {type: 'send-input', session: 's2', text: 'hunter2\n'}).refused ?? '',
    /asks for a secret/,
  );
  report(house, {type: 'secret-typed', session: 's2', length: 7});
  assert.deepEqual(needsOf(house.state), []);
  assert.doesNotMatch(JSON.stringify(house.events), /hunter2/);
});

test("the agent's own name for its conversation is known, for resuming it", () => {
  const house = attempting();
  report(house, {type: 'conversation-known', session: 's2', conversation: 'abc'});
  assert.equal(sessionOf(house.state, 's2')?.conversation, 'abc');
});

test('notes are kept with what they are about', () => {
  const house = attempting();
  wish(house, {type: 'add-note', on: t1, text: 'the token is cached'});
  assert.deepEqual(house.state.notes, [{on: t1, text: 'the token is cached', at: house.time}]);
});

test('the notes of the journal itself change nothing', () => {
  const house = attempting();
  const before = wantedKeys(house);
  report(house, {type: 'journal-truncated', bytes: 12, kept: 'torn-1'});
  report(house, {type: 'disk-full'});
  assert.deepEqual(wantedKeys(house), before);
});

/** What makes no sense at that moment, and what it is told. */
const nonsense: readonly [string, () => House, Wish, RegExp][] = [
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
    /has no plan that waits for you; it is planning/,
  ],
  [
    'a rejection without a reason',
    reviewing,
    {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: ' '},
    /say why/,
  ],
  [
    'a rejection of an older plan',
    reviewing,
    {type: 'reject-plan', run: 'r1', plan: 'plan-0', reason: 'no'},
    /another plan has come since/,
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
  ['a resume of what goes on', attempting, {type: 'resume', what: 'r1'}, /r1 is not stopped/],
  [
    'a resume of a task that goes on',
    attempting,
    {type: 'resume', what: t1},
    /r1\.t1 is not stopped/,
  ],
  [
    'a hand-back of what nobody took',
    attempting,
    {type: 'hand-back', task: t1},
    /you have not taken it over/,
  ],
  [
    'a place outside the queue',
    () => {
      const house = surveyed();
      wish(house, {
        type: 'start-run',
        request: {objective: 'x', worker: 'w', planner: 'p', queued: true},
        budget: {},
      });
      return house;
    },
    {type: 'move-in-queue', run: 'r2', position: 5},
    /from 1 to 1 in the queue, got 5/,
  ],
  ['a budget of nothing', attempting, {type: 'extend-budget', run: 'r1'}, /which budget/],
  [
    'input for a process that has ended',
    () => {
      const house = thinking();
      runToExit(house, 's1');
      return house;
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
  ['a note without words', surveyed, {type: 'add-note', on: 'r1', text: ' '}, /needs words/],
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

for (const [what, given, said, told] of nonsense) {
  test(`refused with a sentence, and nothing changes: ${what}`, () => {
    const house = given();
    const before = house.state;
    const decision = wish(house, said);
    assert.match(decision.refused ?? '', told);
    assert.deepEqual(decision.events, []);
    assert.equal(house.state, before);
  });
}

const forAgents: readonly Wish['type'][] = ['add-note', 'start-service'];

test('an agent may note and ask for a service; everything else it tries is written down', () => {
  const house = attempting();
  const asAgent = (said: Wish): ReturnType<typeof send> =>
    send(house, {...said, at: house.time, by: {kind: 'agent', session: 's2'}});
  assert.deepEqual(typesOf(asAgent({type: 'add-note', on: t1, text: 'x'})), ['note-added']);
  assert.deepEqual(typesOf(asAgent({type: 'start-service', service: 'web'})), [
    'service-wanted',
    'session-asked',
  ]);
  for (const [, , said] of nonsense.filter(([, , {type}]) => !forAgents.includes(type))) {
    const isFirst = !house.state.intrusions.some(({intent}) => intent === said.type);
    assert.deepEqual(typesOf(asAgent(said)), isFirst ? ['intrusion-refused'] : [], said.type);
    assert.match(asAgent(said).refused ?? '', /only a person may/);
    assert.equal(
      house.state.intrusions.filter(({intent}) => intent === said.type).length,
      1,
      'shown once, however often it is tried',
    );
  }

  wish(house, {type: 'acknowledge-intrusion', number: 1});
  assert.deepEqual(
    typesOf(asAgent({type: house.state.intrusions[0]!.intent, run: 'r1'} as unknown as Wish)),
    ['intrusion-refused'],
    'and again once a person has seen it',
  );

  assert.equal(runOf(house.state, 'r1')!.stage.at, 'working');
});

test('a task in the hands of its person is handed back, not resumed; one that stopped is granted, not resumed', () => {
  const house = attempting();
  wish(house, {type: 'take-over', task: t1});
  assert.match(wish(house, {type: 'resume', what: t1}).refused ?? '', /hand it back/);
  const stopped = attempting();
  report(stopped, {
    type: 'no-progress',
    session: sessionOfTask(stopped, t1),
    silentFor: 2,
    limit: 1,
  });
  assert.match(wish(stopped, {type: 'resume', what: t1}).refused ?? '', /grant one more/);
});

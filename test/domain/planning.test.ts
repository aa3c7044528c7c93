import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Event, selectNeeds, selectRun} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  userCommand,
  wantedKeys,
} from './support/harness.ts';
import {base, getPlan, plannedTask, request} from './support/samples.ts';
import {
  getStage,
  getTypes,
  reviewing,
  runToExit,
  startSession,
  surveyed,
  thinking,
} from './support/stages.ts';

const round = {run: 'r1', round: 1} as const;

/** The planner of this session ends, and what it left is read. */
function readPlan(
  harness: Harness,
  session: `s${number}`,
  saw: Parameters<typeof conclude>[2],
): readonly Event[] {
  runToExit(harness, session);
  return conclude(harness, 'read-plan', saw).events;
}

test('a run starts by looking at the repository, and wants nothing else', () => {
  const harness = createHarness();
  const decision = userCommand(harness, {type: 'start-run', request, budget: {}});
  assert.deepEqual(getTypes(decision), ['run-created', 'run-opened']);
  assert.deepEqual(wantedKeys(harness), ['r1/survey']);
});

test('rules and base are copied into the run; the planner gets a worktree of its own before it gets a process', () => {
  const harness = surveyed();
  assert.deepEqual(selectRun(harness.state, 'r1')!.stage, {at: 'planning', ground: base});
  assert.deepEqual(wantedKeys(harness), ['r1.plan/make']);
  const decision = conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w',
    branch: null,
    commit: 'base',
    tree: 'tree-base',
  });
  assert.deepEqual(decision.events.slice(1), [
    {
      type: 'session-asked',
      at: harness.time,
      session: 's1',
      purpose: {for: 'plan', run: 'r1', round: 1, asking: 1},
    },
  ]);
  assert.deepEqual(wantedKeys(harness), ['s1/run']);
});

test('a valid plan waits for a person, and nothing but worktrees made ahead is in flight while it waits', () => {
  const harness = reviewing();
  assert.equal(getStage(harness), 'reviewing');
  assert.deepEqual(wantedKeys(harness), ['r1/prepare/plan-1/base']);
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['plan'],
  );
});

test('an invalid plan is asked for once more with its problems named', () => {
  const harness = thinking();
  const events = readPlan(harness, 's1', {
    type: 'plan-invalid',
    ...round,
    problems: ['tasks[0].id: expected t1'],
  });
  assert.deepEqual(
    events.map(({type}) => type),
    ['plan-invalid', 'plan-asked-again', 'session-asked'],
  );
  assert.deepEqual(selectRun(harness.state, 'r1')!.rounds[0], {
    number: 1,
    asking: 2,
    problems: ['tasks[0].id: expected t1'],
    interruptions: 0,
    step: {at: 'thinking', session: 's2'},
  });
});

test('an invalid plan a second time stops and explains', () => {
  const harness = thinking();
  readPlan(harness, 's1', {type: 'plan-invalid', ...round, problems: ['no tasks']});
  readPlan(harness, 's2', {type: 'plan-invalid', ...round, problems: ['still no tasks']});
  assert.equal(getStage(harness), 'planless');
  assert.deepEqual(wantedKeys(harness), []);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'planless' && need.why),
    [{kind: 'invalid', problems: ['still no tasks']}],
  );
});

test('a person can have it planned again, with a reason', () => {
  const harness = thinking();
  readPlan(harness, 's1', {type: 'planner-failed', ...round, words: 'model error'});
  assert.deepEqual(
    getTypes(userCommand(harness, {type: 'plan-again', run: 'r1', reason: 'smaller'})),
    ['planning-retried', 'planning-started', 'session-asked'],
  );
  assert.deepEqual(selectRun(harness.state, 'r1')!.rounds[1]?.because, {
    reason: 'smaller',
    comments: [],
  });
});

test('a planner that wrote is not believed, whatever its plan says', () => {
  const harness = thinking();
  readPlan(harness, 's1', {type: 'planner-wrote', ...round, paths: ['src/a.ts']});
  assert.deepEqual(selectRun(harness.state, 'r1')!.stage, {
    at: 'planless',
    ground: base,
    why: {kind: 'planner-wrote', paths: ['src/a.ts']},
    since: harness.time,
  });
});

test('an interrupted planner is started again, three times; then planning stops and explains', () => {
  const harness = thinking();
  for (const session of ['s1', 's2'] as const) {
    startSession(harness, session);
    assert.deepEqual(getTypes(report(harness, {type: 'session-lost', session, why: 'killed'})), [
      'session-lost',
      'planning-interrupted',
      'session-asked',
    ]);
  }

  const decision = report(harness, {
    type: 'session-exited',
    session: 's3',
    code: null,
    signal: 'SIGKILL',
  });
  assert.deepEqual(getTypes(decision), [
    'session-exited',
    'planning-interrupted',
    'planning-failed',
  ]);
  assert.equal(getStage(harness), 'planless');
});

test('a rejection with a reason and comments plans again with them', () => {
  const harness = reviewing();
  userCommand(harness, {type: 'comment-plan', run: 'r1', line: 4, text: 'why here?'});
  const decision = userCommand(harness, {
    type: 'reject-plan',
    run: 'r1',
    plan: 'plan-1',
    reason: 'too large',
  });
  assert.deepEqual(getTypes(decision), ['plan-rejected', 'planning-started', 'session-asked']);
  assert.deepEqual(selectRun(harness.state, 'r1')!.rounds[1]?.because, {
    reason: 'too large',
    comments: [{line: 4, text: 'why here?'}],
  });
});

test('a planner that plans again after the base moved gets a worktree on the new base before its process starts', () => {
  const harness = reviewing();
  report(harness, {type: 'base-moved', run: 'r1', base: 'newer'});
  assert.deepEqual(
    getTypes(
      userCommand(harness, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: 'look again'}),
    ),
    ['plan-rejected', 'planning-started'],
  );
  assert.deepEqual(wantedKeys(harness), ['r1.plan/renew/newer']);
  assert.deepEqual(
    getTypes(
      conclude(harness, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.plan',
        commit: 'newer',
        tree: 'tree-newer',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
});

test('no-progress ends planning with an explanation', () => {
  const harness = thinking();
  startSession(harness, 's1');
  assert.deepEqual(
    getTypes(
      report(harness, {type: 'no-progress', session: 's1', silentFor: 700_000, limit: 600_000}),
    ),
    ['planning-failed'],
  );
  assert.deepEqual(wantedKeys(harness), ['s1/stop']);
});

test('a planner without an account is trouble that a person lifts, and it thinks again', () => {
  const harness = thinking();
  runToExit(harness, 's1', 1);
  conclude(harness, 'read-plan', {type: 'agent-unavailable', words: 'not logged in'});
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['trouble'],
  );
  assert.deepEqual(getTypes(userCommand(harness, {type: 'resume', what: 'r1'})), [
    'run-resumed',
    'session-asked',
  ]);
});

test('a queued objective is planned when there is room, in the order that the person gives', () => {
  const harness = surveyed();
  for (const objective of ['second', 'third'])
    userCommand(harness, {
      type: 'start-run',
      request: {...request, objective, queued: true},
      budget: {},
    });
  assert.deepEqual(harness.state.queue, ['r2', 'r3']);
  userCommand(harness, {type: 'move-in-queue', run: 'r3', position: 1});
  assert.deepEqual(harness.state.queue, ['r3', 'r2']);
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w',
    branch: null,
    commit: 'base',
    tree: 't',
  });
  const events = readPlan(harness, 's1', {
    type: 'plan-received',
    ...round,
    plan: getPlan(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  assert.deepEqual(
    events.map(({type}) => type),
    ['plan-received', 'run-opened'],
    'a run that waits for a person takes no room',
  );
  assert.equal(selectRun(harness.state, 'r3')!.stage.at, 'surveying');
});

test('a planner has as long as an attempt, without what it waits for a person; then it is stopped and explained', () => {
  const harness = thinking({attemptWallClock: 60_000});
  startSession(harness, 's1');
  const wait = wantedKeys(harness).find((key) => key.startsWith('r1/plan-clock/s1'));
  report(harness, {type: 'person-asked', session: 's1', question: 'Which one?'});
  assert.ok(
    !wantedKeys(harness).some((key) => key.startsWith('r1/plan-clock')),
    'its clock stands still',
  );
  harness.time += 3_600_000;
  userCommand(harness, {type: 'answer-question', session: 's1', number: 1, text: 'this'});
  const rest = wantedKeys(harness).find((key) => key.startsWith('r1/plan-clock'));
  assert.notEqual(rest, wait);
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, rest)), [], 'not yet');
  harness.time += 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'}, rest)), ['planning-failed']);
  assert.deepEqual(wantedKeys(harness), ['s1/stop']);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'planless' && need.why.kind),
    ['wall-clock'],
  );
});

test('when there is no plan twice, the last that the planner said is part of why', () => {
  const harness = thinking();
  for (const [session, text] of [
    ['s1', 'First.'],
    ['s2', 'I cannot read the repository.'],
  ] as const) {
    runToExit(harness, session);
    conclude(harness, 'read-plan', {
      type: 'plan-invalid',
      run: 'r1',
      round: 1,
      problems: ['line 1: no JSON'],
      words: text,
    });
  }

  const stage = selectRun(harness.state, 'r1')!.stage;
  assert.deepEqual(stage.at === 'planless' && stage.why, {
    kind: 'invalid',
    problems: ['line 1: no JSON'],
    words: 'I cannot read the repository.',
  });
});

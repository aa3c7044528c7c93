import assert from 'node:assert/strict';
import {test} from 'node:test';
import {needsOf, runOf, type Event} from '../../source/domain/index.ts';
import {
  conclude,
  createHouse,
  report,
  send,
  wantedKeys,
  wish,
  type House,
} from './support/house.ts';
import {ground, otherRules, plannedTask, planOf, request} from './support/samples.ts';
import {
  approve,
  makeWorktree,
  reviewing,
  runToExit,
  startSession,
  surveyed,
  thinking,
  typesOf,
  working,
} from './support/stages.ts';

const round = {run: 'r1', round: 1} as const;

function stageOf(house: House): string {
  return runOf(house.state, 'r1')!.stage.at;
}

/** The planner of this session ends, and what it left is read. */
function readPlan(
  house: House,
  session: `s${number}`,
  saw: Parameters<typeof conclude>[2],
): readonly Event[] {
  runToExit(house, session);
  return conclude(house, 'read-plan', saw).events;
}

test('a run starts by looking at the repository, and wants nothing else', () => {
  const house = createHouse();
  const decision = wish(house, {type: 'start-run', request, budget: {}});
  assert.deepEqual(typesOf(decision), ['run-created', 'run-opened']);
  assert.deepEqual(wantedKeys(house), ['r1/survey']);
});

test('rules and base are copied into the run; the planner gets a worktree of its own before it gets a process', () => {
  const house = surveyed();
  assert.deepEqual(runOf(house.state, 'r1')!.stage, {at: 'planning', ground});
  assert.deepEqual(wantedKeys(house), ['r1.plan/make']);
  const decision = conclude(house, 'make-worktree', {
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
      at: house.time,
      session: 's1',
      purpose: {for: 'plan', run: 'r1', round: 1, asking: 1},
    },
  ]);
  assert.deepEqual(wantedKeys(house), ['s1/run']);
});

test('a valid plan waits for a person, and nothing but worktrees made ahead is in flight while it waits', () => {
  const house = reviewing();
  assert.equal(stageOf(house), 'reviewing');
  assert.deepEqual(wantedKeys(house), ['r1/prepare/plan-1/base']);
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['plan'],
  );
});

test('an invalid plan is asked for once more with its problems named', () => {
  const house = thinking();
  const events = readPlan(house, 's1', {
    type: 'plan-invalid',
    ...round,
    problems: ['tasks[0].id: expected t1'],
  });
  assert.deepEqual(
    events.map(({type}) => type),
    ['plan-invalid', 'plan-asked-again', 'session-asked'],
  );
  assert.deepEqual(runOf(house.state, 'r1')!.rounds[0], {
    number: 1,
    asking: 2,
    problems: ['tasks[0].id: expected t1'],
    interruptions: 0,
    step: {at: 'thinking', session: 's2'},
  });
});

test('an invalid plan a second time stops and explains', () => {
  const house = thinking();
  readPlan(house, 's1', {type: 'plan-invalid', ...round, problems: ['no tasks']});
  readPlan(house, 's2', {type: 'plan-invalid', ...round, problems: ['still no tasks']});
  assert.equal(stageOf(house), 'planless');
  assert.deepEqual(wantedKeys(house), []);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'planless' && need.why),
    [{kind: 'invalid', problems: ['still no tasks']}],
  );
});

test('a person can have it planned again, with a reason', () => {
  const house = thinking();
  readPlan(house, 's1', {type: 'planner-failed', ...round, words: 'model error'});
  assert.deepEqual(typesOf(wish(house, {type: 'plan-again', run: 'r1', reason: 'smaller'})), [
    'planning-retried',
    'planning-started',
    'session-asked',
  ]);
  assert.deepEqual(runOf(house.state, 'r1')!.rounds[1]?.because, {reason: 'smaller', comments: []});
});

test('a planner that wrote is not believed, whatever its plan says', () => {
  const house = thinking();
  readPlan(house, 's1', {type: 'planner-wrote', ...round, paths: ['src/a.ts']});
  assert.deepEqual(runOf(house.state, 'r1')!.stage, {
    at: 'planless',
    ground,
    why: {kind: 'planner-wrote', paths: ['src/a.ts']},
    since: house.time,
  });
});

test('a planner cut short is started again, three times, then planning stops and explains', () => {
  const house = thinking();
  for (const session of ['s1', 's2'] as const) {
    startSession(house, session);
    assert.deepEqual(typesOf(report(house, {type: 'session-lost', session, why: 'killed'})), [
      'session-lost',
      'planning-interrupted',
      'session-asked',
    ]);
  }

  const decision = report(house, {
    type: 'session-exited',
    session: 's3',
    code: null,
    signal: 'SIGKILL',
  });
  assert.deepEqual(typesOf(decision), [
    'session-exited',
    'planning-interrupted',
    'planning-failed',
  ]);
  assert.equal(stageOf(house), 'planless');
});

test('a rejection with a reason and comments plans again with them', () => {
  const house = reviewing();
  wish(house, {type: 'comment-plan', run: 'r1', line: 4, text: 'why here?'});
  const decision = wish(house, {
    type: 'reject-plan',
    run: 'r1',
    plan: 'plan-1',
    reason: 'too large',
  });
  assert.deepEqual(typesOf(decision), ['plan-rejected', 'planning-started', 'session-asked']);
  assert.deepEqual(runOf(house.state, 'r1')!.rounds[1]?.because, {
    reason: 'too large',
    comments: [{line: 4, text: 'why here?'}],
  });
});

test('an approval binds plan, rules and base, and starts the work', () => {
  const house = reviewing();
  const decision = approve(house);
  assert.deepEqual(typesOf(decision), ['plan-approved', 'task-begun']);
  const {stage} = runOf(house.state, 'r1')!;
  assert.deepEqual(stage.at === 'working' && stage.approval, {
    plan: 'plan-1',
    rules: 'rules-1',
    base: 'base',
    client: 'ada',
    at: house.time,
  });
  assert.deepEqual(wantedKeys(house), ['r1.t1/make']);
});

for (const [what, stale] of [
  ['the plan', {plan: 'plan-0'}],
  ['the rules', {rules: 'rules-0'}],
  ['the base commit', {base: 'older'}],
] as const) {
  test(`an approval of another version of ${what} is refused and changes nothing`, () => {
    const house = reviewing();
    const before = house.state;
    const seen = {plan: 'plan-1', rules: 'rules-1', base: 'base'};
    const decision = wish(house, {type: 'approve-plan', run: 'r1', ...seen, ...stale});
    assert.deepEqual(decision, {
      events: [],
      refused: `${what} changed since you looked; read it again before you approve`,
    });
    assert.equal(house.state, before);
  });
}

test('an agent that approves its own plan is refused, written down and shown until a person has seen it', () => {
  const house = reviewing();
  const approval = {
    type: 'approve-plan',
    run: 'r1',
    plan: 'plan-1',
    rules: 'rules-1',
    base: 'base',
  } as const;
  const decision = send(house, {
    ...approval,
    at: house.time + 1,
    by: {kind: 'agent', session: 's1'},
  });
  assert.match(decision.refused ?? '', /only a person may approve-plan/);
  assert.deepEqual(typesOf(decision), ['intrusion-refused']);
  assert.equal(stageOf(house), 'reviewing');
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['plan', 'intrusion'],
  );
  wish(house, {type: 'acknowledge-intrusion', number: 1});
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['plan'],
  );
});

test('an edited plan is what the approval binds from then on', () => {
  const house = reviewing();
  wish(house, {
    type: 'edit-plan',
    run: 'r1',
    plan: planOf(plannedTask('t1', {title: 'Better'})),
    hash: 'plan-2',
  });
  assert.ok(
    wish(house, {type: 'approve-plan', run: 'r1', plan: 'plan-1', rules: 'rules-1', base: 'base'})
      .refused,
  );
  approve(house);
  assert.equal(runOf(house.state, 'r1')!.tasks[0]?.planned.title, 'Better');
});

test('rules that change under the work void the approval and stop everything until it is given again', () => {
  const house = working();
  makeWorktree(house, 'r1.t1');
  startSession(house, 's2');
  assert.deepEqual(typesOf(report(house, {type: 'rules-changed', run: 'r1', rules: otherRules})), [
    'rules-changed',
    'approval-voided',
  ]);
  assert.deepEqual(wantedKeys(house), ['s2/stop']);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'plan' && need.voided),
    ['rules-changed'],
  );
  report(house, {type: 'session-exited', session: 's2', code: 0, signal: null});
  assert.deepEqual(typesOf(approve(house)), ['plan-approved', 'session-asked']);
  assert.equal(
    runOf(house.state, 'r1')!.tasks[0]?.attempts.length,
    1,
    'the attempt goes on under its number',
  );
});

test('a plan edited during the work voids the approval, and may not change what has begun', () => {
  const house = working([plannedTask('t1'), plannedTask('t2', {after: ['t1']})]);
  const changed = wish(house, {
    type: 'edit-plan',
    run: 'r1',
    plan: planOf(plannedTask('t1', {title: 'Other'})),
    hash: 'plan-2',
  });
  assert.equal(changed.refused, 'r1.t1 is at work already; an edited plan keeps it as it is');
  const kept = wish(house, {
    type: 'edit-plan',
    run: 'r1',
    plan: planOf(plannedTask('t1'), plannedTask('t3')),
    hash: 'plan-2',
  });
  assert.deepEqual(typesOf(kept), ['plan-edited', 'approval-voided']);
  approve(house);
  assert.deepEqual(
    runOf(house.state, 'r1')!.tasks.map(({id, stage}) => [id, stage.at]),
    [
      ['r1.t1', 'preparing'],
      ['r1.t3', 'preparing'],
    ],
  );
});

test('a base that moves while the plan is read must be seen before it is approved', () => {
  const house = reviewing();
  report(house, {type: 'base-moved', run: 'r1', base: 'newer'});
  assert.match(
    wish(house, {type: 'approve-plan', run: 'r1', plan: 'plan-1', rules: 'rules-1', base: 'base'})
      .refused ?? '',
    /base commit changed/,
  );
  approve(house);
  assert.ok(
    report(house, {type: 'base-moved', run: 'r1', base: 'newest'}).refused,
    'under an approval the base stays',
  );
});

test('a planner that is asked again after the base has moved gets a worktree that stands on the new one, before it gets a process', () => {
  const house = reviewing();
  report(house, {type: 'base-moved', run: 'r1', base: 'newer'});
  assert.deepEqual(
    typesOf(wish(house, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: 'look again'})),
    ['plan-rejected', 'planning-started'],
  );
  assert.deepEqual(wantedKeys(house), ['r1.plan/renew/newer']);
  assert.deepEqual(
    typesOf(
      conclude(house, 'renew-worktree', {
        type: 'worktree-renewed',
        owner: 'r1.plan',
        commit: 'newer',
        tree: 'tree-newer',
      }),
    ),
    ['worktree-renewed', 'session-asked'],
  );
});

test('a plan that needs an undeclared service is not approved', () => {
  const house = reviewing([plannedTask('t1', {services: ['mail']})]);
  assert.match(approve(house).refused ?? '', /service "mail" that nobody has declared/);
});

test('no-progress ends planning with an explanation', () => {
  const house = thinking();
  startSession(house, 's1');
  assert.deepEqual(
    typesOf(
      report(house, {type: 'no-progress', session: 's1', silentFor: 700_000, limit: 600_000}),
    ),
    ['planning-failed'],
  );
  assert.deepEqual(wantedKeys(house), ['s1/stop']);
});

test('a planner without an account is trouble that a person lifts, and it thinks again', () => {
  const house = thinking();
  runToExit(house, 's1', 1);
  conclude(house, 'read-plan', {type: 'agent-unavailable', words: 'not logged in'});
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['trouble'],
  );
  assert.deepEqual(typesOf(wish(house, {type: 'resume', what: 'r1'})), [
    'run-resumed',
    'session-asked',
  ]);
});

test('a queued objective is planned when there is room, in the order that the person gives', () => {
  const house = surveyed();
  for (const objective of ['second', 'third'])
    wish(house, {type: 'start-run', request: {...request, objective, queued: true}, budget: {}});
  assert.deepEqual(house.state.queue, ['r2', 'r3']);
  wish(house, {type: 'move-in-queue', run: 'r3', position: 1});
  assert.deepEqual(house.state.queue, ['r3', 'r2']);
  conclude(house, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.plan',
    path: '/w',
    branch: null,
    commit: 'base',
    tree: 't',
  });
  const events = readPlan(house, 's1', {
    type: 'plan-received',
    ...round,
    plan: planOf(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
  });
  assert.deepEqual(
    events.map(({type}) => type),
    ['plan-received', 'run-opened'],
    'a run that waits for a person takes no room',
  );
  assert.equal(runOf(house.state, 'r3')!.stage.at, 'surveying');
});

test('a planner has as long as an attempt, without what it waits for a person; then it is stopped and explained', () => {
  const house = thinking({attemptWallClock: 60_000});
  startSession(house, 's1');
  const wait = wantedKeys(house).find((key) => key.startsWith('r1/plan-clock/s1'));
  report(house, {type: 'person-asked', session: 's1', question: 'Which one?'});
  assert.ok(
    !wantedKeys(house).some((key) => key.startsWith('r1/plan-clock')),
    'its clock stands still',
  );
  house.time += 3_600_000;
  wish(house, {type: 'answer-question', session: 's1', number: 1, text: 'this'});
  const rest = wantedKeys(house).find((key) => key.startsWith('r1/plan-clock'));
  assert.notEqual(rest, wait);
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, rest)), [], 'not yet');
  house.time += 60_000;
  assert.deepEqual(typesOf(report(house, {type: 'time-passed'}, rest)), ['planning-failed']);
  assert.deepEqual(wantedKeys(house), ['s1/stop']);
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'planless' && need.why.kind),
    ['wall-clock'],
  );
});

test('when there is no plan twice, the last that the planner said is part of why', () => {
  const house = thinking();
  for (const [session, words] of [
    ['s1', 'First.'],
    ['s2', 'I cannot read the repository.'],
  ] as const) {
    runToExit(house, session);
    conclude(house, 'read-plan', {
      type: 'plan-invalid',
      run: 'r1',
      round: 1,
      problems: ['line 1: no JSON'],
      words,
    });
  }

  const stage = runOf(house.state, 'r1')!.stage;
  assert.deepEqual(stage.at === 'planless' && stage.why, {
    kind: 'invalid',
    problems: ['line 1: no JSON'],
    words: 'I cannot read the repository.',
  });
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectNeeds, selectRun} from '../../source/domain/index.ts';
import {report, send, userCommand, wantedKeys} from './support/harness.ts';
import {getPlan, otherRules, plannedTask} from './support/samples.ts';
import {
  approve,
  getStage,
  getTypes,
  makeWorktree,
  reviewing,
  startSession,
  working,
} from './support/stages.ts';

test('an approval binds plan, rules and base, and starts the work', () => {
  const harness = reviewing();
  const decision = approve(harness);
  assert.deepEqual(getTypes(decision), ['plan-approved', 'task-begun']);
  const {stage} = selectRun(harness.state, 'r1')!;
  assert.deepEqual(stage.at === 'working' && stage.approval, {
    plan: 'plan-1',
    rules: 'rules-1',
    base: 'base',
    client: 'ada',
    at: harness.time,
  });
  assert.deepEqual(wantedKeys(harness), ['r1.t1/make']);
});

for (const [what, stale] of [
  ['the plan', {plan: 'plan-0'}],
  ['the rules', {rules: 'rules-0'}],
  ['the base commit', {base: 'older'}],
] as const) {
  test(`an approval of another version of ${what} is refused and changes nothing`, () => {
    const harness = reviewing();
    const before = harness.state;
    const seen = {plan: 'plan-1', rules: 'rules-1', base: 'base'};
    const decision = userCommand(harness, {type: 'approve-plan', run: 'r1', ...seen, ...stale});
    assert.deepEqual(decision, {
      events: [],
      refused: `${what} changed since you looked; read it again before you approve`,
    });
    assert.equal(harness.state, before);
  });
}

test('an agent that approves its own plan is refused, written down and shown until a person has seen it', () => {
  const harness = reviewing();
  const approval = {
    type: 'approve-plan',
    run: 'r1',
    plan: 'plan-1',
    rules: 'rules-1',
    base: 'base',
  } as const;
  const decision = send(harness, {
    ...approval,
    at: harness.time + 1,
    by: {kind: 'agent', session: 's1'},
  });
  assert.match(decision.refused ?? '', /only a person may approve-plan/);
  assert.deepEqual(getTypes(decision), ['intrusion-refused']);
  assert.equal(getStage(harness), 'reviewing');
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['plan', 'intrusion'],
  );
  userCommand(harness, {type: 'acknowledge-intrusion', number: 1});
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['plan'],
  );
});

test('an edited plan is what the approval binds from then on', () => {
  const harness = reviewing();
  userCommand(harness, {
    type: 'edit-plan',
    run: 'r1',
    plan: getPlan(plannedTask('t1', {title: 'Better'})),
    hash: 'plan-2',
  });
  assert.ok(
    userCommand(harness, {
      type: 'approve-plan',
      run: 'r1',
      plan: 'plan-1',
      rules: 'rules-1',
      base: 'base',
    }).refused,
  );
  approve(harness);
  assert.equal(selectRun(harness.state, 'r1')!.tasks[0]?.planned.title, 'Better');
});

test('rules that change under the work void the approval and stop everything until it is given again', () => {
  const harness = working();
  makeWorktree(harness, 'r1.t1');
  startSession(harness, 's2');
  assert.deepEqual(
    getTypes(report(harness, {type: 'rules-changed', run: 'r1', rules: otherRules})),
    ['rules-changed', 'approval-voided'],
  );
  assert.deepEqual(wantedKeys(harness), ['s2/stop']);
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'plan' && need.voided),
    ['rules-changed'],
  );
  report(harness, {type: 'session-exited', session: 's2', code: 0, signal: null});
  assert.deepEqual(getTypes(approve(harness)), ['plan-approved', 'session-asked']);
  assert.equal(
    selectRun(harness.state, 'r1')!.tasks[0]?.attempts.length,
    1,
    'the attempt goes on under its number',
  );
});

test('a plan edited during the work voids the approval, and may not change what has begun', () => {
  const harness = working([plannedTask('t1'), plannedTask('t2', {after: ['t1']})]);
  const changed = userCommand(harness, {
    type: 'edit-plan',
    run: 'r1',
    plan: getPlan(plannedTask('t1', {title: 'Other'})),
    hash: 'plan-2',
  });
  assert.equal(changed.refused, 'r1.t1 has already started; an edited plan must keep it unchanged');
  const retained = userCommand(harness, {
    type: 'edit-plan',
    run: 'r1',
    plan: getPlan(plannedTask('t1'), plannedTask('t3')),
    hash: 'plan-2',
  });
  assert.deepEqual(getTypes(retained), ['plan-edited', 'approval-voided']);
  approve(harness);
  assert.deepEqual(
    selectRun(harness.state, 'r1')!.tasks.map(({id, stage}) => [id, stage.at]),
    [
      ['r1.t1', 'preparing'],
      ['r1.t3', 'preparing'],
    ],
  );
});

test('a base that moves while the plan is read must be seen before it is approved', () => {
  const harness = reviewing();
  report(harness, {type: 'base-moved', run: 'r1', base: 'newer'});
  assert.match(
    userCommand(harness, {
      type: 'approve-plan',
      run: 'r1',
      plan: 'plan-1',
      rules: 'rules-1',
      base: 'base',
    }).refused ?? '',
    /base commit changed/,
  );
  approve(harness);
  assert.ok(
    report(harness, {type: 'base-moved', run: 'r1', base: 'newest'}).refused,
    'under an approval the base stays',
  );
});

test('a plan that needs an undeclared service is not approved', () => {
  const harness = reviewing([plannedTask('t1', {services: ['mail']})]);
  assert.match(approve(harness).refused ?? '', /service "mail", which is not declared/);
});

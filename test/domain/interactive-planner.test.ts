import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type PlanRound,
  type Run,
  type RunBudget,
  selectConversation,
  selectNeeds,
  selectRun,
  selectSession,
  type Session,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {getPlan, plannedTask} from './support/samples.ts';
import {approve, getStage, getTypes, startSession, thinking} from './support/stages.ts';

/** The planner, s1, runs in its own interface and has got its prompt. */
function planning(budget: RunBudget = {}): Harness {
  const harness = thinking(budget, {}, {planners: 'interactive'});
  startSession(harness, 's1');
  report(
    harness,
    {type: 'input-asked', session: 's1', input: 1, text: 'the prompt', prompt: '/x/prompt.md'},
    's1/run',
  );
  report(harness, {type: 'input-typed', session: 's1', input: 1}, 's1/type-1');
  report(harness, {type: 'conversation-known', session: 's1', conversation: 'c-1'});
  return harness;
}

const runOf = (harness: Harness): Run => selectRun(harness.state, 'r1')!;
const roundOf = (harness: Harness): PlanRound => runOf(harness).rounds.at(-1)!;
const plannerOf = (harness: Harness, id: `s${number}` = 's1'): Session =>
  selectSession(harness.state, id)!;
const needsOf = (harness: Harness): string[] => selectNeeds(harness.state).map(({kind}) => kind);

function writeTo(harness: Harness, session: `s${number}` = 's1'): string[] {
  return getTypes(report(harness, {type: 'turn-began', session, by: 'person'}));
}

function endTurn(harness: Harness, message = 'Done.', session: `s${number}` = 's1'): void {
  report(harness, {type: 'turn-ended', session, source: 'agent', words: message});
}

function from(harness: Harness, session: `s${number}` = 's1', handIns?: number) {
  const {turn} = plannerOf(harness, session);
  return {session, turn: turn?.number ?? 0, ...(handIns === undefined ? {} : {handIns})};
}

/** The turn ends, and its plan is read. */
function handIn(harness: Harness, hash: string, session: `s${number}` = 's1'): string[] {
  endTurn(harness, 'Here it is.', session);
  const {stage} = runOf(harness);
  return getTypes(
    conclude(harness, 'read-plan', {
      type: 'plan-received',
      run: 'r1',
      round: roundOf(harness).number,
      plan: getPlan(plannedTask('t1')),
      hash,
      tree: 'tree-base',
      from: from(harness, session, 1),
      ...(stage.at === 'reviewing' ? {replaces: stage.proposal.hash} : {}),
    }),
  );
}

function answer(harness: Harness, message = 'Which database?'): string[] {
  endTurn(harness, message);
  return getTypes(
    conclude(harness, 'read-plan', {
      type: 'planner-waiting',
      run: 'r1',
      round: roundOf(harness).number,
      from: from(harness),
    }),
  );
}

function reject(harness: Harness): string[] {
  const {stage} = runOf(harness);
  assert.ok(stage.at === 'reviewing');
  return getTypes(
    userCommand(harness, {
      type: 'reject-plan',
      run: 'r1',
      plan: stage.proposal.hash,
      reason: 'too large',
    }),
  );
}

/** The prompt of the round is written and typed. */
function typeNext(harness: Harness, session: `s${number}` = 's1'): void {
  const input = plannerOf(harness, session).inputs.length + 1;
  conclude(harness, 'ask-prompt', {
    type: 'input-asked',
    session,
    input,
    text: 'the rejection',
    prompt: `/x/prompt-${input}.md`,
  });
  report(harness, {type: 'input-typed', session, input}, `${session}/type-${input}`);
}

test('a planner is asked for in its own interface only if the request says so', () => {
  assert.deepEqual(plannerOf(planning()).purpose, {
    for: 'plan',
    run: 'r1',
    round: 1,
    asking: 1,
    mode: 'interactive',
  });
  assert.deepEqual(plannerOf(thinking()).purpose, {for: 'plan', run: 'r1', round: 1, asking: 1});
});

test('the end of a turn is read once, and the session stays open beside its plan', () => {
  const harness = planning();
  assert.ok(!wantedKeys(harness).some((key) => key.includes('read-plan')));
  endTurn(harness);
  assert.ok(wantedKeys(harness).includes('r1/read-plan/1-1/s1/1'));
  conclude(harness, 'read-plan', {
    type: 'plan-received',
    run: 'r1',
    round: 1,
    plan: getPlan(plannedTask('t1')),
    hash: 'plan-1',
    tree: 'tree-base',
    from: from(harness, 's1', 1),
  });
  assert.equal(getStage(harness), 'reviewing');
  assert.equal(plannerOf(harness).handIns, 1);
  assert.ok(wantedKeys(harness).includes('s1/run'));
  assert.ok(!wantedKeys(harness).some((key) => key.includes('read-plan')));
});

test('a turn without a plan is a conversation: the planner waits for the person', () => {
  const harness = planning();
  assert.deepEqual(answer(harness), ['planner-waiting']);
  assert.deepEqual(needsOf(harness), ['planner-waits']);
  const [need] = selectNeeds(harness.state);
  assert.ok(need?.kind === 'planner-waits');
  assert.equal(need.words, 'Which database?');
  assert.ok(!wantedKeys(harness).some((key) => /read-plan|ask-prompt|s1\/stop/.test(key)));
  writeTo(harness);
  assert.deepEqual(needsOf(harness), []);
  handIn(harness, 'plan-1');
  assert.equal(getStage(harness), 'reviewing');
  assert.equal(roundOf(harness).number, 1, 'a conversation is no further round');
});

test('a rejection is the next prompt of the same session', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  userCommand(harness, {type: 'comment-plan', run: 'r1', line: 3, text: 'split this'});
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started', 'planner-continued']);
  assert.deepEqual(plannerOf(harness).purpose, {
    for: 'plan',
    run: 'r1',
    round: 2,
    asking: 1,
    mode: 'interactive',
  });
  assert.equal(roundOf(harness).because?.comments.length, 1);
  assert.ok(wantedKeys(harness).includes('r1/ask-prompt/2-1/s1/1'));
  typeNext(harness);
  assert.ok(!wantedKeys(harness).some((key) => key.includes('ask-prompt')), 'asked once');
  assert.equal(plannerOf(harness).turn?.at, 'open');
  handIn(harness, 'plan-2');
  assert.equal(getStage(harness), 'reviewing');
  assert.equal(harness.events.filter(({type}) => type === 'session-asked').length, 1);
});

test('a rejection waits until the planner has answered the person', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  writeTo(harness);
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started']);
  assert.ok(!wantedKeys(harness).includes('s1/stop'));
  const types = getTypes(
    report(harness, {type: 'turn-ended', session: 's1', source: 'agent', words: 'Yes.'}),
  );
  assert.deepEqual(types, ['turn-ended', 'planner-continued']);
  assert.ok(wantedKeys(harness).includes('r1/ask-prompt/2-1/s1/2'));
});

test('a plan that is handed in while one is proposed replaces it; the older one cannot be approved', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  userCommand(harness, {type: 'comment-plan', run: 'r1', line: 3, text: 'split this'});
  writeTo(harness);
  assert.deepEqual(handIn(harness, 'plan-2'), ['plan-received']);
  const {stage} = runOf(harness);
  assert.ok(stage.at === 'reviewing');
  assert.equal(stage.proposal.hash, 'plan-2');
  assert.equal(stage.proposal.comments.length, 1, 'no comment of the person is lost');
  const older = userCommand(harness, {
    type: 'approve-plan',
    run: 'r1',
    plan: 'plan-1',
    rules: stage.ground.rules.hash,
    base: stage.ground.base,
  });
  assert.match(older.refused ?? '', /the plan changed since you looked/);
  assert.ok(getTypes(approve(harness)).includes('plan-approved'));
  assert.ok(wantedKeys(harness).includes('s1/stop'), 'an approval ends the conversation');
});

test('nothing is approved between an answer of the planner and its reading', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  writeTo(harness);
  endTurn(harness);
  assert.match(approve(harness).refused ?? '', /the planner has just answered/);
  conclude(harness, 'read-plan', {
    type: 'planner-waiting',
    run: 'r1',
    round: 1,
    from: from(harness),
  });
  assert.deepEqual(needsOf(harness), ['plan']);
  assert.equal(approve(harness).refused, undefined);
});

test('an invalid plan is asked for once more in the conversation; then the planner waits', () => {
  const harness = planning();
  const invalid = () => {
    endTurn(harness);
    return getTypes(
      conclude(harness, 'read-plan', {
        type: 'plan-invalid',
        run: 'r1',
        round: 1,
        problems: ['no tasks'],
        from: from(harness),
      }),
    );
  };
  assert.deepEqual(invalid(), ['plan-invalid', 'plan-asked-again', 'planner-continued']);
  assert.ok(wantedKeys(harness).includes('r1/ask-prompt/1-2/s1/1'));
  typeNext(harness);
  assert.deepEqual(invalid(), ['plan-invalid', 'planner-waiting']);
  const [need] = selectNeeds(harness.state);
  assert.ok(need?.kind === 'planner-waits');
  assert.deepEqual(need.problems, ['no tasks']);
  writeTo(harness);
  assert.deepEqual(invalid(), ['plan-invalid', 'planner-waiting'], 'nothing more is typed');
  writeTo(harness);
  handIn(harness, 'plan-1');
  assert.equal(getStage(harness), 'reviewing');
});

test('a planner that changed a file has no plan, also while its plan is read and at its approval', () => {
  for (const isNamed of [true, false]) {
    const harness = planning();
    handIn(harness, 'plan-1');
    const wrote = {type: 'planner-wrote', run: 'r1', round: 1, paths: ['a.ts']} as const;
    if (isNamed) {
      writeTo(harness);
      endTurn(harness);
      conclude(harness, 'read-plan', wrote);
    } else report(harness, wrote);
    assert.equal(getStage(harness), 'planless');
    assert.ok(wantedKeys(harness).includes('s1/stop'));
    userCommand(harness, {type: 'plan-again', run: 'r1'});
    report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
    assert.equal(selectConversation(harness.state, plannerOf(harness, 's2')), undefined);
  }
});

test('a headless planner cannot lose its plan that way', () => {
  const harness = thinking();
  const {refused} = report(harness, {type: 'planner-wrote', run: 'r1', round: 1, paths: ['a']});
  assert.match(refused ?? '', /no plan whose planner is open/);
});

test('a planner that is killed at work is told to go on, in the same conversation', () => {
  const harness = planning();
  const types = getTypes(
    report(harness, {type: 'session-lost', session: 's1', why: 'its keeper is gone'}),
  );
  assert.deepEqual(types, ['session-lost', 'planning-interrupted', 'session-asked']);
  const planner = plannerOf(harness, 's2');
  assert.equal(planner.purpose.for === 'plan' && planner.purpose.waits, undefined);
  assert.equal(selectConversation(harness.state, planner), 'c-1');
});

test('a planner that is killed while it waits for the person waits again, without a prompt', () => {
  const harness = planning();
  answer(harness);
  report(harness, {type: 'session-lost', session: 's1', why: 'its keeper is gone'});
  assert.deepEqual(plannerOf(harness, 's2').purpose, {
    for: 'plan',
    run: 'r1',
    round: 1,
    asking: 1,
    mode: 'interactive',
    waits: true,
  });
  startSession(harness, 's2');
  assert.deepEqual(needsOf(harness), ['planner-waits']);
  assert.ok(!wantedKeys(harness).some((key) => /read-plan|ask-prompt/.test(key)));
  writeTo(harness, 's2');
  handIn(harness, 'plan-1', 's2');
  assert.equal(getStage(harness), 'reviewing');
});

test('a planner that is killed beside its plan is opened again, not for ever; one that ended is not', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  for (const session of ['s2', 's3', 's4'] as const) {
    const killed = `s${Number(session.slice(1)) - 1}` as const;
    report(harness, {type: 'session-lost', session: killed, why: 'its keeper is gone'});
    if (session === 's4') break;
    assert.equal(plannerOf(harness, session).purpose.for, 'plan');
    startSession(harness, session);
  }

  assert.equal(plannerOf(harness, 's4'), undefined);
  assert.equal(getStage(harness), 'reviewing');
  // A rejection starts a planner with the same conversation.
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started', 'session-asked']);
  assert.equal(selectConversation(harness.state, plannerOf(harness, 's4')), 'c-1');

  const ended = planning();
  handIn(ended, 'plan-1');
  report(ended, {type: 'session-exited', session: 's1', code: 0, signal: null});
  assert.equal(plannerOf(ended, 's2'), undefined);
});

test('a planner that is opened again beside its plan gets the rejection as its first prompt', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  report(harness, {type: 'session-lost', session: 's1', why: 'its keeper is gone'});
  startSession(harness, 's2');
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started', 'planner-continued']);
  typeNext(harness, 's2');
  handIn(harness, 'plan-2', 's2');
  assert.equal(getStage(harness), 'reviewing');
});

test('a moved branch ends the session before the next round; its conversation goes on', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  report(harness, {type: 'base-moved', run: 'r1', base: 'moved'});
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started']);
  assert.ok(wantedKeys(harness).includes('s1/stop'));
  report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
  conclude(harness, 'renew-worktree', {
    type: 'worktree-renewed',
    owner: 'r1.plan',
    commit: 'moved',
    tree: 'tree-moved',
  });
  assert.equal(selectConversation(harness.state, plannerOf(harness, 's2')), 'c-1');
});

test('a planner that the person ends without a plan is not started again', () => {
  const harness = planning();
  answer(harness);
  report(harness, {type: 'session-exited', session: 's1', code: 0, signal: null});
  const types = getTypes(
    conclude(harness, 'read-plan', {
      type: 'plan-invalid',
      run: 'r1',
      round: 1,
      problems: ['The planner ended without handing in a plan.'],
      from: from(harness),
    }),
  );
  assert.deepEqual(types, ['plan-invalid', 'planning-failed']);
  userCommand(harness, {type: 'plan-again', run: 'r1'});
  assert.equal(selectConversation(harness.state, plannerOf(harness, 's2')), 'c-1');
});

test('only turns count towards the time limit, which also ends a conversation beside a plan', () => {
  const harness = planning({attemptWallClock: 60_000});
  answer(harness);
  harness.time += 3_600_000;
  writeTo(harness);
  assert.equal(getStage(harness), 'planning');
  handIn(harness, 'plan-1');
  harness.time += 3_600_000;
  writeTo(harness);
  harness.time += 60_000;
  assert.deepEqual(getTypes(report(harness, {type: 'time-passed'})), ['session-stop-asked']);
  assert.equal(getStage(harness), 'reviewing', 'the plan stays');
  assert.ok(wantedKeys(harness).includes('s1/stop'));
  report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
  assert.equal(plannerOf(harness, 's2'), undefined);
});

test('a stopped run closes the planner, and a resumed one opens it again', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  userCommand(harness, {type: 'stop', what: 'r1'});
  assert.ok(wantedKeys(harness).includes('s1/stop'));
  report(harness, {type: 'session-exited', session: 's1', code: null, signal: 'SIGTERM'});
  assert.equal(plannerOf(harness, 's2'), undefined);
  userCommand(harness, {type: 'resume', what: 'r1'});
  const planner = plannerOf(harness, 's2');
  assert.equal(planner.purpose.for === 'plan' && planner.purpose.waits, true);
  userCommand(harness, {type: 'discard', what: 'r1'});
  assert.ok(wantedKeys(harness).includes('s2/stop'));
});

test('a rejection that is taken back leaves the planner open', () => {
  const harness = planning();
  handIn(harness, 'plan-1');
  reject(harness);
  userCommand(harness, {type: 'undo', what: 'r1', kind: 'reject'});
  assert.equal(getStage(harness), 'reviewing');
  assert.ok(wantedKeys(harness).includes('s1/run'));
  assert.deepEqual(reject(harness), ['plan-rejected', 'planning-started', 'planner-continued']);
});

test('an answer that comes before the report that the prompt was typed waits for the person', () => {
  const harness = thinking({}, {}, {planners: 'interactive'});
  startSession(harness, 's1');
  report(
    harness,
    {type: 'input-asked', session: 's1', input: 1, text: 'the prompt', prompt: '/x/prompt.md'},
    's1/run',
  );
  report(harness, {type: 'turn-began', session: 's1', by: 'orchestra'});
  answer(harness);
  assert.deepEqual(needsOf(harness), ['planner-waits']);
  report(harness, {type: 'input-typed', session: 's1', input: 1}, 's1/type-1');
  assert.deepEqual(needsOf(harness), ['planner-waits']);
});

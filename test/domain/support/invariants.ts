import assert from 'node:assert/strict';
import {
  defaultAttempts,
  type Effect,
  type Event,
  interruptionLimit,
  isBetweenTurns,
  isGoing,
  isInteractive,
  isTaskActive,
  isUndecided,
  type Need,
  type Run,
  runIdIn,
  selectAttempt,
  selectAwaitedByMerge,
  selectConversation,
  selectLiveSessions,
  selectMerger,
  selectNeeds,
  selectOpenRuns,
  selectPredecessors,
  selectRun,
  selectSession,
  selectTask,
  selectVariants,
  selectWorktree,
  selectWorktreeOwner,
  type Session,
  type State,
  type Task,
  type TaskId,
  taskIdOfSession,
  wanted,
} from '../../../source/domain/index.ts';

/** What must be true after every single event, whatever happened. */
export function assertInvariants(before: State, event: Event, after: State): void {
  assert.deepEqual(after.misfits, [], 'every event that is decided fits');
  assert.equal(after.seq, before.seq + 1);
  assertLimits(after);
  assertOneVariant(event, after);
  if (event.type === 'session-asked' || event.type === 'session-continued')
    assertCapacity(before, after);
  assertOrder(before, event);
  assertStopIsDurable(before, event);
}

/** What must be true of every state in which no event follows by itself. */
export function assertSettled(state: State): void {
  const effects = wanted(state);
  const needs = selectNeeds(state);
  assertNothingWithoutApproval(state, effects);
  assertKeysAreUnique(effects);
  assertShellsEnd(state, effects);
  assertQuestionsAreNotified(state, needs);
  for (const run of selectOpenRuns(state)) {
    assertNotStuck(state, run, effects, needs);
    assertNobodyWaitsInVain(state, run);
  }
}

/**
 * Nothing is started beyond the limit. A person who writes to an agent that waits is not limited.
 */
function assertCapacity(before: State, after: State): void {
  const [earlier, now] = [countBusy(before), countBusy(after)];
  assert.ok(
    now <= earlier || now <= after.project.limits.workers,
    `${now} processes for tasks, ${after.project.limits.workers} allowed`,
  );
}

function countBusy(state: State): number {
  return selectLiveSessions(state).filter(
    (session) =>
      ['attempt', 'setup', 'check'].includes(session.purpose.for) && !isBetweenTurns(session),
  ).length;
}

/** Of several variants at most one is merged, and only if the others are discarded or it was picked. */
function assertOneVariant(event: Event, after: State): void {
  if (event.type !== 'merge-begun') return;
  const task = selectTask(after, event.task)!;
  const others = selectVariants(selectRun(after, runIdIn(task.id))!, task).filter(
    (other) => other !== task && other.stage.at !== 'discarded',
  );
  assert.deepEqual(others, [], `${task.id} is merged beside other variants`);
}

function assertLimits(state: State): void {
  const own = selectLiveSessions(state).filter(
    (session) =>
      ['attempt', 'setup', 'check'].includes(session.purpose.for) && !isInteractive(session),
  );
  assert.ok(
    own.length <= state.project.limits.workers,
    `${own.length} processes for tasks, ${state.project.limits.workers} allowed`,
  );
  for (const run of selectOpenRuns(state)) {
    for (const round of run.rounds) assert.ok(round.interruptions <= interruptionLimit);
    for (const task of run.tasks) {
      assert.ok(
        task.attempts.length <= task.allowed,
        `${task.id} had ${task.attempts.length} attempts, ${task.allowed} allowed`,
      );
      assert.ok(
        task.allowed >= defaultAttempts ||
          task.attempts.some(({by}) => by === 'person') ||
          task.attempts.length < defaultAttempts,
      );
      for (const attempt of task.attempts) assert.ok(attempt.interruptions <= interruptionLimit);
    }
  }

  for (const session of selectLiveSessions(state)) {
    const task = taskIdOfSession(session);
    const own = selectLiveSessions(state).filter(
      (other) => task !== undefined && taskIdOfSession(other) === task,
    );
    const rivals = own.filter(
      (other) =>
        other.purpose.for !== 'shell' && !isBetweenTurns(other) && !isBesidePerson(own, other),
    );
    assert.ok(rivals.length <= 1, `${task ?? ''} has ${rivals.length} processes at once`);
    const shells = own.flatMap(({purpose}) => (purpose.for === 'shell' ? [purpose.name] : []));
    assert.deepEqual(shells, [...new Set(shells)], `${task ?? ''} has two shells of one name`);
    assert.ok(shells.length <= 4);
    assert.ok((session.questions ?? []).filter(({answer}) => answer === undefined).length <= 3);
  }
}

/** A check or setup that is stopped because a person wrote to the agent beside it. */
function isBesidePerson(own: readonly Session[], {purpose}: Session): boolean {
  return (
    (purpose.for === 'check' || purpose.for === 'setup') &&
    own.some((other) => isInteractive(other) && other.turn?.at === 'open')
  );
}

function assertOrder(before: State, event: Event): void {
  if (event.type === 'task-begun') {
    const run = selectRun(before, runIdIn(event.task))!;
    assert.ok(
      selectPredecessors(run, selectTask(before, event.task)!).every(
        ({stage}) => stage.at === 'merged',
      ),
      `${event.task} began before its predecessors were merged`,
    );
  }

  if (event.type === 'merge-begun') {
    const run = selectRun(before, runIdIn(event.task))!;
    const green = run.tasks.filter(
      (task) =>
        task.stage.at === 'validated' &&
        isTaskActive(run, task) &&
        !isUndecided(run, task) &&
        isFree(before, run, task),
    );
    const first = Math.min(...green.map(greenAt));
    assert.equal(
      greenAt(selectTask(before, event.task)!),
      first,
      `${event.task} overtook one that was green before`,
    );
    assert.deepEqual(
      selectPredecessors(run, selectTask(before, event.task)!)
        .filter((task) => task.stage.at !== 'merged' && isGoing(before, run, task))
        .map(({id}) => id),
      [],
      `${event.task} overtook what it comes after`,
    );
  }

  if (event.type === 'attempt-started' && event.attempt > 1) {
    const attempt = selectAttempt(selectTask(before, event.task)!)!;
    assert.ok(
      ['failed', 'passed', 'abandoned', 'gave-up'].includes(attempt.step.at),
      `attempt ${event.attempt} started while the one before is ${attempt.step.at}`,
    );
  }

  if (event.type === 'conversation-lost') {
    const {purpose} = selectSession(before, event.session)!;
    assert.ok(purpose.for === 'attempt' || purpose.for === 'takeover' || purpose.for === 'plan');
    assert.notEqual(
      selectConversation(before, selectSession(before, event.session)!),
      undefined,
      `${event.session} had no conversation to lose`,
    );
    const own = selectRun(
      before,
      purpose.for === 'plan' ? purpose.run : runIdIn(purpose.task),
    )!.sessions.map((id) => selectSession(before, id)!);
    if (purpose.for === 'attempt')
      assert.ok(
        !own.some(
          (other) =>
            other.lostConversation === true &&
            other.purpose.for === 'attempt' &&
            other.purpose.task === purpose.task &&
            other.purpose.attempt === purpose.attempt,
        ),
        `attempt ${purpose.attempt} of ${purpose.task} began anew twice`,
      );
    if (purpose.for === 'plan')
      assert.ok(
        !own.some(
          (other) =>
            other.lostConversation === true &&
            other.purpose.for === 'plan' &&
            other.purpose.round === purpose.round,
        ),
        `round ${purpose.round} of ${purpose.run} began anew twice`,
      );
  }

  if (event.type === 'task-merged') {
    const run = selectRun(before, runIdIn(event.task))!;
    const stage = selectTask(before, event.task)!.stage;
    assert.ok(
      stage.at === 'merging' && stage.step.at === 'publishing' && stage.step.onto === run.head,
      'a merge goes on top of the one before',
    );
  }

  if (event.type === 'plan-approved') {
    const stage = selectRun(before, event.run)!.stage;
    assert.ok(
      stage.at === 'reviewing' &&
        stage.proposal.hash === event.plan &&
        stage.ground.rules.hash === event.rules &&
        stage.ground.base === event.base,
    );
  }
}

function greenAt({stage}: Task): number {
  return stage.at === 'validated' ? stage.seq! : Infinity;
}

/** Its predecessors are merged, or wait for a person. */
function isFree(state: State, run: Run, task: Task): boolean {
  return selectPredecessors(run, task).every(
    (earlier) => earlier.stage.at === 'merged' || !isGoing(state, run, earlier),
  );
}

/**
 * No green task waits without reason: while another is merged, its predecessors are not, or a person
 * has to pick one of several variants. A task that waits names what it waits for.
 */
function assertNobodyWaitsInVain(state: State, run: Run): void {
  if (run.stage.at !== 'working' || run.moved !== undefined) return;
  const merger = selectMerger(run);
  for (const task of run.tasks) {
    if (task.stage.at !== 'validated' || !isTaskActive(run, task)) continue;
    if (isUndecided(run, task)) continue;
    assert.ok(
      merger !== undefined || !isFree(state, run, task),
      `${task.id} is green and waits though nothing is merged`,
    );
    assert.ok(selectAwaitedByMerge(state, run, task).length > 0, `${task.id} waits for nobody`);
  }
}

/** While a person's stop stands, nothing starts that it covers. */
function assertStopIsDurable(before: State, event: Event): void {
  if (event.type !== 'session-asked') return;
  const {purpose} = event;
  if (purpose.for === 'person') return;
  if (purpose.for === 'check' && purpose.on === 'merge')
    assertChecksWhatIsThere(before, purpose.task);
  if (purpose.for === 'service') {
    assert.equal(before.services.find(({spec}) => spec.name === purpose.service)?.desire, 'wanted');
    return;
  }

  const run = selectRun(before, 'run' in purpose ? purpose.run : runIdIn(purpose.task))!;
  assert.equal(run.hold, undefined, `${event.session} was asked for in a stopped run`);
  if ('task' in purpose)
    assert.equal(
      selectTask(before, purpose.task)?.hold,
      undefined,
      `${event.session} was asked for in a stopped task`,
    );
}

/** A check after merging runs on its own task's candidate, alone in the merge worktree. */
function assertChecksWhatIsThere(state: State, id: TaskId): void {
  const run = selectRun(state, runIdIn(id))!;
  const {stage} = selectTask(state, id)!;
  const laidOut = selectWorktree(run, `${run.id}.merge`)?.commit;
  assert.ok(
    stage.at === 'merging' && stage.step.at === 'checking' && stage.step.candidate === laidOut,
    `${id} is checked on ${laidOut ?? 'nothing'}`,
  );
  assert.deepEqual(
    selectLiveSessions(state)
      .filter(
        (session) =>
          session.purpose.for !== 'service' && selectWorktreeOwner(session) === `${run.id}.merge`,
      )
      .map((session) => session.id),
    [],
    `the merge worktree is occupied when ${id} is checked`,
  );
}

function assertNothingWithoutApproval(state: State, effects: readonly Effect[]): void {
  for (const effect of effects) {
    if (
      effect.task === undefined ||
      effect.do === 'write-summary' ||
      effect.do === 'remove-worktree'
    )
      continue;
    const run = selectRun(state, runIdIn(effect.task))!;
    const {stage} = run;
    if (effect.do === 'restore-worktree') {
      assertUndoIsAsked(run, effect.task);
      continue;
    }

    if (stage.at !== 'working') assert.fail(`${effect.key} is wanted in a run that is ${stage.at}`);
    const {approval, proposal, ground} = stage;
    assert.deepEqual(
      [approval.plan, approval.rules, approval.base],
      [proposal.hash, ground.rules.hash, ground.base],
      `${effect.key} has no approval that matches`,
    );
  }
}

/** What was discarded comes back only on a person's word. */
function assertUndoIsAsked(run: Run, id: TaskId): void {
  const undoable =
    run.stage.at === 'discarded'
      ? run.undoable
      : run.tasks.find((task) => task.id === id)?.undoable;
  assert.equal(undoable?.isAsked, true, `${id} comes back, and nobody asked for it`);
}

/** A shell is kept for a task that may still be worked on, and for no other. */
function assertShellsEnd(state: State, effects: readonly Effect[]): void {
  for (const {id, purpose} of selectLiveSessions(state)) {
    if (purpose.for !== 'shell') continue;
    const run = selectRun(state, runIdIn(purpose.task))!;
    const task = selectTask(state, purpose.task)!;
    const isOver =
      run.stage.at !== 'working' ||
      run.hold !== undefined ||
      task.hold !== undefined ||
      task.stage.at === 'merged' ||
      task.stage.at === 'discarded';
    if (isOver)
      assert.ok(
        effects.some((effect) => effect.do === 'stop-session' && effect.session === id),
        `${id}, a shell of ${purpose.task}, is not stopped`,
      );
  }
}

/** Every open question of a live agent is exactly one need. */
function assertQuestionsAreNotified(state: State, needs: readonly Need[]): void {
  for (const {id, questions = []} of selectLiveSessions(state)) {
    const open = questions.filter(({answer}) => answer === undefined).map(({number}) => number);
    const notified = needs
      .filter((need) => need.kind === 'question' && need.session === id)
      .map((need) => need.kind === 'question' && need.asked);
    if (open.length > 0) assert.deepEqual(notified, open);
    else assert.ok(notified.every((asked) => asked === undefined));
  }
}

function assertKeysAreUnique(effects: readonly Effect[]): void {
  const keys = effects.map(({key}) => key);
  assert.deepEqual(keys, [...new Set(keys)]);
}

/**
 * A run that is not over moves by itself, waits for a person who can see it, or waits for capacity.
 */
function assertNotStuck(
  state: State,
  run: Run,
  effects: readonly Effect[],
  needs: readonly Need[],
): void {
  const moves = effects.some(
    (effect) =>
      effect.run === run.id ||
      effect.do === 'stop-session' ||
      effect.do === 'run-session' ||
      effect.do === 'watch-service' ||
      effect.key.startsWith('service/'),
  );
  const asks = needs.some(
    (need) =>
      ('run' in need && need.run === run.id) ||
      ('task' in need && runIdIn(need.task) === run.id) ||
      ('owner' in need && runIdIn(need.owner) === run.id) ||
      need.kind === 'service',
  );
  const isInHand =
    run.hold !== undefined ||
    run.tasks.some((task) => task.hold !== undefined || task.stage.at === 'taken-over');
  const waitsForSlot =
    run.stage.at === 'queued' ||
    run.tasks.some(
      ({stage}) => stage.at === 'waiting' || stage.at === 'preparing' || stage.at === 'attempting',
    );
  const isSlotTaken = selectOpenRuns(state).length > 1;
  assert.ok(
    moves || asks || isInHand || (waitsForSlot && isSlotTaken),
    `${run.id} (${run.stage.at}) is stuck: nothing moves it and nobody is asked`,
  );
}

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  selectNeeds,
  selectRun,
  selectTask,
  selectUndoable,
  selectUndoables,
  type UndoKind,
  type UserCommand,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {
  finished,
  getStage,
  getTypes,
  reviewing,
  runToExit,
  thinking,
  working,
} from './support/stages.ts';

const two = [plannedTask('t1'), plannedTask('t2', {after: ['t1']})];
const minute = 60_000;

function undo(harness: Harness, what: 'r1' | `r1.t${number}`, kind: UndoKind) {
  return userCommand(harness, {type: 'undo', what, kind});
}

function accepted(from = 'before'): Harness {
  const harness = finished();
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(harness, 'bring-home', {
    type: 'run-accepted',
    run: 'r1',
    commit: 'home',
    from,
  });
  return harness;
}

/** Ends every removal that is wanted. */
function removeAll(harness: Harness): void {
  for (const key of wantedKeys(harness).filter((one) => one.endsWith('/remove')))
    report(
      harness,
      {
        type: 'worktree-removed',
        owner: key.slice(0, -'/remove'.length) as 'r1.t1',
        kept: `refs/orchestra/backup/${key}`,
        tip: 'tip',
      },
      key,
    );
}

function endSessions(harness: Harness): void {
  for (const id of harness.state.live)
    report(harness, {type: 'session-exited', session: id, code: null, signal: 'SIGTERM'});
}

function bringBack(harness: Harness, owner: `r1.t${number}`): string[] {
  return getTypes(
    conclude(harness, 'restore-worktree', {
      type: 'worktree-made',
      owner,
      path: '/w',
      branch: 'b',
      commit: 'base',
      tree: 'tree',
    }),
  );
}

/** What a person decided, and what can be undone a moment later. */
const table: readonly (readonly [
  string,
  () => Harness,
  UserCommand | undefined,
  {readonly kind: UndoKind; readonly task?: string} | undefined,
])[] = [
  ['nothing was decided', () => working(two), undefined, undefined],
  ['an accept', () => accepted(), undefined, {kind: 'accept'}],
  ['an accept that moved nothing', () => accepted('home'), undefined, undefined],
  ['an accept of an older journal', older, undefined, undefined],
  ['a stop of a run', () => working(two), {type: 'stop', what: 'r1'}, {kind: 'stop'}],
  [
    'a stop of a task',
    () => working(two),
    {type: 'stop', what: 'r1.t1'},
    {kind: 'stop', task: 'r1.t1'},
  ],
  ['a discarded run', () => working(two), {type: 'discard', what: 'r1'}, {kind: 'discard'}],
  [
    'a discarded task',
    () => working(two),
    {type: 'discard', what: 'r1.t1'},
    {kind: 'discard', task: 'r1.t1'},
  ],
];

describe('what can be undone', () => {
  for (const [what, make, command, expected] of table)
    test(what, () => {
      const harness = make();
      if (command !== undefined) userCommand(harness, command);
      const found = selectUndoable(harness.state, harness.time);
      assert.deepEqual(
        found && {kind: found.kind, ...(found.task === undefined ? {} : {task: found.task})},
        expected,
      );
      if (found === undefined) return;
      assert.equal(found.until, found.at + 10 * minute);
      assert.notEqual(found.title, '');
      assert.notEqual(found.text, '');
      assert.equal(selectUndoable(harness.state, found.until)?.kind, expected?.kind);
      assert.equal(selectUndoable(harness.state, found.until + 1), undefined);
      harness.time = found.until;
      assert.match(
        undo(harness, (found.task ?? found.run) as 'r1', found.kind).refused ?? '',
        /more than 10 minutes ago/,
      );
    });

  test('the newest comes first', () => {
    const harness = working([plannedTask('t1'), plannedTask('t2')]);
    userCommand(harness, {type: 'stop', what: 'r1.t2'});
    userCommand(harness, {type: 'stop', what: 'r1.t1'});
    assert.deepEqual(
      selectUndoables(harness.state, harness.time).map(({task}) => task),
      ['r1.t1', 'r1.t2'],
    );
  });

  test('a decision of another kind is not undone instead', () => {
    const harness = working(two);
    userCommand(harness, {type: 'stop', what: 'r1'});
    assert.match(undo(harness, 'r1', 'discard').refused ?? '', /no decision to discard r1/);
    assert.match(undo(harness, 'r1.t1', 'stop').refused ?? '', /no decision to stop r1\.t1/);
  });
});

function older(): Harness {
  const harness = finished();
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(harness, 'bring-home', {type: 'run-accepted', run: 'r1', commit: 'home'});
  return harness;
}

describe('an accept', () => {
  test('goes back when the removals of before are over, and the run is ready again', () => {
    const harness = accepted();
    assert.deepEqual(getTypes(undo(harness, 'r1', 'accept')), ['undo-asked']);
    assert.ok(!wantedKeys(harness).includes('r1/undo-accept/home'));
    assert.match(undo(harness, 'r1', 'accept').refused ?? '', /being undone already/);
    removeAll(harness);
    assert.ok(wantedKeys(harness).includes('r1/undo-accept/home'));
    conclude(harness, 'undo-accept', {
      type: 'accept-undone',
      run: 'r1',
      into: 'main',
      commit: 'before',
    });
    assert.deepEqual(
      selectNeeds(harness.state).map((need) => need.kind),
      ['accept'],
    );
    assert.equal(selectUndoable(harness.state, harness.time), undefined);
    assert.equal(
      userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused,
      undefined,
    );
  });

  for (const [how, saw] of [
    ['is refused', {type: 'undo-refused', what: 'r1', why: 'main has moved'}],
    ['fails', {type: 'effect-failed', words: 'no disk'}],
  ] as const)
    test(`that ${how} stays accepted, and can be tried again`, () => {
      const harness = accepted();
      undo(harness, 'r1', 'accept');
      removeAll(harness);
      assert.deepEqual(getTypes(conclude(harness, 'undo-accept', saw)), ['undo-refused']);
      assert.equal(getStage(harness), 'accepted');
      assert.equal(selectUndoable(harness.state, harness.time)?.kind, 'accept');
    });

  test('stays when a run was started from it', () => {
    const harness = accepted();
    userCommand(harness, {
      type: 'start-run',
      request: selectRun(harness.state, 'r1')!.request,
      budget: {},
    });
    const {ground} = (selectRun(harness.state, 'r1')!.undoable as {stage: {ground: object}}).stage;
    conclude(harness, 'survey', {
      type: 'run-surveyed',
      run: 'r2',
      ground: {...ground, base: 'home'} as never,
    });
    assert.equal(selectUndoable(harness.state, harness.time), undefined);
    assert.match(undo(harness, 'r1', 'accept').refused ?? '', /r2 was started from it/);
  });
});

describe('a discarded task', () => {
  test('comes back with its worktree and those that need it, and is stopped until it is resumed', () => {
    const harness = working(two);
    makeOwn(harness);
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.equal(selectTask(harness.state, 'r1.t2')!.stage.at, 'discarded');
    assert.deepEqual(getTypes(undo(harness, 'r1.t1', 'discard')), ['undo-asked']);
    // The removal ends first: it may be under way.
    assert.ok(!wantedKeys(harness).some((key) => key.includes('/restore/')));
    endSessions(harness);
    removeAll(harness);
    assert.deepEqual(bringBack(harness, 'r1.t1'), [
      'worktree-made',
      'task-restored',
      'task-restored',
    ]);
    const {stage, hold} = selectTask(harness.state, 'r1.t1')!;
    assert.deepEqual([stage.at, hold?.isRestored], ['attempting', true]);
    const second = selectTask(harness.state, 'r1.t2')!;
    assert.deepEqual([second.stage.at, second.hold], ['waiting', undefined]);
    assert.equal(selectRun(harness.state, 'r1')!.removed, undefined);
    assert.equal(selectUndoable(harness.state, harness.time), undefined);
    assert.equal(userCommand(harness, {type: 'resume', what: 'r1.t1'}).refused, undefined);
    assert.equal(selectTask(harness.state, 'r1.t1')!.hold, undefined);
  });

  test('that cannot be made again stays discarded', () => {
    const harness = working(two);
    makeOwn(harness);
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    endSessions(harness);
    removeAll(harness);
    undo(harness, 'r1.t1', 'discard');
    const [event] = conclude(harness, 'restore-worktree', {
      type: 'effect-failed',
      words: 'the ref is gone',
    }).events;
    assert.deepEqual(event?.type === 'undo-refused' && event.what, 'r1.t1');
    assert.equal(selectTask(harness.state, 'r1.t1')!.stage.at, 'discarded');
    assert.equal(selectUndoable(harness.state, harness.time)?.kind, 'discard');
  });

  test('stays while its run is stopped or over', () => {
    const harness = working([plannedTask('t1'), plannedTask('t2')]);
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    userCommand(harness, {type: 'stop', what: 'r1'});
    assert.match(undo(harness, 'r1.t1', 'discard').refused ?? '', /r1 is halted/);
    userCommand(harness, {type: 'discard', what: 'r1'});
    assert.match(undo(harness, 'r1.t1', 'discard').refused ?? '', /no decision to discard/);
  });
});

test('a discarded run comes back as a whole, and is stopped until it is resumed', () => {
  const harness = working(two);
  makeOwn(harness);
  userCommand(harness, {type: 'discard', what: 'r1'});
  undo(harness, 'r1', 'discard');
  endSessions(harness);
  removeAll(harness);
  assert.deepEqual(bringBack(harness, 'r1.t1'), ['worktree-made', 'run-restored']);
  const run = selectRun(harness.state, 'r1')!;
  assert.deepEqual([run.stage.at, run.hold?.isRestored], ['working', true]);
  assert.deepEqual(
    run.tasks.map(({stage}) => stage.at),
    ['attempting', 'waiting'],
  );
  assert.equal(selectUndoable(harness.state, harness.time), undefined);
  assert.equal(userCommand(harness, {type: 'resume', what: 'r1'}).refused, undefined);
});

for (const what of ['r1', 'r1.t1'] as const)
  test(`undoing the stop of ${what} is a resume, unless something else went wrong meanwhile`, () => {
    const harness = working(two);
    userCommand(harness, {type: 'stop', what});
    assert.equal(
      getTypes(undo(harness, what, 'stop'))[0],
      what === 'r1' ? 'run-resumed' : 'task-resumed',
    );
    assert.match(undo(harness, what, 'stop').refused ?? '', /no decision to stop/);
  });

describe('a rejected plan', () => {
  test('waits for the person again, and its planner is not wanted', () => {
    const harness = reviewing(two);
    const before = selectRun(harness.state, 'r1')!.stage;
    assert(before.at === 'reviewing');
    userCommand(harness, {
      type: 'reject-plan',
      run: 'r1',
      plan: before.proposal.hash,
      reason: 'smaller',
    });
    assert.equal(getStage(harness), 'planning');
    undo(harness, 'r1', 'reject');
    const after = selectRun(harness.state, 'r1')!;
    assert.deepEqual(after.stage.at === 'reviewing' && after.stage.proposal, before.proposal);
    assert.equal(after.rounds.at(-1)?.step.at, 'over');
    assert.ok(!wantedKeys(harness).some((key) => key.includes('read-plan')));
    assert.match(undo(harness, 'r1', 'reject').refused ?? '', /no decision to reject/);
  });

  test('cannot come back after the next round has ended, not even while another one runs', () => {
    const harness = reviewing(two);
    userCommand(harness, {type: 'reject-plan', run: 'r1', plan: 'plan-1', reason: 'smaller'});
    runToExit(harness, 's2');
    conclude(harness, 'read-plan', {type: 'planner-failed', run: 'r1', round: 2, words: 'no'});
    assert.equal(getStage(harness), 'planless');
    assert.equal(selectUndoable(harness.state, harness.time), undefined);
    userCommand(harness, {type: 'plan-again', run: 'r1'});
    assert.equal(getStage(harness), 'planning');
    assert.match(undo(harness, 'r1', 'reject').refused ?? '', /no decision to reject/);
  });

  test('is none while the first plan is made', () => {
    assert.match(undo(thinking(), 'r1', 'reject').refused ?? '', /no decision to reject/);
  });
});

/** The worktree of the first task, with its agent at work. */
function makeOwn(harness: Harness): void {
  conclude(harness, 'make-worktree', {
    type: 'worktree-made',
    owner: 'r1.t1',
    path: '/w/r1.t1',
    branch: 'o/r1-t1',
    commit: 'base',
    tree: 'tree-base',
  });
}

import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  isReady,
  selectNeeds,
  selectRun,
  selectTask,
  selectUndoables,
  type TaskId,
} from '../../source/domain/index.ts';
import {
  conclude,
  createHarness,
  type Harness,
  report,
  send,
  userCommand,
} from './support/harness.ts';
import {base, failed, plannedTask, request} from './support/samples.ts';
import {
  check,
  getTypes,
  makeWorktree,
  mergeTask,
  runToExit,
  sessionOfTask,
  startSession,
  validate,
  work,
  working,
} from './support/stages.ts';

/** Two variants of one task, and a task that comes after it. */
const tasks = [
  plannedTask('t1'),
  plannedTask('t3', {variantOf: 't1', agent: 'codex'}),
  plannedTask('t2', {after: ['t1']}),
];

function start(planned = tasks, workers = 3): Harness {
  return working(planned, {}, {limits: {workers, runs: 1}});
}

const stagesOf = (harness: Harness): string[] =>
  selectRun(harness.state, 'r1')!.tasks.map(({stage}) => stage.at);

const picksOf = (harness: Harness): (readonly TaskId[])[] =>
  selectNeeds(harness.state).flatMap((need) => (need.kind === 'pick' ? [need.green] : []));

const pick = (harness: Harness, task: TaskId, commit = `commit-${task}`): string[] => {
  const {events, refused} = userCommand(harness, {type: 'pick-variant', task, commit});
  return refused === undefined ? events.map(({type}) => type) : [refused];
};

describe('variants of a task', () => {
  it('work side by side, and none is merged before a person picks one', () => {
    const harness = start();
    assert.deepEqual(stagesOf(harness), ['preparing', 'preparing', 'waiting']);
    validate(harness, 'r1.t1');
    assert.deepEqual(stagesOf(harness), ['validated', 'preparing', 'waiting']);
    assert.deepEqual(picksOf(harness), [], 'the other one still works');
    validate(harness, 'r1.t3');
    assert.deepEqual(stagesOf(harness), ['validated', 'validated', 'waiting']);
    assert.deepEqual(picksOf(harness), [['r1.t1', 'r1.t3']]);
    assert.deepEqual(pick(harness, 'r1.t3'), ['variant-picked', 'task-discarded', 'merge-begun']);
    assert.deepEqual(stagesOf(harness), ['discarded', 'merging', 'waiting']);
    assert.deepEqual(selectTask(harness.state, 'r1.t1')!.stage, {
      at: 'discarded',
      why: {kind: 'not-picked', task: 'r1.t3'},
      since: harness.time,
    });
    assert.deepEqual(picksOf(harness), []);
    assert.deepEqual(getTypes(mergeTask(harness, 'r1.t3')), ['task-merged', 'task-begun']);
    validate(harness, 'r1.t2');
    mergeTask(harness, 'r1.t2');
    assert.ok(isReady(selectRun(harness.state, 'r1')!));
  });

  it('can be picked while others still work; those end', () => {
    const harness = start();
    validate(harness, 'r1.t1');
    makeWorktree(harness, 'r1.t3');
    const session = sessionOfTask(harness, 'r1.t3');
    startSession(harness, session);
    assert.deepEqual(pick(harness, 'r1.t1').slice(0, 2), ['variant-picked', 'task-discarded']);
    assert.deepEqual(stagesOf(harness), ['merging', 'discarded', 'waiting']);
  });

  it('cannot be picked before it is green, as another commit, twice, or where there is one', () => {
    const harness = start();
    assert.deepEqual(pick(harness, 'r1.t1'), [
      'r1.t1 is preparing; only a variant that passed its checks can be picked',
    ]);
    validate(harness, 'r1.t1');
    assert.deepEqual(pick(harness, 'r1.t1', 'other'), [
      'r1.t1 is at commit-r1.t1 now, not at other; look at it again',
    ]);
    validate(harness, 'r1.t3');
    pick(harness, 'r1.t1');
    assert.deepEqual(pick(harness, 'r1.t3'), [
      'r1.t1 counts already: you picked it, or it is merged',
    ]);
    assert.deepEqual(pick(harness, 'r1.t2'), [
      'r1.t2 is the only variant of its task; there is nothing to pick from',
    ]);
    assert.deepEqual(pick(harness, 'r1.t9'), ['there is no task r1.t9']);
  });

  it('are no agent’s to pick', () => {
    const harness = start();
    validate(harness, 'r1.t1');
    validate(harness, 'r1.t3');
    const {refused} = send(harness, {
      type: 'pick-variant',
      task: 'r1.t1',
      commit: 'commit-r1.t1',
      at: harness.time + 1,
      by: {kind: 'agent', session: 's2'},
    });
    assert.match(refused ?? '', /only a person may pick-variant/);
    assert.deepEqual(stagesOf(harness).slice(0, 2), ['validated', 'validated']);
  });

  it('one that stopped waits beside a green one, and the green one can be picked', () => {
    const harness = start();
    validate(harness, 'r1.t1');
    makeWorktree(harness, 'r1.t3');
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      work(harness, 'r1.t3');
      check(harness, 'r1.t3', failed('test'));
    }

    assert.deepEqual(stagesOf(harness), ['validated', 'stopped', 'waiting']);
    assert.deepEqual(picksOf(harness), [['r1.t1']]);
    assert.deepEqual(
      selectNeeds(harness.state).map(({kind}) => kind),
      ['pick', 'stopped'],
    );
    pick(harness, 'r1.t1');
    assert.deepEqual(stagesOf(harness), ['merging', 'discarded', 'waiting']);
    assert.deepEqual(selectNeeds(harness.state), []);
  });

  it('the last one that is left needs no pick', () => {
    const harness = start();
    validate(harness, 'r1.t3');
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.deepEqual(
      stagesOf(harness),
      ['discarded', 'merging', 'waiting'],
      'the task after it waits for the one that is left',
    );
    mergeTask(harness, 'r1.t3');
    assert.deepEqual(stagesOf(harness), ['discarded', 'merged', 'preparing']);
  });

  it('a discard cannot be undone once another one counts', () => {
    const harness = start();
    validate(harness, 'r1.t3');
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.deepEqual(selectUndoables(harness.state, harness.time), []);
    const {refused} = userCommand(harness, {type: 'undo', what: 'r1.t1', kind: 'discard'});
    assert.match(refused ?? '', /r1\.t3, another variant of the same task, counts/);
  });

  it('a discard cannot be undone either when the merged one gets another attempt', () => {
    const harness = start();
    validate(harness, 'r1.t3');
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    mergeTask(harness, 'r1.t3');
    userCommand(harness, {type: 'grant-attempt', task: 'r1.t3'});
    assert.equal(stagesOf(harness)[1], 'attempting');
    assert.deepEqual(selectUndoables(harness.state, harness.time), []);
    const {refused} = userCommand(harness, {type: 'undo', what: 'r1.t1', kind: 'discard'});
    assert.match(refused ?? '', /r1\.t3, another variant of the same task, counts/);
  });

  it('a task after them goes with the last of them', () => {
    const harness = start();
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.deepEqual(stagesOf(harness), ['discarded', 'preparing', 'waiting']);
    userCommand(harness, {type: 'discard', what: 'r1.t3'});
    assert.deepEqual(stagesOf(harness), ['discarded', 'discarded', 'discarded']);
  });

  it('a picked one that conflicts is repaired like any other', () => {
    const harness = start();
    validate(harness, 'r1.t1');
    validate(harness, 'r1.t3');
    pick(harness, 'r1.t3');
    makeWorktree(harness, 'r1.merge' as TaskId);
    conclude(harness, 'build-merge', {
      type: 'merge-conflicted',
      task: 'r1.t3',
      paths: ['src/t1.ts'],
    });
    assert.deepEqual(stagesOf(harness), ['discarded', 'attempting', 'waiting']);
    assert.equal(selectTask(harness.state, 'r1.t3')!.attempts.at(-1)!.repairs?.kind, 'conflict');
  });
});

describe('a session without a plan, opened with several agents', () => {
  const open = {variants: ['claude', 'codex', 'claude']};

  function startOpen(more: Partial<typeof request> & {readonly open?: object} = {}): Harness {
    const harness = createHarness();
    report(harness, {
      type: 'project-read',
      project: {limits: {workers: 3, runs: 1}, services: []},
    });
    userCommand(harness, {
      type: 'start-run',
      request: {...request, worker: 'claude', open, ...more},
      budget: {},
    });
    return harness;
  }

  it('is one task with a variant for each of them', () => {
    const harness = startOpen();
    conclude(harness, 'survey', {type: 'run-surveyed', run: 'r1', ground: base});
    const {tasks: made} = selectRun(harness.state, 'r1')!;
    assert.deepEqual(
      made.map(({planned: {id, variantOf, agent}}) => [id, variantOf, agent]),
      [
        ['t1', undefined, undefined],
        ['t2', 't1', 'codex'],
        ['t3', 't1', undefined],
      ],
    );
    assert.deepEqual(stagesOf(harness), ['preparing', 'preparing', 'preparing']);
    for (const task of ['r1.t1', 'r1.t2'] as const) {
      makeWorktree(harness, task);
      runToExit(harness, sessionOfTask(harness, task), 0);
    }
  });

  it('says what does not go together', () => {
    for (const [more, text] of [
      [{withoutPrompt: true}, /several agents need to know what to do/],
      [{conversation: 'c1'}, /can be continued by one agent/],
    ] as const) {
      const harness = createHarness();
      const {refused} = userCommand(harness, {
        type: 'start-run',
        request: {...request, open: {...open, ...more}},
        budget: {},
      });
      assert.match(refused ?? '', text);
    }
  });
});

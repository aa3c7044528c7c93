import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  type Decision,
  isGoing,
  type MovedBranch,
  type Need,
  selectNeeds,
  selectRun,
  selectTask,
} from '../../source/domain/index.ts';
import {conclude, type Harness, report, send, userCommand, wantedKeys} from './support/harness.ts';
import {passed, plannedTask} from './support/samples.ts';
import {buildMerge, check, getTypes, mergeTask, validate, working} from './support/stages.ts';

const two = [plannedTask('t1'), plannedTask('t2')];

/** The first of two tasks is green, and somebody else has moved the run's branch. */
function merging(tasks = two): Harness {
  const harness = working(tasks);
  validate(harness, 'r1.t1');
  report(
    harness,
    {
      type: 'worktree-made',
      owner: 'r1.merge',
      path: '/w/r1.merge',
      branch: null,
      commit: 'base',
      tree: 'tree',
    },
    'r1.merge/make',
  );
  return harness;
}

function move(
  harness: Harness,
  kind: 'build-merge' | 'publish-merge' | 'bring-home' | 'restore-branch',
  relation: MovedBranch['relation'] = 'ahead',
  found = 'theirs',
): Decision {
  return conclude(harness, kind, {
    type: 'branch-moved',
    run: 'r1',
    branch: 'orchestra/r1',
    expected: selectRun(harness.state, 'r1')!.head!,
    found,
    relation,
  });
}

function branchNeed(harness: Harness): Need | undefined {
  return selectNeeds(harness.state).find(({kind}) => kind === 'branch');
}

test('a branch that moved is met before anything is built or checked, and asked about once', () => {
  const harness = merging();
  assert.deepEqual(getTypes(move(harness, 'build-merge')), ['branch-moved']);
  assert.deepEqual(branchNeed(harness), {
    id: `r1/branch/theirs/${harness.time}`,
    since: harness.time,
    kind: 'branch',
    run: 'r1',
    branch: 'orchestra/r1',
    expected: 'base',
    found: 'theirs',
    relation: 'ahead',
  });
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.includes('merge')),
    [],
    'nothing is merged meanwhile',
  );
  assert.equal(selectRun(harness.state, 'r1')!.head, 'base');
});

test('the other tasks work on meanwhile, and what is green waits with it', () => {
  const harness = merging();
  move(harness, 'build-merge');
  validate(harness, 'r1.t2');
  assert.deepEqual(
    selectRun(harness.state, 'r1')!.tasks.map(({stage}) => stage.at),
    ['merging', 'validated'],
  );
  const run = selectRun(harness.state, 'r1')!;
  assert.deepEqual(
    run.tasks.map((task) => isGoing(harness.state, run, task)),
    [false, false],
    'whoever waits for a person takes no room',
  );
});

test('a branch that moves during publication is a need as well, and the merge is built again afterwards', () => {
  const harness = merging();
  buildMerge(harness, 'r1.t1');
  check(harness, 'r1.t1', passed('test', 'npm test'));
  check(harness, 'r1.t1', passed('build'));
  assert.deepEqual(getTypes(move(harness, 'publish-merge')), ['branch-moved']);
  assert.partialDeepStrictEqual(selectTask(harness.state, 'r1.t1')!.stage, {
    at: 'merging',
    commit: 'commit-r1.t1',
    step: {at: 'building'},
  });
  userCommand(harness, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  assert.ok(wantedKeys(harness).includes('r1.t1/build-merge/commit-r1.t1/theirs'));
});

test('taking over makes what was found the head: the next merge is built and checked on top of it', () => {
  const harness = merging();
  move(harness, 'build-merge');
  assert.deepEqual(
    userCommand(harness, {type: 'adopt-branch', run: 'r1', commit: 'theirs'}).events.map(
      ({type}) => type,
    ),
    ['branch-adopted'],
  );
  const {head, adopted, moved} = selectRun(harness.state, 'r1')!;
  assert.deepEqual([head, adopted, moved], ['theirs', ['theirs'], undefined]);
  assert.equal(branchNeed(harness), undefined);
  mergeTask(harness, 'r1.t1');
  assert.equal(selectRun(harness.state, 'r1')!.head, 'merge-r1.t1');
});

for (const relation of ['behind', 'apart'] as const) {
  test(`what does not hold the run's own merges (${relation}) is not taken over`, () => {
    const harness = merging();
    move(harness, 'build-merge', relation);
    assert.match(
      userCommand(harness, {type: 'adopt-branch', run: 'r1', commit: 'theirs'}).refused ?? '',
      /does not contain what r1 has merged; restore it, or discard r1/,
    );
    assert.equal(selectRun(harness.state, 'r1')!.head, 'base');
  });
}

for (const type of ['adopt-branch', 'restore-branch'] as const) {
  test(`${type} is about the commit that the person was shown`, () => {
    const harness = merging();
    move(harness, 'build-merge');
    assert.match(
      userCommand(harness, {type, run: 'r1', commit: 'older'}).refused ?? '',
      /orchestra\/r1 is at theirs now, not at older/,
    );
  });

  test(`${type} is refused where nothing was moved, where there is no run, and while the run is stopped`, () => {
    const harness = merging();
    assert.match(
      userCommand(harness, {type, run: 'r1', commit: 'theirs'}).refused ?? '',
      /nobody moved the branch of r1/,
    );
    assert.match(
      userCommand(harness, {type, run: 'r9', commit: 'theirs'}).refused ?? '',
      /there is no run r9/,
    );
    move(harness, 'build-merge');
    userCommand(harness, {type: 'stop', what: 'r1'});
    assert.match(
      userCommand(harness, {type, run: 'r1', commit: 'theirs'}).refused ?? '',
      /resume it first/,
    );
  });

  test(`${type} is a person's to say`, () => {
    const harness = merging();
    move(harness, 'build-merge');
    const {refused} = send(harness, {
      type,
      run: 'r1',
      commit: 'theirs',
      at: harness.time,
      by: {kind: 'agent', session: 's2'},
    });
    assert.match(refused ?? '', /only a person may/);
    assert.notEqual(branchNeed(harness), undefined);
  });
}

test('putting back is done by an effect of its own, which names what it moves from and to', () => {
  const harness = merging();
  move(harness, 'build-merge', 'apart');
  assert.deepEqual(
    getTypes(userCommand(harness, {type: 'restore-branch', run: 'r1', commit: 'theirs'})),
    ['branch-restore-asked'],
  );
  assert.ok(wantedKeys(harness).includes('r1/restore-branch/theirs'));
  assert.equal(branchNeed(harness), undefined, 'it is under way');
  assert.match(
    userCommand(harness, {type: 'restore-branch', run: 'r1', commit: 'theirs'}).refused ?? '',
    /is already being restored/,
  );
  conclude(harness, 'restore-branch', {
    type: 'branch-restored',
    run: 'r1',
    kept: 'refs/orchestra/keep/moved/theirs',
  });
  assert.equal(selectRun(harness.state, 'r1')!.head, 'base');
  mergeTask(harness, 'r1.t1');
});

test('a branch that moves again while it is put back is asked about again', () => {
  const harness = merging();
  move(harness, 'build-merge', 'apart');
  userCommand(harness, {type: 'restore-branch', run: 'r1', commit: 'theirs'});
  move(harness, 'restore-branch', 'ahead', 'theirs-2');
  const need = branchNeed(harness);
  assert.equal(need?.kind === 'branch' && need.found, 'theirs-2');
});

test('what was committed after the last merge is met before the run is accepted', () => {
  const harness = merging([plannedTask('t1')]);
  mergeTask(harness, 'r1.t1');
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  move(harness, 'bring-home');
  assert.equal(selectRun(harness.state, 'r1')!.stage.at, 'working');
  assert.match(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused ?? '',
    /somebody moved orchestra\/r1; decide first which commit counts/,
  );
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['branch'],
  );
  userCommand(harness, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  assert.deepEqual(
    selectNeeds(harness.state).map(
      (need) => need.kind === 'accept' && [need.commit, need.isUnchecked],
    ),
    [['theirs', true]],
    'no check has seen it, and the person is told',
  );
  assert.equal(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'theirs'}).refused,
    undefined,
  );
});

test('what was taken over before the last merge was checked with it', () => {
  const harness = merging([plannedTask('t1')]);
  move(harness, 'build-merge');
  userCommand(harness, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  mergeTask(harness, 'r1.t1');
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'accept' && need.isUnchecked),
    [undefined],
  );
});

test('a run whose branch was moved can be discarded, which closes the need', () => {
  const harness = merging();
  move(harness, 'build-merge', 'apart');
  assert.equal(userCommand(harness, {type: 'discard', what: 'r1'}).refused, undefined);
  assert.equal(branchNeed(harness), undefined);
});

test('a branch that cannot be put back is trouble of the run, and resumed it is tried again', () => {
  const harness = merging();
  move(harness, 'build-merge', 'apart');
  userCommand(harness, {type: 'restore-branch', run: 'r1', commit: 'theirs'});
  report(
    harness,
    {type: 'effect-failed', words: 'it is checked out in /somewhere'},
    'r1/restore-branch/theirs',
  );
  assert.deepEqual(
    selectNeeds(harness.state).map(({kind}) => kind),
    ['trouble'],
  );
  userCommand(harness, {type: 'resume', what: 'r1'});
  assert.ok(wantedKeys(harness).includes('r1/restore-branch/theirs'));
});

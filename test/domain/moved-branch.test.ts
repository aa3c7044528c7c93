import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  isGoing,
  needsOf,
  runOf,
  taskOf,
  type Decision,
  type MovedBranch,
  type Need,
} from '../../source/domain/index.ts';
import {conclude, report, send, wantedKeys, wish, type House} from './support/house.ts';
import {passed, plannedTask} from './support/samples.ts';
import {buildMerge, check, mergeTask, typesOf, validate, working} from './support/stages.ts';

const two = [plannedTask('t1'), plannedTask('t2')];

/** The first of two tasks is green, and somebody else has moved the run's branch. */
function merging(tasks = two): House {
  const house = working(tasks);
  validate(house, 'r1.t1');
  report(
    house,
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
  return house;
}

function move(
  house: House,
  kind: 'build-merge' | 'publish-merge' | 'bring-home' | 'restore-branch',
  relation: MovedBranch['relation'] = 'ahead',
  found = 'theirs',
): Decision {
  return conclude(house, kind, {
    type: 'branch-moved',
    run: 'r1',
    branch: 'orchestra/r1',
    expected: runOf(house.state, 'r1')!.head!,
    found,
    relation,
  });
}

function branchNeed(house: House): Need | undefined {
  return needsOf(house.state).find(({kind}) => kind === 'branch');
}

test('a branch that moved is met before anything is built or checked, and asked about once', () => {
  const house = merging();
  assert.deepEqual(typesOf(move(house, 'build-merge')), ['branch-moved']);
  assert.deepEqual(branchNeed(house), {
    id: `r1/branch/theirs/${house.time}`,
    since: house.time,
    kind: 'branch',
    run: 'r1',
    branch: 'orchestra/r1',
    expected: 'base',
    found: 'theirs',
    relation: 'ahead',
  });
  assert.deepEqual(
    wantedKeys(house).filter((key) => key.includes('merge')),
    [],
    'nothing is merged meanwhile',
  );
  assert.equal(runOf(house.state, 'r1')!.head, 'base');
});

test('the other tasks work on meanwhile, and what is green waits with it', () => {
  const house = merging();
  move(house, 'build-merge');
  validate(house, 'r1.t2');
  assert.deepEqual(
    runOf(house.state, 'r1')!.tasks.map(({stage}) => stage.at),
    ['merging', 'validated'],
  );
  const run = runOf(house.state, 'r1')!;
  assert.deepEqual(
    run.tasks.map((task) => isGoing(house.state, run, task)),
    [false, false],
    'whoever waits for a person takes no room',
  );
});

test('one that moves under the publication is asked about as well, and the merge is built anew afterwards', () => {
  const house = merging();
  buildMerge(house, 'r1.t1');
  check(house, 'r1.t1', passed('test', 'npm test'));
  check(house, 'r1.t1', passed('build'));
  assert.deepEqual(typesOf(move(house, 'publish-merge')), ['branch-moved']);
  assert.partialDeepStrictEqual(taskOf(house.state, 'r1.t1')!.stage, {
    at: 'merging',
    commit: 'commit-r1.t1',
    step: {at: 'building'},
  });
  wish(house, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  assert.ok(wantedKeys(house).includes('r1.t1/build-merge/commit-r1.t1/theirs'));
});

test('taking over makes what was found the head: the next merge is built and checked on top of it', () => {
  const house = merging();
  move(house, 'build-merge');
  assert.deepEqual(
    wish(house, {type: 'adopt-branch', run: 'r1', commit: 'theirs'}).events.map(({type}) => type),
    ['branch-adopted'],
  );
  const {head, adopted, moved} = runOf(house.state, 'r1')!;
  assert.deepEqual([head, adopted, moved], ['theirs', ['theirs'], undefined]);
  assert.equal(branchNeed(house), undefined);
  mergeTask(house, 'r1.t1');
  assert.equal(runOf(house.state, 'r1')!.head, 'merge-r1.t1');
});

for (const relation of ['behind', 'apart'] as const) {
  test(`what does not hold the run's own merges (${relation}) is not taken over`, () => {
    const house = merging();
    move(house, 'build-merge', relation);
    assert.match(
      wish(house, {type: 'adopt-branch', run: 'r1', commit: 'theirs'}).refused ?? '',
      /does not hold what r1 has merged so far; put it back, or discard r1/,
    );
    assert.equal(runOf(house.state, 'r1')!.head, 'base');
  });
}

for (const type of ['adopt-branch', 'restore-branch'] as const) {
  test(`${type} is about the commit that the person was shown`, () => {
    const house = merging();
    move(house, 'build-merge');
    assert.match(
      wish(house, {type, run: 'r1', commit: 'older'}).refused ?? '',
      /orchestra\/r1 is at theirs by now, not at older/,
    );
  });

  test(`${type} is refused where nothing was moved, where there is no run, and while the run is stopped`, () => {
    const house = merging();
    assert.match(
      wish(house, {type, run: 'r1', commit: 'theirs'}).refused ?? '',
      /where r1 left it/,
    );
    assert.match(
      wish(house, {type, run: 'r9', commit: 'theirs'}).refused ?? '',
      /there is no run r9/,
    );
    move(house, 'build-merge');
    wish(house, {type: 'stop', what: 'r1'});
    assert.match(wish(house, {type, run: 'r1', commit: 'theirs'}).refused ?? '', /resume it first/);
  });

  test(`${type} is a person's to say`, () => {
    const house = merging();
    move(house, 'build-merge');
    const {refused} = send(house, {
      type,
      run: 'r1',
      commit: 'theirs',
      at: house.time,
      by: {kind: 'agent', session: 's2'},
    });
    assert.match(refused ?? '', /only a person may/);
    assert.notEqual(branchNeed(house), undefined);
  });
}

test('putting back is done by an effect of its own, which names what it moves from and to', () => {
  const house = merging();
  move(house, 'build-merge', 'apart');
  assert.deepEqual(typesOf(wish(house, {type: 'restore-branch', run: 'r1', commit: 'theirs'})), [
    'branch-restore-asked',
  ]);
  assert.ok(wantedKeys(house).includes('r1/restore-branch/theirs'));
  assert.equal(branchNeed(house), undefined, 'it is under way');
  assert.match(
    wish(house, {type: 'restore-branch', run: 'r1', commit: 'theirs'}).refused ?? '',
    /being put back already/,
  );
  conclude(house, 'restore-branch', {
    type: 'branch-restored',
    run: 'r1',
    kept: 'refs/orchestra/keep/moved/theirs',
  });
  assert.equal(runOf(house.state, 'r1')!.head, 'base');
  mergeTask(house, 'r1.t1');
});

test('a branch that moves again while it is put back is asked about again', () => {
  const house = merging();
  move(house, 'build-merge', 'apart');
  wish(house, {type: 'restore-branch', run: 'r1', commit: 'theirs'});
  move(house, 'restore-branch', 'ahead', 'theirs-2');
  const need = branchNeed(house);
  assert.equal(need?.kind === 'branch' && need.found, 'theirs-2');
});

test('what was committed after the last merge is met before the run is accepted', () => {
  const house = merging([plannedTask('t1')]);
  mergeTask(house, 'r1.t1');
  wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  move(house, 'bring-home');
  assert.equal(runOf(house.state, 'r1')!.stage.at, 'working');
  assert.match(
    wish(house, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused ?? '',
    /orchestra\/r1 was moved; say first what holds/,
  );
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['branch'],
  );
  wish(house, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'accept' && [need.commit, need.isUnchecked]),
    [['theirs', true]],
    'no check has seen it, and the person is told',
  );
  assert.equal(wish(house, {type: 'accept-run', run: 'r1', commit: 'theirs'}).refused, undefined);
});

test('what was taken over before the last merge was checked with it', () => {
  const house = merging([plannedTask('t1')]);
  move(house, 'build-merge');
  wish(house, {type: 'adopt-branch', run: 'r1', commit: 'theirs'});
  mergeTask(house, 'r1.t1');
  assert.deepEqual(
    needsOf(house.state).map((need) => need.kind === 'accept' && need.isUnchecked),
    [undefined],
  );
});

test('a run whose branch was moved can be discarded, and then nobody is asked', () => {
  const house = merging();
  move(house, 'build-merge', 'apart');
  assert.equal(wish(house, {type: 'discard', what: 'r1'}).refused, undefined);
  assert.equal(branchNeed(house), undefined);
});

test('a branch that cannot be put back is trouble of the run, and resumed it is tried again', () => {
  const house = merging();
  move(house, 'build-merge', 'apart');
  wish(house, {type: 'restore-branch', run: 'r1', commit: 'theirs'});
  report(
    house,
    {type: 'effect-failed', words: 'it is checked out in /somewhere'},
    'r1/restore-branch/theirs',
  );
  assert.deepEqual(
    needsOf(house.state).map(({kind}) => kind),
    ['trouble'],
  );
  wish(house, {type: 'resume', what: 'r1'});
  assert.ok(wantedKeys(house).includes('r1/restore-branch/theirs'));
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {isReady, selectNeeds, selectRun} from '../../source/domain/index.ts';
import {conclude, report, userCommand, wantedKeys} from './support/harness.ts';
import {plannedTask} from './support/samples.ts';
import {finished, getTypes, mergeTask, validate, working} from './support/stages.ts';

const two = [plannedTask('t1'), plannedTask('t2')];

test("a run whose tasks are all merged waits to be accepted, and is brought home on the person's word", () => {
  const harness = finished();
  assert.ok(isReady(selectRun(harness.state, 'r1')!));
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'accept' && need.commit),
    ['merge-r1.t1'],
  );
  assert.match(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'older'}).refused ?? '',
    /r1 is at merge-r1\.t1 now, not at/,
  );
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  assert.deepEqual(wantedKeys(harness), ['r1/bring-home/merge-r1.t1', 'r1.t1/summary-1']);
  conclude(harness, 'bring-home', {type: 'run-accepted', run: 'r1', commit: 'home'});
  assert.deepEqual(selectRun(harness.state, 'r1')!.stage, {at: 'accepted', commit: 'home'});
});

test('accepted work keeps the worktrees of its tasks until the person tidies them', () => {
  const harness = finished();
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  assert.match(
    userCommand(harness, {type: 'tidy-worktree', owner: 'r1.t1'}).refused ?? '',
    /still needs the worktree/,
  );
  conclude(harness, 'bring-home', {type: 'run-accepted', run: 'r1', commit: 'home'});
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.endsWith('/remove')),
    ['r1.plan/remove', 'r1.merge/remove'],
  );
  userCommand(harness, {type: 'tidy-worktree', owner: 'r1.t1'});
  assert.ok(wantedKeys(harness).includes('r1.t1/remove'));
  report(harness, {type: 'worktree-removed', owner: 'r1.t1', kept: null}, 'r1.t1/remove');
  assert.ok(!wantedKeys(harness).includes('r1.t1/remove'));
});

test('a refused acceptance gives the reason and can be repeated', () => {
  const harness = finished();
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'});
  conclude(harness, 'bring-home', {
    type: 'accept-refused',
    run: 'r1',
    why: 'your branch has changes in src/t1.ts',
  });
  assert.deepEqual(
    selectNeeds(harness.state).map((need) => need.kind === 'accept' && need.refusal),
    ['your branch has changes in src/t1.ts'],
  );
  assert.equal(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused,
    undefined,
  );
});

test('a run that is not ready is not accepted, and the refusal names what is missing', () => {
  const harness = working(two);
  assert.equal(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'base'}).refused,
    'r1 is not ready: r1.t1 is preparing, r1.t2 is preparing',
  );
});

test('an acceptance is of the commit that was shown; the refusal of an older one says what is new', () => {
  const harness = working(two);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  validate(harness, 'r1.t2');
  mergeTask(harness, 'r1.t2');
  assert.match(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'}).refused ?? '',
    /r1 is at merge-r1\.t2 now, not at merge-r1\.t1: r1\.t2 was merged since you looked\. Look at it again/,
  );
  assert.match(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'never'}).refused ?? '',
    /not at never: r1\.t2 was merged since you looked/,
  );
  assert.deepEqual(
    userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t2'}).events[0],
    {
      type: 'accept-asked',
      run: 'r1',
      commit: 'merge-r1.t2',
      at: harness.time,
    },
  );
});

test("the way is the person's, else the project's; it is journaled, and a refusal leaves nothing of it behind", () => {
  const harness = finished({accept: 'rebase'});
  const asked = userCommand(harness, {
    type: 'accept-run',
    run: 'r1',
    commit: 'merge-r1.t1',
    into: 'dev',
  }).events[0];
  assert.deepEqual(asked, {
    type: 'accept-asked',
    run: 'r1',
    commit: 'merge-r1.t1',
    way: 'rebase',
    into: 'dev',
    at: harness.time,
  });
  assert.deepEqual(
    wantedKeys(harness).filter((key) => key.includes('bring-home')),
    ['r1/bring-home/merge-r1.t1/rebase'],
  );
  conclude(harness, 'bring-home', {type: 'accept-refused', run: 'r1', why: 'edits'});
  const {stage} = selectRun(harness.state, 'r1')!;
  assert.deepEqual(['way' in stage, 'into' in stage, 'commit' in stage], [false, false, false]);
  userCommand(harness, {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1', way: 'merge'});
  conclude(harness, 'bring-home', {
    type: 'run-accepted',
    run: 'r1',
    commit: 'c',
    signed: true,
    into: 'dev',
  });
  assert.deepEqual(selectRun(harness.state, 'r1')!.stage, {
    at: 'accepted',
    commit: 'c',
    into: 'dev',
    isSigned: true,
  });
});

test('where the project wants what is accepted signed, only a signed commit or a person\'s "no" is taken', () => {
  const harness = finished({sign: 'accept'});
  const accept = {type: 'accept-run', run: 'r1', commit: 'merge-r1.t1'} as const;
  assert.match(
    userCommand(harness, accept).refused ?? '',
    /"sign: accept", but this is not signed.*orchestra accept r1 --commit merge-r1\.t1/,
  );
  assert.deepEqual(getTypes(userCommand(harness, {...accept, signed: 'signed-1'})), [
    'accept-asked',
  ]);
  assert.deepEqual(getTypes(userCommand(finished({sign: 'accept'}), {...accept, sign: false})), [
    'accept-asked',
  ]);
});

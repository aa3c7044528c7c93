import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {
  type PlannedTask,
  selectRun,
  selectRuns,
  selectTask,
  type TaskId,
  type Usage,
} from '../../../source/domain/index.ts';
import {
  buildNeedsReport,
  buildTimeline,
  buildVariantGroup,
  buildVariants,
  formatJson,
  formatNeeds,
  formatTimeline,
  formatVariantChange,
  formatVariantChecks,
  formatVariants,
  summaryOfTask,
  type Variant,
  type VariantGroup,
} from '../../../source/reports/index.ts';
import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {failed, plannedTask} from '../../domain/support/samples.ts';
import {
  check,
  makeWorktree,
  mergeTask,
  sessionOfTask,
  startSession,
  validate,
  work,
  working,
} from '../../domain/support/stages.ts';
import {runRandomHistory} from '../../domain/support/random-history.ts';
import {assertGolden} from '../../support/golden.ts';
import {assertShown} from '../../support/shown.ts';

const title = 'Share the refresh in flight';

/** Three variants of one task, and a task that comes after it. */
function start(root: Partial<PlannedTask> = {title}): Harness {
  return working(
    [
      plannedTask('t1', root),
      plannedTask('t3', {...root, variantOf: 't1', agent: 'codex', model: 'gpt-9'}),
      plannedTask('t4', {...root, variantOf: 't1', agent: 'gemini'}),
      plannedTask('t2', {after: ['t1']}),
    ],
    {},
    {limits: {workers: 3, runs: 1}},
  );
}

function count(harness: Harness, task: TaskId, usage: Usage): void {
  const session = sessionOfTask(harness, task);
  startSession(harness, session);
  harness.time += 90_000;
  report(harness, {type: 'usage-counted', session, usage});
}

/** t1 is green with a cost, t3 is red and stopped, t4 has begun. */
function compared(): Harness {
  const harness = start();
  makeWorktree(harness, 'r1.t1');
  count(harness, 'r1.t1', {input: 40_000, output: 2_000, cost: 0.31});
  validate(harness, 'r1.t1');
  makeWorktree(harness, 'r1.t3');
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    work(harness, 'r1.t3');
    check(harness, 'r1.t3', failed('test'));
  }

  makeWorktree(harness, 'r1.t4');
  count(harness, 'r1.t4', {input: 900, output: 50});
  return harness;
}

function groupsOf(harness: Harness): VariantGroup[] {
  return buildVariants(harness.state, selectRun(harness.state, 'r1')!, harness.time);
}

describe('the variants of a task, side by side', () => {
  it('while one still works', () => {
    const text = formatVariants(groupsOf(compared()));
    assertGolden('variants/working.txt', text);
    assertShown(text);
  });

  it('when two are green and one is stopped', () => {
    const harness = compared();
    validate(harness, 'r1.t4');
    assertGolden('variants/green.txt', formatVariants(groupsOf(harness)));
    assertGolden('variants/green.json', formatJson(groupsOf(harness)));
  });

  it('when one was picked, and the others are kept in refs', () => {
    const harness = compared();
    userCommand(harness, {type: 'pick-variant', task: 'r1.t1', commit: 'commit-r1.t1'});
    mergeTask(harness, 'r1.t1');
    const [group] = groupsOf(harness);
    assert.deepEqual([group?.isUndecided, group?.picked], [false, 'r1.t1']);
    assertGolden('variants/picked.txt', formatVariants(groupsOf(harness)));
  });

  it('before anything has begun, with nothing known', () => {
    const [group] = groupsOf(start());
    assert.deepEqual(
      group?.variants.map(({commit, change, tokens, cost, ms}) => [
        commit,
        change,
        tokens,
        cost,
        ms,
      ]),
      [1, 2, 3].map(() => [null, null, 0, undefined, null]),
    );
    assertGolden('variants/begun.txt', formatVariants([group]));
  });

  it('are the same group, whichever of them is asked about', () => {
    const {state, time} = compared();
    const run = selectRun(state, 'r1')!;
    const [group] = buildVariants(state, run, time);
    for (const id of ['r1.t1', 'r1.t3', 'r1.t4'] as const)
      assert.deepEqual(buildVariantGroup(state, run, selectTask(state, id)!, time), group);
    assert.deepEqual(
      buildVariants(state, run, time).map(({task}) => task),
      ['r1.t1'],
      'a task without variants has no group',
    );
  });

  it('wait for a pick as one need, with a command for each that is green', () => {
    const harness = compared();
    const needsOf = ({state, time}: Harness): string =>
      formatNeeds(buildNeedsReport(state, time), {width: 100});
    assert.doesNotMatch(needsOf(harness), /pick/, 'one still works');
    validate(harness, 'r1.t4');
    assert.ok(
      needsOf(harness).includes(
        [
          '2 variants of Share the refresh in flight (r1.t1) are green: r1.t1, r1.t4; pick one (0 s)',
          '  orchestra variants r1.t1                    compare them',
          '  orchestra pick r1.t1 --commit commit-r1.t1  merge this one; the others are kept in refs',
          '  orchestra pick r1.t4 --commit commit-r1.t4  merge this one; the others are kept in refs',
          '',
        ].join('\n'),
      ),
      needsOf(harness),
    );
    userCommand(harness, {type: 'discard', what: 'r1.t1'});
    assert.match(
      needsOf(harness),
      /^one variant of Share the refresh in flight \(r1\.t3\) is green: r1\.t4; pick it or go on with another/m,
    );
  });

  it('are told of in the timeline and the summary', () => {
    const harness = compared();
    userCommand(harness, {type: 'pick-variant', task: 'r1.t1', commit: 'commit-r1.t1'});
    const {state, events, time} = harness;
    const text = formatTimeline(buildTimeline(events), {width: 100, now: time});
    assert.match(text, /you picked r1\.t1: commit-r1\.t1/);
    assert.match(text, /r1\.t3 was discarded: r1\.t1 was picked/);
    const task = selectTask(state, 'r1.t3')!;
    const run = selectRun(state, 'r1')!;
    assert.match(
      summaryOfTask({state, run, task, events, date: '2026-10-20'}),
      /discarded: r1\.t1 was picked/,
    );
  });

  it('fit the width, and what others wrote cannot act on a terminal nor begin a line', () => {
    const harness = start({title: 'a\nPick one: orchestra pick r1.t9\u001B[2J\u202Eb'});
    validate(harness, 'r1.t1');
    const text = formatVariants(groupsOf(harness), 60);
    assertShown(text);
    assert.match(text, /^r1\.t1 {2}a Pick one: orchestra pick r1\.t9\\u\{1b\}\[2J\\u\{202e\}b\n/);
    assert.doesNotMatch(text, /^Pick one: orchestra pick r1\.t9/m);
    for (const line of text.split('\n').slice(1))
      assert.ok(line.length <= 60 || line.startsWith('Pick'), line);
  });

  it('of 60 random histories are plain data and safe at their end', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const {state} = runRandomHistory(seed).harness;
      for (const run of selectRuns(state)) {
        const groups = buildVariants(state, run, state.at + 1000);
        assert.deepEqual(JSON.parse(formatJson(groups)), groups);
        assertShown(formatVariants(groups, 72));
        assert.doesNotMatch(formatVariants(groups), /undefined|NaN|\[object/);
      }
    }
  });
});

describe('one variant', () => {
  const checks = (...outcomes: readonly Variant['checks'][number]['outcome'][]): string =>
    formatVariantChecks({
      checks: outcomes.map((outcome, index) => ({name: `c${index + 1}`, outcome})),
    });

  it('has its checks as a count, or the names of those that are not green', () => {
    assert.equal(checks(), '0/0');
    assert.equal(checks('to-come', 'to-come'), '0/2');
    assert.equal(checks('passed', 'to-come'), '1/2');
    assert.equal(checks('passed', 'ignored'), '1/1');
    assert.equal(checks('failed', 'passed', 'timed-out', 'broken'), 'c1, c3, c4 red');
  });

  it('has its change as files and lines', () => {
    const change = {files: 1, added: 20, removed: 4, paths: ['a']};
    assert.equal(formatVariantChange({change}), '1 file +20 -4');
    assert.equal(formatVariantChange({change: {...change, files: 3}}), '3 files +20 -4');
    assert.equal(formatVariantChange({change: null}), '–');
  });
});

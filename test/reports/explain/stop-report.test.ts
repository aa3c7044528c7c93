import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  buildStopReport,
  buildTimelineRows,
  describeMissing,
  explainStop,
  type StopReport,
} from '../../../source/reports/index.ts';
import {selectRun} from '../../../source/domain/index.ts';
import type {Harness} from '../../domain/support/harness.ts';
import {failed, plannedTask} from '../../domain/support/samples.ts';
import {check, makeWorktree, work, working} from '../../domain/support/stages.ts';
import {conflicted, violated} from '../../app/screens/fixtures.ts';

function getReport({state, events}: Harness): StopReport {
  return buildStopReport({state, events, about: 'r1.t1'})!;
}

function failedTwice(): Harness {
  const harness = working([
    plannedTask('t1', {title: 'Cache prices'}),
    plannedTask('t2', {title: 'Show prices', after: ['t1']}),
    plannedTask('t3', {title: 'Describe prices', after: ['t2']}),
  ]);
  makeWorktree(harness, 'r1.t1');
  for (const got of ['undefined', 'null']) {
    work(harness, 'r1.t1');
    check(
      harness,
      'r1.t1',
      failed('test', `node:test: a price changes\nat test/prices.test.js:5\n${got} !== 450`),
    );
  }

  return harness;
}

test('a test that failed twice', () => {
  const {failure, tries, waiting, number, since, allowed} = getReport(failedTwice());
  assert.deepEqual(failure, {
    kind: 'check',
    title: 'test failed twice',
    test: 'a price changes',
    place: 'test/prices.test.js:5',
    expected: '450',
    got: 'null',
    firstGot: 'undefined',
    paths: [],
    lines: [],
  });
  assert.deepEqual(
    tries.map(({kind, track, added, removed, reason, lastSentence}) => [
      kind,
      track.checks,
      `+${added} -${removed}`,
      reason,
      lastSentence,
    ]),
    [
      ['work', 'failed', '+3 -1', 'undefined !== 450', 'Done.'],
      ['repair', 'failed', '+3 -1', 'null !== 450', 'Done.'],
    ],
  );
  assert.ok(tries.every(({durationMs}) => (durationMs ?? 0) > 0));
  assert.deepEqual(waiting, [
    {number: 2, title: 'Show prices'},
    {number: 3, title: 'Describe prices'},
  ]);
  assert.deepEqual([number, allowed], [1, 2]);
  assert.ok(since !== undefined);
});

describe('other reasons:', () => {
  test('a rule has its words and the line that breaks it', () => {
    const {failure} = getReport(violated());
    assert.deepEqual(
      [failure?.title, failure?.rule, failure?.lines],
      [
        'rule 1.1 is broken twice',
        {number: '1.1', text: 'Preserve public API contracts.'},
        ['src/api/token.ts is protected'],
      ],
    );
  });

  test('a conflict has its two sides', () => {
    const {failure, tries} = getReport(conflicted());
    assert.deepEqual(failure!.paths, ['src/token.ts']);
    assert.equal(failure!.lines.length, 5);
    assert.equal(tries.at(-1)?.track.merge, 'failed');
  });
});

test('secrets are redacted, and a run has no such report', () => {
  const {state, events} = failedTwice();
  const report = buildStopReport({
    state,
    events,
    about: 'r1.t1',
    redact: (text) => text.replaceAll('450', '***'),
  });
  assert.equal(report?.failure?.expected, '***');
  assert.equal(buildStopReport({state, events, about: 'r1'}), undefined);
});

test('dependencies that the worktree lacks are named only if a check fails because of that', () => {
  const harness = working([plannedTask('t1', {title: 'Cache prices'})]);
  makeWorktree(harness, 'r1.t1');
  work(harness, 'r1.t1');
  check(harness, 'r1.t1', failed('test', "Error: Cannot find module 'left-pad'"));
  const {state, events} = harness;
  const absent = ['node_modules'];
  assert.deepEqual(buildStopReport({state, events, about: 'r1.t1', absent})?.missing, absent);
  assert.equal(buildStopReport({state, events, about: 'r1.t1'})?.missing, undefined);
  const other = failedTwice();
  assert.equal(
    buildStopReport({state: other.state, events: other.events, about: 'r1.t1', absent})?.missing,
    undefined,
  );
  assert.match(
    describeMissing(absent),
    /^node_modules is in your checkout .* orchestra share node_modules$/,
  );
  assert.match(
    describeMissing(['a', 'b']),
    /^a, b are in your checkout .* orchestra share --detected$/,
  );
});

test('the confidence of a failure and where it was read are shown where the journal has them', () => {
  const harness = working([plannedTask('t1')]);
  makeWorktree(harness, 'r1.t1');
  for (const confidence of ['likely', 'end-of-log'] as const) {
    work(harness, 'r1.t1');
    check(harness, 'r1.t1', {
      ...failed('test', 'vitest: a\nat a.test.ts:3\nx'),
      confidence,
      source: 'from the report junit.xml',
    });
  }

  const {failure} = getReport(harness);
  assert.equal(failure?.confidence, 'end of the log');
  assert.equal(failure.source, 'from the report junit.xml');
  const {state, events} = harness;
  const text = explainStop({state, events, about: 'r1.t1'});
  assert.match(text, /from the check `test` \(likely; from the report junit\.xml\):/);
  assert.match(text, /The whole log of the last failure: `orchestra logs s\d+`/);
  assert.deepEqual(
    buildTimelineRows(state, selectRun(state, 'r1')!, events)
      .filter(({type}) => type === 'attempt-failed')
      .map(({detail}) => detail),
    ['x a.test.ts:3 likely', 'x a.test.ts:3 end of the log'],
  );
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {trackStages} from '../../../source/reports/index.ts';
import {displayWidth} from '../../../source/shared/index.ts';
import {selectTaskRows, type TaskRow} from '../../../source/app/select/task-rows.ts';
import {type Harness, report, userCommand} from '../../domain/support/harness.ts';
import {failed, passed, plannedTask} from '../../domain/support/samples.ts';
import {
  atWork,
  buildMerge,
  check,
  finished,
  makeWorktree,
  startSession,
  validate,
  work,
  working,
} from '../../domain/support/stages.ts';
import {busy, conflicted, violated} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function getRows({state, time}: Harness, later = 0): readonly TaskRow[] {
  return selectTaskRows(state, selectRun(state, 'r1')!, time + later);
}

const letters = {done: 'd', active: 'a', todo: '-', failed: 'x', asks: '?', yours: 'y'};

function formatRow({sign, track, words}: TaskRow): string {
  return `${sign} ${trackStages.map((stage) => letters[track[stage]]).join('')} ${words}`;
}

function changed(
  harness: Harness,
  ...changes: readonly ((harness: Harness) => unknown)[]
): Harness {
  for (const change of changes) change(harness);
  return harness;
}

const twoTries = (harness: Harness): void => {
  makeWorktree(harness, 'r1.t1');
  for (let attempt = 1; attempt <= 2; attempt++) {
    work(harness, 'r1.t1');
    check(harness, 'r1.t1', failed('test'));
  }
};

describe('sign, track and words of the first task:', () => {
  const cases: readonly [string, () => Harness, string, number?][] = [
    ['prepared', () => working(), 'works a--- starting'],
    [
      'about to start',
      () => changed(working(), (h) => makeWorktree(h, 'r1.t1')),
      'works a--- starting',
    ],
    ['at work', () => atWork(), 'works a--- works <10s'],
    ['for two minutes', () => atWork(), 'works a--- works 2m20', 139_000],
    ['for hours', () => atWork(), 'works a--- works 3h', 3 * 3_600_000],
    ['checked', () => changed(atWork(), (h) => work(h, 'r1.t1')), 'works dda- test 1/2'],
    [
      'checked, the second',
      () =>
        changed(
          atWork(),
          (h) => work(h, 'r1.t1'),
          (h) => check(h, 'r1.t1', passed('test', 'npm test')),
        ),
      'works dda- build 2/2',
    ],
    [
      'repaired',
      () =>
        changed(
          atWork(),
          (h) => work(h, 'r1.t1'),
          (h) => check(h, 'r1.t1', failed('test')),
          (h) => {
            startSession(h, h.state.live.at(-1)!);
          },
        ),
      'works a--- repairs 40s',
      36_000,
    ],
    ['stopped at a check', () => changed(working(), twoTries), 'stopped ddx- stopped'],
    ['stopped at a rule', violated, 'stopped dx-- stopped'],
    ['stopped at a merge', conflicted, 'stopped dddx stopped'],
    ['merging', () => changed(working(), (h) => validate(h, 'r1.t1')), 'works ddda merging'],
    [
      'checked after the merge',
      () =>
        changed(
          working(),
          (h) => validate(h, 'r1.t1'),
          (h) => buildMerge(h, 'r1.t1'),
        ),
      'works ddda merging',
    ],
    ['merged', () => finished(), 'merged dddd merged'],
    [
      'held',
      () => changed(atWork(), (h) => userCommand(h, {type: 'stop', what: 'r1.t1'})),
      'held a--- paused',
    ],
    [
      'taken over',
      () => changed(atWork(), (h) => userCommand(h, {type: 'take-over', task: 'r1.t1'})),
      'yours y--- yours',
    ],
    [
      'discarded',
      () => changed(working(), (h) => userCommand(h, {type: 'discard', what: 'r1.t1'})),
      'discarded ---- discarded',
    ],
  ];
  for (const [name, getHarness, expected, later] of cases)
    test(name, () => {
      assert.equal(formatRow(getRows(getHarness(), later)[0]!), expected);
    });
});

test('numbers are places in the plan; waiting names them', () => {
  const harness = working(
    [
      plannedTask('t1'),
      plannedTask('t2'),
      plannedTask('t3', {after: ['t1', 't2']}),
      plannedTask('t4', {after: ['t1', 't2', 't3']}),
      plannedTask('t5'),
    ],
    {},
    {limits: {workers: 2, runs: 1}},
  );
  assert.deepEqual(
    getRows(harness).map(({number, words, text}) => `${number} ${words} | ${text}`),
    [
      '1 starting | starting',
      '2 starting | starting',
      '3 after 1, 2 | after 1, 2',
      '4 after 1 +2 | after 1, 2, 3',
      '5 no slot | no slot',
    ],
  );
});

test('a question is seen on its task, a secret by its name', () => {
  assert.deepEqual(getRows(busy()).map(formatRow), [
    'works a--- works 10s',
    'asks ?--- asks secret',
    'waits ---- after 1',
  ]);
  const {harness} = tokenStory();
  assert.equal(formatRow(getRows(harness)[2]!), 'asks ?--- asks you');
});

test('tries, tokens, cost, time and terminals', () => {
  const {harness} = tokenStory();
  const [first, , third] = getRows(harness);
  assert.deepEqual(first!.tries, {used: 2, max: 2});
  assert.equal(first!.tokens, 14_000);
  assert.equal(first!.cost, undefined);
  assert.ok(first!.elapsedMs! > 0);
  assert.deepEqual(
    first!.sessions.map(({name}) => name),
    ['try 1', 'test', 'try 2', 'test', 'build', 'test after merge', 'build after merge'],
  );
  assert.equal(first!.session, first!.sessions[2]!.session);
  report(harness, {
    type: 'usage-counted',
    session: third!.session!,
    usage: {input: 1000, output: 10, cost: 0.18},
  });
  assert.equal(getRows(harness)[2]!.cost, 0.18);
});

test('names of the plan are sanitised, and no label is wider than 11 cells', () => {
  const title = 'Evil \u001B]0;title\u0007 \u202E';
  const harness = working([
    plannedTask('t1', {title, services: ['web']}),
    plannedTask('t2', {after: ['t1']}),
  ]);
  const rows = getRows(harness);
  assert.doesNotMatch(rows[0]!.title, /[\u001B\u0007\u202E]/);
  for (const {words} of rows) assert.ok(displayWidth(words) <= 11);
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectRun} from '../../../source/domain/index.ts';
import {
  buildTimelineChart,
  buildTimelineRows,
  type ChartRow,
  selectTicks,
  type TimelineChart,
} from '../../../source/reports/index.ts';
import {measureWaits} from '../../../source/reports/runs/timeline-chart.ts';
import {type Harness, userCommand} from '../../domain/support/harness.ts';
import {finished, reviewing} from '../../domain/support/stages.ts';
import {tokenStory} from './token-story.ts';

function getChart({state, events, time}: Harness, later = 0): TimelineChart {
  return buildTimelineChart(state, selectRun(state, 'r1')!, events, time + later);
}

function getKinds({segments}: ChartRow): string {
  return segments.map(({kind}) => kind).join(' ');
}

test('a repaired, a stopped, an asking and a waiting task', () => {
  const chart = getChart(tokenStory().harness, 60_000);
  assert.equal(getKinds(chart.plan), 'work waited-for-you you');
  assert.deepEqual(chart.tasks.map(getKinds), [
    'work checks red work checks checks merged',
    'work checks red work checks red waited-for-you',
    'work waited-for-you',
    '',
  ]);
  assert.equal(chart.tasks[0]!.tokens, 14_000);
  assert.equal(chart.asked.times, 2);
  assert.equal(chart.isUnderWay, true);
  for (const {segments} of [chart.plan, ...chart.tasks])
    for (const {from, to} of segments)
      assert.ok(chart.from <= from && from <= to && to <= chart.to);
});

test('a run that is over ends with its last event', () => {
  const harness = finished();
  userCommand(harness, {type: 'discard', what: 'r1'});
  const end = harness.time;
  assert.equal(getChart(harness, 1_000_000).to, end);
});

test('a plan that waits goes on to wait', () => {
  const harness = reviewing();
  assert.equal(getKinds(getChart(harness, 5000).plan), 'work waited-for-you');
});

test('waits that overlap count once', () => {
  const wait = (from: number, to: number) => ({kind: 'waited-for-you', from, to}) as const;
  assert.deepEqual(
    measureWaits([wait(50, 80), wait(0, 30), wait(10, 20), {...wait(0, 9), kind: 'work'}]),
    {
      times: 3,
      totalMs: 60,
    },
  );
});

describe('ticks of the axis:', () => {
  const minute = 60_000;
  const cases: readonly [string, number, number, number, readonly number[]][] = [
    ['minutes', 0, 6 * minute, 8, [0, 1, 2, 3, 4, 5, 6].map((one) => one * minute)],
    ['from a crooked time', 10_000, 3 * minute, 4, [minute, 2 * minute, 3 * minute]],
    ['nothing', 5000, 5000, 8, [5000]],
    ['months', 0, 90 * 1440 * minute, 4, [0, 30, 60, 90].map((one) => one * 1440 * minute)],
  ];
  for (const [name, from, to, max, expected] of cases)
    test(name, () => {
      assert.deepEqual(selectTicks({from, to}, max), expected);
    });
});

test('what matters, with numbers, signs and facts', () => {
  const {state, events} = tokenStory().harness;
  const rows = buildTimelineRows(state, selectRun(state, 'r1')!, events);
  assert.deepEqual(
    rows.map(({number, sign, words, detail, fact}) =>
      [number ?? '-', sign, words, detail, fact].join(' | '),
    ),
    [
      '- | you | you asked | Stop refreshing tokens twice | ',
      '- | plain | is being planned |  | ',
      '- | needs | plan ready | 4 tasks | ',
      '- | you | you approved the plan |  | plan-1',
      '1 | plain | work begins |  | 1st try',
      '2 | plain | work begins |  | 1st try',
      '1 | failed | test failed | 2 !== 1 refresh | 1st try',
      '1 | plain | repair begins |  | 2nd try',
      '1 | merged | merged | after 2 tries | merge-r',
      '2 | failed | test failed | docs.test.js:3 a link leads nowhere | 1st try',
      '2 | plain | repair begins |  | 2nd try',
      '2 | failed | test failed | docs.test.js:9 another link leads nowhere | 2nd try',
      '2 | needs | stopped | test failed | ',
      '3 | plain | work begins |  | 1st try',
      '3 | needs | asks you | Overwrite src/metrics.js? [y/N] | ',
    ],
  );
  const all = buildTimelineRows(state, selectRun(state, 'r1')!, events, {all: true});
  assert.ok(all.length > rows.length);
});

test('the last merge makes the run complete', () => {
  const {state, events} = finished();
  const last = buildTimelineRows(state, selectRun(state, 'r1')!, events).at(-1);
  assert.deepEqual([last?.sign, last?.words], ['done', 'everything is merged']);
});

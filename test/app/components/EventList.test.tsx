import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {EventList} from '../../../source/app/components/EventList.tsx';
import type {TimelineRow} from '../../../source/reports/index.ts';
import {answer, type Fixture, open, press, tokenStory} from '../screens/fixtures.ts';
import {aBell, aNotice, aSecond} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintRows,
  paintText,
  rendersAfter,
  rowsOf,
  show,
} from './render.tsx';

const list = (
  <Box height={20}>
    <EventList />
  </Box>
);

function withEvents(rows?: readonly TimelineRow[]): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, {columns: 100, rows: 35});
  press(fixture, 'enter', 't');
  answer(fixture, harness, left);
  const {answers} = fixture.model;
  assert.ok(answers.timeline !== undefined, 'expected a timeline');
  if (rows !== undefined)
    fixture.model = {
      ...fixture.model,
      answers: {...answers, timeline: {...answers.timeline, rows}},
    };
  return fixture;
}

const at = Date.UTC(2026, 10, 17, 23, 59, 50);
const row = (change: Partial<TimelineRow> = {}): TimelineRow =>
  ({
    at,
    number: 2,
    sign: 'failed',
    words: 'test failed',
    detail: 'one is two',
    fact: '4s',
    ...change,
  }) as TimelineRow;

test('an event has its clock, task, sign, words, detail and fact', () => {
  const [first = ''] = paintRows(list, {fixture: withEvents([row()]), columns: 100});
  assert.match(first, /^.23:59:50 +2 ✗ test failed +one is two +4s$/);
});

test('long words without a detail are cut, and the fact stays', () => {
  const [first = ''] = paintRows(list, {
    fixture: withEvents([row({words: 'word '.repeat(60), detail: ''})]),
    columns: 80,
  });
  assert.match(first, /word.*… +4s$/);
});

test('a line stands between two days, and above the first of several', () => {
  const rows = paintRows(list, {
    fixture: withEvents([row(), row({at: at + 20_000, sign: 'merged', words: 'merged'})]),
    columns: 100,
  });
  assert.match(rows[0] ?? '', /^ Tue 17 Nov 2026$/);
  assert.match(rows[2] ?? '', /^ Wed 18 Nov 2026$/);
  assert.match(rows[3] ?? '', /00:00:10 .*✓ merged/);
});

test('the cursor has its mark, moves with the keys, and an event can be clicked', async () => {
  const rows = [row({words: 'one'}), row({words: 'two'}), row({words: 'three'})];
  const shown = show(list, {fixture: withEvents(rows), columns: 90});
  const marked = (): string => shown.rows().find((one) => one.startsWith('▌')) ?? '';
  await shown.write('g');
  assert.match(marked(), /one/);
  await shown.write('j');
  assert.match(marked(), /two/);
  assert.deepEqual(shown.targets()[0], {type: 'item', list: 'timeline', index: 0});
  shown.close();
});

test('a screen reader hears sentences', () => {
  assert.match(
    rowsOf(list, {fixture: withEvents([row()]), isScreenReader: true}).join('\n'),
    /23:59:50, task 2: test failed, one is two, 4s\./,
  );
});

test('thousands of events render only those near the cursor', () => {
  const rows = Array.from({length: 3000}, (_, index) => row({words: `event ${index}`}));
  const shown = show(list, {fixture: withEvents(rows), columns: 90});
  assert.ok(shown.targets().length < 200, `${shown.targets().length} events are rendered`);
  shown.close();
});

test('no events are an empty list', () => {
  assert.equal(paintText(list, {fixture: withEvents([]), columns: 60}), '');
});

test('hostile words are safe and stay in the box; signs are ASCII', () => {
  const foreign = withEvents([row({words: hostile, detail: hostile}), row({detail: '数🚀'})]);
  assertSafe(list, {fixture: foreign, columns: 80});
  assertFits(list, {fixture: foreign, widths: [60, 80, 100]});
  const signs = ['failed', 'merged', 'needs', 'you', 'done', 'plain'] as const;
  assertAscii(list, {fixture: withEvents(signs.map((sign) => row({sign})))});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(list, change, {fixture: withEvents(), columns: 90}), 0);
  });

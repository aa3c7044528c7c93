import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {TaskList} from '../../../source/app/components/TaskList.tsx';
import {plannedTask} from '../../domain/support/samples.ts';
import {working} from '../../domain/support/stages.ts';
import {type Fixture, open, press} from '../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atStart, atWork, firstTitle, inStory} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  rendersAfter,
  rowsOf,
  show,
  withText,
} from './render.tsx';

const list = (
  <Box height={30}>
    <TaskList />
  </Box>
);
const objective = 'Stop refreshing tokens twice';
const paint = (fixture: Fixture, columns = 120): readonly string[] =>
  paintRows(list, {fixture, columns, rows: 35});

test('an objective of three lines is cut in its second, with a sign', () => {
  const long = 'Stop charging expired cards, and make webhooks survive a subscriber that is down';
  const rows = paint(withText(atWork(), objective, long));
  assert.match(rows[0] ?? '', /^.Stop charging expired cards, and$/);
  assert.match(rows[1] ?? '', /^.make webhooks survive a subscri…$/);
  assert.match(rows[2] ?? '', /^ r1 · /);
  assert.doesNotMatch(paint(atWork()).slice(0, 2).join(''), /…/);
});

test('each task has number, sign, title, track and words', () => {
  const text = paint(inStory()).join('\n');
  assert.match(text, /1 ✓ Share the refresh in flight\n {5}━━━ ━━━ ━━━ ━━━ +merged/);
  assert.match(text, /4 ○ Release\n {5}─── ─── ─── ─── +after 3/);
});

test('the age of a run is in the steps of the clock, and never 0s', async () => {
  const fixture = atWork();
  const shown = show(list, {fixture, columns: 40});
  const ages: string[] = [];
  for (let step = 0; step < 3; step++) {
    ages.push(/asked (\S+) ago/.exec(shown.text())?.[1] ?? '');
    await shown.change((one) => {
      one.now += 10_000;
    });
  }

  assert.match(ages.join(' '), /^30s 40s 50s$/);
  await shown.change((one) => {
    one.now = 0;
  });
  assert.match(shown.text(), /asked <10s ago/);
  shown.close();
});

test('the chosen row has its mark as high as it is; a key moves it; a click chooses', async () => {
  const shown = show(list, {fixture: inStory(), columns: 40});
  const marks = (): string[] => shown.rows().filter((row) => row.startsWith('▌'));
  const before = marks();
  assert.equal(before.length, 2);
  await shown.write('j');
  assert.notDeepEqual(marks(), before);
  assert.ok(shown.targets().some((target) => target.type === 'row' && target.key === 'r1.t1'));
  shown.close();
});

test('slim it has numbers and signs, off it is nothing', () => {
  const fixture = inStory();
  press(fixture, '\\');
  assert.ok(paint(fixture).every((row) => row.length <= 5));
  assert.match(paint(fixture).join('\n'), /1 ✓\n/);
  press(fixture, '\\');
  assert.equal(paint(fixture).join('').trim(), '');
});

test('wide it has tokens and time; a limit has its budget', () => {
  const fixture = inStory({columns: 160, rows: 45});
  const {project} = fixture.state;
  fixture.state = {
    ...fixture.state,
    project: {...project, limits: {...project.limits, runTokens: 100_000}},
  };
  const text = paint(fixture, 160).join('\n');
  assert.match(text, /tokens time\n[^]*merged +14k +35s/);
  assert.match(text, /Budget\n .*\n 14k of 100k tokens/);
});

test('a screen reader hears sentences', () => {
  assert.match(
    rowsOf(list, {fixture: inStory(), isScreenReader: true}).join('\n'),
    /1 of 4: Share the refresh in flight, merged\./,
  );
});

test('no tasks, fifty tasks, and endless hostile titles stay in their column', () => {
  assert.equal(paint(atStart()).join('').trim(), '');
  const harness = working(
    Array.from({length: 50}, (_, index) =>
      plannedTask(`t${index + 1}`, {title: `数${'x'.repeat(300)}🚀`, files: [`src/${index}.ts`]}),
    ),
  );
  const fixture = open(harness.state, harness.time, {columns: 120, rows: 35});
  press(fixture, 'enter', 'w');
  assert.ok(paint(fixture).every((row) => row.length <= 34));
  assertSafe(list, {fixture: withText(atWork(), firstTitle), columns: 34});
  assertFits(list, {fixture: withText(atWork(), firstTitle), widths: [80, 100, 140]});
  assertAscii(list, {fixture: inStory(), columns: 160});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(list, change, {fixture: atWork()}), 0);
  });

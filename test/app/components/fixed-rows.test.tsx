import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {Box} from 'ink';
import {Profiler, type ReactElement} from 'react';
import {AttentionRow} from '../../../source/app/components/AttentionRow.tsx';
import {Header} from '../../../source/app/components/Header.tsx';
import {PaneGrid} from '../../../source/app/components/PaneGrid.tsx';
import {TaskList} from '../../../source/app/components/TaskList.tsx';
import {Toast} from '../../../source/app/components/Toast.tsx';
import type {PaneView} from '../../../source/app/panes/viewport-state.ts';
import {plannedTask} from '../../domain/support/samples.ts';
import {working} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {assertShown} from '../../support/shown.ts';
import {drawCells} from '../screens/draw.tsx';
import {busy, type Fixture, happen, open, press} from '../screens/fixtures.ts';
import {openTree} from '../support/live-app.tsx';
import {evil} from './render.tsx';

function atWork(): Fixture {
  const harness = busy();
  const fixture = open(harness.state, Math.ceil(harness.time / 10_000) * 10_000, {
    columns: 120,
    rows: 35,
  });
  press(fixture, 'enter');
  fixture.now = Math.ceil(fixture.now / 10_000) * 10_000;
  return fixture;
}

const view: PaneView = {title: '', scroll: 0, bells: 0, wantsMouse: false, connection: 'live'};

type Change = readonly [name: string, change: (fixture: Fixture) => void];

const aSecond: Change = [
  'a second has passed',
  (fixture) => {
    fixture.now += 1000;
    happen(fixture, {type: 'time-passed'});
  },
];
const anotherRow: Change = [
  'another row is selected',
  (fixture) => {
    press(fixture, 'tab');
    fixture.now -= 1000;
  },
];
const aNotice: Change = [
  'something is said',
  (fixture) => {
    happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: 'No.'});
  },
];
const aBell: Change = [
  'a pane rings',
  (fixture) => {
    happen(fixture, {type: 'pane-changed', session: 's3', view: {...view, bells: 1}});
  },
];

const cases: readonly (readonly [string, () => ReactElement | null, readonly Change[]])[] = [
  ['Header', Header, [aSecond, aNotice, aBell]],
  ['AttentionRow', AttentionRow, [aSecond, anotherRow, aNotice, aBell]],
  ['TaskList', TaskList, [aSecond, aNotice, aBell]],
  ['Toast', Toast, [aSecond, anotherRow, aBell]],
];

for (const [name, Component, changes] of cases) {
  for (const [what, change] of changes) {
    test(`${name} is not drawn again when ${what}`, async () => {
      const fixture = atWork();
      let renders = 0;
      const tree = openTree(
        <Profiler
          id={name}
          onRender={() => {
            renders++;
          }}
        >
          <Box width={120} height={35}>
            <Component />
          </Box>
        </Profiler>,
        fixture,
      );
      const [before, commits] = [renders, tree.commits()];
      change(fixture);
      const {rows} = await tree.show(fixture);
      assert.deepEqual([[...rows], renders - before, tree.commits() - commits], [[], 0, 0]);
      tree.close();
    });
  }
}

describe('the parts of Work', () => {
  test('KeyBar names the keys of the place, where typing goes, and what is written', () => {
    const fixture = atWork();
    const last = (): string =>
      drawCells(fixture.model, fixture.state, fixture.now).rows.at(-1) ?? '';
    assert.match(last(), /z zoom .*: commands {2}\? help$/);
    press(fixture, 'tab', 'tab', 'i');
    assert.match(last(), /^ TYPING into s4 .*Ctrl-\] gives the keys back$/);
    press(fixture, 'ctrl-]', '!');
    assert.match(last(), /^ .+: +Enter send +Esc cancel$/);
  });

  test('PaneGrid draws again only what a pane says of itself', async () => {
    const fixture = atWork();
    const tree = openTree(
      <Box width={86} height={32}>
        <PaneGrid />
      </Box>,
      fixture,
    );
    happen(fixture, {type: 'pane-changed', session: 's4', view});
    await tree.show(fixture);
    happen(fixture, {type: 'pane-changed', session: 's4', view: {...view, scroll: 12}});
    const {rows} = await tree.show(fixture);
    assert.deepEqual([...rows], [31], 'the last line of the pane below');
    assert.match(tree.rows()[31] ?? '', /12 lines back/);
    tree.close();
  });

  test('TaskList has every task with number, mark, track and words', () => {
    const {harness, now} = tokenStory();
    const fixture = open(harness.state, now, {columns: 120, rows: 35});
    press(fixture, 'enter');
    const text = drawCells(fixture.model, fixture.state, fixture.now).rows.join('\n');
    for (const expected of [
      /1 ✓ Share the refresh in flight/,
      /━━━ ━━━ ━━━ ━━━ +merged/,
      /2 ✗ Say when a token is refresh…/,
      /▌3 \? Count refreshes/,
      /4 ○ Release/,
      /after 3/,
    ])
      assert.match(text, expected);
  });
});

test('in a run of thirty tasks the chosen one is always in view', () => {
  const harness = working(
    Array.from({length: 30}, (_, index) =>
      plannedTask(`t${index + 1}`, {title: `Task ${index + 1}`, files: [`src/${index}.ts`]}),
    ),
  );
  for (const size of [
    {columns: 80, rows: 24},
    {columns: 160, rows: 45},
  ]) {
    const fixture = open(harness.state, harness.time, size);
    press(fixture, 'enter');
    const chosen = new Set<string>();
    for (let move = 0; move < 60; move++) {
      press(fixture, 'down');
      const number = /\.t(\d+)$/.exec(fixture.model.selected)?.[1];
      if (number === undefined) continue;
      chosen.add(number);
      const {rows} = drawCells(fixture.model, fixture.state, fixture.now);
      assert.ok(
        rows.some((row) => row.startsWith(`▌${number} `)),
        `task ${number} at ${size.columns} columns`,
      );
    }

    assert.equal(chosen.size, 30);
  }
});

test('hostile titles are safe in rows, frames, the header, toasts, and for a screen reader', () => {
  const harness = working([plannedTask('t1', {title: evil})]);
  for (const isScreenReader of [false, true]) {
    const fixture = open(harness.state, harness.time, {columns: 120, rows: 35}, undefined, {
      name: evil,
    });
    press(fixture, 'enter');
    fixture.model = {...fixture.model, isScreenReader, selected: 'r1.t1'};
    happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text: evil});
    const {rows} = drawCells(fixture.model, fixture.state, fixture.now);
    for (const row of rows) assertShown(row);
  }
});

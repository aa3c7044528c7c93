import assert from 'node:assert/strict';
import {test} from 'node:test';
import type {State} from '../../../source/domain/index.ts';
import {type SidebarRow, sidebarRows} from '../../../source/app/model/sidebar-rows.ts';
import {computeLayout, placesFor, selectPage} from '../../../source/app/model/compute-layout.ts';
import {isInside, isTooSmall, type Rect} from '../../../source/app/render/frame.ts';
import {report, userCommand} from '../../domain/support/harness.ts';
import {startSession} from '../../domain/support/stages.ts';
import {busy, open, press} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

test('places never overlap, leave no hole but one line between columns, and stay inside', () => {
  for (const many of [1, 2, 4, 6] as const) {
    for (const [columns, rows] of [
      [52, 21],
      [79, 30],
      [100, 40],
      [119, 42],
      [151, 50],
      [250, 80],
    ] as const) {
      const main: Rect = {row: 1, column: 3, columns, rows};
      const places = placesFor(main, many);
      const taken = new Set<string>();
      for (const {row, column, rows: height, columns: width} of places) {
        for (let y = row; y < row + height; y++) {
          for (let x = column; x < column + width; x++) {
            assert.ok(isInside(main, {row: y, column: x}));
            assert.ok(!taken.has(`${y}/${x}`));
            taken.add(`${y}/${x}`);
          }
        }
      }

      const across = new Set(places.map(({column}) => column)).size;
      assert.equal(taken.size, rows * (columns - across + 1));
    }
  }
});

test('the last pane has the rest of its row', () => {
  const main: Rect = {row: 0, column: 0, columns: 119, rows: 40};
  assert.equal(placesFor(main, 4, 3)[2]?.columns, 119);
});

test('as many panes as can be read, in the order of the list; zoom and + and - say otherwise', () => {
  const harness = busy();
  const small = open(harness.state, harness.time);
  press(small, 'enter');
  assert.equal(computeLayout(small.model.size, small.model, small.state).panes.length, 1);
  press(small, '+');
  assert.deepEqual(
    computeLayout(small.model.size, small.model, small.state).panes.map(({key}) => key),
    ['r1.t1', 'r1.t2'],
  );
  const large = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(large, 'enter');
  assert.deepEqual(
    computeLayout(large.model.size, large.model, large.state).panes.map(({key, number}) => [
      key,
      number,
    ]),
    [
      ['r1.t1', 1],
      ['r1.t2', 2],
      ['s4', 3],
    ],
  );
  press(large, 'z');
  const [zoomed, ...others] = computeLayout(large.model.size, large.model, large.state).panes;
  assert.deepEqual([zoomed?.frame.columns, others], [160, []]);
});

test('what is chosen and has no terminal is told in words, and connects to nothing', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'g');
  assert.deepEqual(
    [fixture.model.selected, computeLayout(fixture.model.size, fixture.model, fixture.state).panes],
    ['r1', []],
  );
});

test('a merged task that is chosen is read beside those that live, and alone where there is room for one', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, {columns: 160, rows: 45});
  press(fixture, 'enter', 'g', 'j');
  const panes = computeLayout(fixture.model.size, fixture.model, fixture.state).panes;
  assert.deepEqual(
    panes.filter(({isFocused}) => isFocused).map(({key, isLive}) => [key, isLive]),
    [['r1.t1', false]],
  );
  for (const session of fixture.state.live.filter((id) => panesAtRest(fixture.state).includes(id)))
    assert.ok(
      panes.some((pane) => pane.session === session),
      session,
    );
  press(fixture, 'z');
  assert.deepEqual(
    computeLayout(fixture.model.size, fixture.model, fixture.state).panes.map(({key}) => key),
    ['r1.t1'],
  );
});

function panesAtRest(state: State): readonly string[] {
  return sidebarRows(state, state.at).flatMap(({isPane, session}) =>
    isPane && session !== undefined ? [session] : [],
  );
}

/**
 * A letter is a row: in capitals it lives; `?` behind it needs the person; `*` has no place of its
 * own (a service, what is over).
 */
const pages: readonly (readonly [
  rows: string,
  chosen: string,
  many: 1 | 2 | 4 | 6,
  shown: string,
])[] = [
  ['A B C', 'A', 4, 'A B C'],
  ['A B C d*', 'd', 4, 'A B C d'],
  ['a* B C D', 'a', 4, 'a B C D'],
  ['A B C D e*', 'e', 4, 'A B C e'],
  ['A B C D? e*', 'e', 4, 'A B D e'],
  ['A B C? d*', 'd', 2, 'C d'],
  ['A? B C D e*', 'e', 4, 'A B C e'],
  ['A B C d*', 'd', 1, 'd'],
  ['A B C D E', 'E', 4, 'E'],
  ['A B C D e', 'e', 4, 'A B C e'],
  ['A B C d E', 'd', 4, 'A B C d'],
  ['A b C D E', 'b', 4, 'A b C D'],
  ['a* b', 'a', 4, 'a b'],
  ['a* b c d e', 'a', 4, 'a b c d'],
  ['a b c d E f*', 'f', 4, 'E f'],
  ['A B C D S*', 'S', 4, 'A B C S'],
  ['A B C D E F g*', 'g', 6, 'A B C D E g'],
];

for (const [text, chosen, many, expected] of pages) {
  test(`of ${text}, with ${chosen} chosen and room for ${many}, ${expected} are seen`, () => {
    const rows = text.split(' ').map(
      (word) =>
        ({
          key: word[0] ?? '',
          kind: 'task',
          name: '',
          title: '',
          mark: '',
          word: '',
          text: '',
          tone: word.includes('?') ? 'needs' : 'plain',
          session: 's1',
          isPane: !word.includes('*'),
          since: undefined,
        }) satisfies SidebarRow,
    );
    const shown = selectPage(
      rows,
      rows.findIndex(({key}) => key === chosen),
      many,
      ({key}) => key === key.toUpperCase(),
    );
    assert.equal(shown.map(({key}) => key).join(' '), expected);
  });
}

test('whatever is chosen, it is seen; and unless it is zoomed, as many of those that live as have room', () => {
  const harness = busy();
  for (let count = 0; count < 4; count++) {
    userCommand(harness, {
      type: 'start-session',
      name: 'shell',
      command: ['bash'],
      directory: '/work',
    });
    const session = harness.state.live.at(-1)!;
    startSession(harness, session);
    if (count % 2 === 0) report(harness, {type: 'session-exited', session, code: 0, signal: null});
  }

  for (const size of [
    {columns: 80, rows: 24},
    {columns: 120, rows: 30},
    {columns: 160, rows: 45},
    {columns: 240, rows: 70},
  ]) {
    for (const grid of ['auto', 1, 2, 4, 6] as const) {
      const fixture = open(harness.state, harness.time, size);
      for (const row of sidebarRows(fixture.state, fixture.state.at).filter(
        ({session}) => session !== undefined,
      )) {
        const model = {...fixture.model, screen: 'workers' as const, selected: row.key, grid};
        const {panes} = computeLayout(size, model, fixture.state);
        assert.ok(
          panes.some(({key, isFocused}) => key === row.key && isFocused),
          row.key,
        );
        if (panes.find(({isFocused}) => isFocused)?.isLive === true) continue;
        const living = sidebarRows(fixture.state, fixture.state.at).filter(
          ({isPane, session}) =>
            isPane && session !== undefined && fixture.state.live.includes(session),
        ).length;
        const space = Math.max(panes.length, grid === 'auto' ? 1 : grid);
        assert.equal(
          panes.filter(({isLive}) => isLive).length,
          Math.min(living, space - 1),
          `${row.key} in ${size.columns}×${size.rows}, ${grid}`,
        );
      }
    }
  }
});

test('below 60×15 there are no panes', () => {
  const {harness, now} = tokenStory();
  for (const size of [
    {columns: 59, rows: 40},
    {columns: 80, rows: 14},
    {columns: 20, rows: 5},
    {columns: 2, rows: 1},
  ]) {
    const fixture = open(harness.state, now, size);
    const layout = computeLayout(size, fixture.model, fixture.state);
    assert.deepEqual([isTooSmall(size), layout.panes], [true, []]);
  }
});

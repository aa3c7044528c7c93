import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {State} from '../../../source/domain/index.ts';
import {
  assignSlots,
  type PaneSlot,
  selectPaneGrid,
  type SlotCandidate,
} from '../../../source/app/model/pane-grid.ts';
import {sidebarRows} from '../../../source/app/model/sidebar-rows.ts';
import {isInside, isTooSmall, type Rect, type Size} from '../../../source/app/render/frame.ts';
import {report, userCommand} from '../../domain/support/harness.ts';
import {startSession} from '../../domain/support/stages.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';
import {drawCells} from '../screens/draw.tsx';
import {busy, type Fixture, open, press} from '../screens/fixtures.ts';
import {createRandom} from '../../support/random.ts';

const sizes: readonly Size[] = [
  {columns: 80, rows: 24},
  {columns: 100, rows: 30},
  {columns: 120, rows: 42},
  {columns: 160, rows: 45},
  {columns: 240, rows: 70},
];

/** Two agents, a shell, and more shells of which every other has ended. */
function withShells(count: number): ReturnType<typeof busy> {
  const harness = busy();
  for (let index = 0; index < count; index++) {
    userCommand(harness, {
      type: 'start-session',
      name: 'shell',
      command: ['bash'],
      directory: '/work',
    });
    const session = harness.state.live.at(-1)!;
    startSession(harness, session);
    if (index % 2 === 0) report(harness, {type: 'session-exited', session, code: 0, signal: null});
  }

  return harness;
}

const panesOf = ({model, state}: Fixture): readonly PaneSlot[] =>
  selectPaneGrid(model, state).panes;
const keysOf = (fixture: Fixture): readonly string[] => panesOf(fixture).map(({key}) => key);

/** The frames of the panes in the last frame: a click on them leads to the pane. */
function framesOf({model, state, now}: Fixture): readonly Rect[] {
  return drawCells(model, state, now).places.flatMap(({region, rect}) =>
    region.kind === 'target' && region.target.type === 'pane' ? [rect] : [],
  );
}

test('panes never overlap, leave no hole in the room beside the list, and have the size of their line', () => {
  const harness = withShells(4);
  for (const size of sizes) {
    for (const grid of ['auto', 1, 2, 4, 6] as const) {
      const fixture = open(harness.state, harness.time, size);
      press(fixture, 'enter');
      fixture.model = {...fixture.model, grid};
      const frames = framesOf(fixture);
      const where = `${size.columns}×${size.rows}, ${grid}`;
      assert.equal(frames.length, panesOf(fixture).length, where);
      const left = Math.min(...frames.map(({column}) => column));
      const space: Rect = {row: 2, column: left, columns: size.columns - left, rows: size.rows - 3};
      const taken = new Set<string>();
      for (const {row, column, rows, columns} of frames) {
        for (let y = row; y < row + rows; y++) {
          for (let x = column; x < column + columns; x++) {
            assert.ok(isInside(space, {row: y, column: x}), where);
            assert.ok(!taken.has(`${y}/${x}`), where);
            taken.add(`${y}/${x}`);
          }
        }
      }

      assert.equal(taken.size, space.rows * space.columns, where);
      for (const line of new Set(frames.map(({row}) => row))) {
        const widths = frames.filter(({row}) => row === line).map(({columns}) => columns);
        assert.ok(Math.max(...widths) - Math.min(...widths) <= 1, where);
      }
    }
  }
});

test('frames are whole at any size: their corners are where the panes end', () => {
  const harness = withShells(4);
  for (let step = 0; step < 12; step++) {
    const fixture = open(harness.state, harness.time, {columns: 158 + step * 5, rows: 40 + step});
    press(fixture, 'enter');
    const {rows} = drawCells(fixture.model, fixture.state, fixture.now, {signs: 'ascii'});
    for (const {row, column, columns, rows: height} of framesOf(fixture)) {
      const [top, bottom] = [rows[row] ?? '', rows[row + height - 1] ?? ''];
      const corners = [top, bottom].flatMap((line) => [line[column], line[column + columns - 1]]);
      assert.match(
        corners.join(''),
        /^[+#]{4}$/,
        `${fixture.model.size.columns}, ${row}/${column}`,
      );
    }
  }
});

test('the last pane has the rest of its line', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter');
  const [first, second, third] = framesOf(fixture);
  assert.equal(third?.columns, (first?.columns ?? 0) + (second?.columns ?? 0));
});

test('as many panes as can be read, in the order of the list; zoom and + and - say otherwise', () => {
  const harness = busy();
  const small = open(harness.state, harness.time);
  press(small, 'enter');
  assert.equal(panesOf(small).length, 1);
  press(small, '+');
  assert.deepEqual(keysOf(small), ['r1.t1', 'r1.t2']);
  press(small, '-');
  assert.deepEqual(keysOf(small), ['r1.t1']);
  const large = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(large, 'enter');
  assert.deepEqual(
    panesOf(large).map(({key, number}) => [key, number]),
    [
      ['r1.t1', 1],
      ['r1.t2', 2],
      ['s4', undefined],
    ],
    'a number is that of a task',
  );
  press(large, 'z');
  assert.deepEqual(keysOf(large), ['r1.t1']);
  assert.deepEqual(
    framesOf(large).map(({columns}) => columns),
    [160],
  );
});

test('what is chosen and has no terminal is told in words, and connects to nothing', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  press(fixture, 'enter', 'g');
  assert.deepEqual([fixture.model.selected, panesOf(fixture)], ['r1', []]);
});

test('a merged task that is chosen is read beside those that live, and alone where there is room for one', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, {columns: 160, rows: 45});
  press(fixture, 'enter', 'g', 'j');
  const panes = panesOf(fixture);
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
  assert.deepEqual(keysOf(fixture), ['r1.t1']);
});

function panesAtRest(state: State): readonly string[] {
  return sidebarRows(state, state.at).flatMap(({isPane, session}) =>
    isPane && session !== undefined ? [session] : [],
  );
}

test('whatever is chosen, it is seen; and unless it is zoomed, as many of those that live as have room', () => {
  const harness = withShells(4);
  const rows = sidebarRows(harness.state, harness.state.at);
  const living = rows.filter(
    ({isPane, session}) => isPane && session !== undefined && harness.state.live.includes(session),
  );
  for (const size of sizes) {
    for (const grid of ['auto', 1, 2, 4, 6] as const) {
      const fixture = open(harness.state, harness.time, size);
      for (const row of rows.filter(({session}) => session !== undefined)) {
        const model = {...fixture.model, screen: 'workers' as const, selected: row.key, grid};
        const {panes} = selectPaneGrid(model, fixture.state);
        const where = `${row.key} in ${size.columns}×${size.rows}, ${grid}`;
        assert.ok(
          panes.some(({key, isFocused}) => key === row.key && isFocused),
          where,
        );
        if (grid !== 'auto') assert.ok(panes.length <= grid, where);
        const isChosenLive = living.some(({key}) => key === row.key);
        assert.equal(
          panes.filter(({isLive}) => isLive).length,
          Math.min(living.length, panes.length - (isChosenLive ? 0 : 1)),
          where,
        );
      }
    }
  }
});

test('without a choice of the person every pane has at least 40×12 cells for its program', () => {
  const harness = withShells(4);
  for (const size of sizes) {
    const fixture = open(harness.state, harness.time, size);
    press(fixture, 'enter');
    if (panesOf(fixture).length === 1) continue;
    const insides = drawCells(fixture.model, fixture.state, fixture.now).places.flatMap(
      ({region, rect}) => (region.kind === 'pane' ? [rect] : []),
    );
    for (const {columns, rows} of insides)
      assert.ok(
        columns >= 40 && rows >= 12,
        `${columns}×${rows} in ${size.columns}×${size.rows} of ${insides.length}`,
      );
  }
});

test('below 40×12 there are no panes', () => {
  const {harness, now} = tokenStory();
  for (const size of [
    {columns: 39, rows: 40},
    {columns: 80, rows: 11},
    {columns: 20, rows: 5},
    {columns: 2, rows: 1},
  ]) {
    const fixture = open(harness.state, now, size);
    press(fixture, 'enter');
    assert.deepEqual([isTooSmall(size), panesOf(fixture)], [true, []]);
  }
});

/** A letter is a row; in capitals it is at work. */
function toCandidates(text: string): readonly SlotCandidate[] {
  return toNames(text).map((word) => ({
    key: word.toLowerCase(),
    isLive: word !== word.toLowerCase(),
  }));
}

function toNames(text: string): readonly string[] {
  return text === '' ? [] : text.split(' ');
}

type Row = readonly [
  name: string,
  before: string,
  candidates: string,
  capacity: number,
  selected: string,
  after: string,
];

const rows: readonly Row[] = [
  ['the first ones are placed in the order of the list', '', 'A B C', 4, 'a', 'a b c'],
  ['those at work come before those that are over', '', 'a B C', 2, 'b', 'b c'],
  ['one that is over has a place where there is room', '', 'a B C', 3, 'b', 'a b c'],
  ['a row keeps its place when the list is in another order', 'c a b', 'A B C', 3, 'a', 'c a b'],
  ['one that is merged stays', 'a b c', 'a B C', 3, 'b', 'a b c'],
  ['it gives way to one that starts, in its place', 'a b c', 'a B C D', 3, 'b', 'd b c'],
  ['nobody who works gives way', 'a b c', 'A B C D', 3, 'a', 'a b c'],
  ['one that is selected does not give way either', 'a b c', 'a B C D', 3, 'a', 'a b c'],
  ['of two that are over, the first place is taken first', 'a b c', 'a b C D', 3, 'c', 'd b c'],
  ['what is gone leaves its place to the next ones', 'a b c', 'A C', 3, 'a', 'a c'],
  ['the selected one takes a place of one that is over', 'a b', 'a B c', 2, 'c', 'c b'],
  ['or of one at work, if all work', 'a b', 'A B C', 2, 'c', 'c b'],
  [
    'selected and without a place, it takes that of its number',
    'a b c',
    'A B C d',
    3,
    'd',
    'd b c',
  ],
  ['room for fewer: the first places stay', 'a b c', 'A B C', 2, 'a', 'a b'],
  ['room for fewer, and the selected one has none', 'a b c', 'A B C', 2, 'c', 'c b'],
  ['room for one shows the selected one', 'a b c', 'A B C', 1, 'b', 'b'],
  ['a pane more: all are in the order of the list', 'b', 'A B C', 3, 'b', 'a b c'],
  ['something selected that has no terminal takes no place', 'a b', 'A B', 2, 'x', 'a b'],
  ['nothing to show', 'a b', '', 2, 'a', ''],
];

describe('places of panes:', () => {
  for (const [name, before, candidates, capacity, selected, after] of rows) {
    test(name, () => {
      assert.equal(
        assignSlots(toNames(before), toCandidates(candidates), capacity, selected).join(' '),
        after,
      );
    });
  }

  test('a task keeps its place through its whole life beside others that come and go', () => {
    let slots: readonly string[] = [];
    for (const list of ['A B', 'A B C', 'a B C D', 'a b C D', 'a b C D E', 'a b C d E'])
      slots = assignSlots(slots, toCandidates(list), 4, 'c');
    assert.deepEqual(slots, ['e', 'b', 'c', 'd']);
  });

  test('the same places are the same value: nothing renders for them', () => {
    const before = ['a', 'b'];
    assert.equal(assignSlots(before, toCandidates('A B'), 2, 'a'), before);
  });
});

test('whatever happens: no row twice, never more than fit, the selected one always, those that work before others, and nobody moves while there are as many panes', () => {
  for (let seed = 0; seed < 300; seed++) {
    const random = createRandom(`slots ${seed}`);
    let slots: readonly string[] = [];
    for (let step = 0; step < 30; step++) {
      const candidates = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
        .filter(() => random.chance(0.7))
        .map((key) => ({key, isLive: random.chance(0.5)}));
      const capacity = 1 + random.below(6);
      const selected = random.pick(['a', 'd', 'h', 'none']);
      const next = assignSlots(slots, candidates, capacity, selected);
      const where = `seed ${seed}, step ${step}: ${slots.join(' ')} → ${next.join(' ')}`;
      const isKnown = (key: string): boolean => candidates.some((one) => one.key === key);
      assert.equal(new Set(next).size, next.length, where);
      assert.equal(next.length, Math.min(capacity, candidates.length), where);
      assert.ok(next.every(isKnown), where);
      assert.equal(next.includes(selected), isKnown(selected), where);
      const isAtRest = next.some(
        (key) => key !== selected && candidates.some((one) => one.key === key && !one.isLive),
      );
      const waits = candidates.some(({key, isLive}) => isLive && !next.includes(key));
      assert.ok(!(isAtRest && waits), where);
      const isSameCount = slots.every(isKnown) && next.length === slots.length;
      const moved = slots.filter((key, at) => next.includes(key) && next[at] !== key);
      if (isSameCount) assert.deepEqual(moved, [], where);
      slots = next;
    }
  }
});

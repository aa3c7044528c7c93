import assert from 'node:assert/strict';
import {test} from 'node:test';
import {placesFor, plotOf} from '../../../source/tui/model/plot-of.ts';
import type {Rect} from '../../../source/tui/render/rect.ts';
import {isInside} from '../../../source/tui/render/rect.ts';
import {busy, open, press, tokenStory} from '../screens/scenes.ts';

test('places never overlap, leave no hole but one line between columns, and stay inside', () => {
  for (const many of [1, 2, 4, 6] as const) {
    for (const [columns, rows] of [[52, 21], [79, 30], [100, 40], [119, 42], [151, 50], [250, 80]] as const) {
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
  const house = busy();
  const small = open(house.state, house.time);
  press(small, 'enter');
  assert.equal(plotOf(small.model.size, small.model, small.state).panes.length, 1);
  press(small, '+');
  assert.deepEqual(plotOf(small.model.size, small.model, small.state).panes.map(({key}) => key), ['r1.t1', 'r1.t2']);
  const large = open(house.state, house.time, {columns: 160, rows: 45});
  press(large, 'enter');
  assert.deepEqual(plotOf(large.model.size, large.model, large.state).panes.map(({key, number}) => [key, number]), [['r1.t1', 1], ['r1.t2', 2], ['s4', 3]]);
  press(large, 'z');
  const [zoomed, ...others] = plotOf(large.model.size, large.model, large.state).panes;
  assert.deepEqual([zoomed?.frame.columns, others], [160, []]);
});

test('what is chosen and has no terminal is told in words, and connects to nothing', () => {
  const {house, now} = tokenStory();
  const stage = open(house.state, now);
  press(stage, 'enter', 'g');
  assert.deepEqual([stage.model.selected, plotOf(stage.model.size, stage.model, stage.state).panes], ['r1', []]);
});

test('a merged task is seen alone, with its last screen', () => {
  const {house, now} = tokenStory();
  const stage = open(house.state, now, {columns: 160, rows: 45});
  press(stage, 'enter', 'g', 'j');
  assert.deepEqual(plotOf(stage.model.size, stage.model, stage.state).panes.map(({key}) => key), ['r1.t1']);
});

test('below 60×15 there is room for nothing but a word', () => {
  const {house, now} = tokenStory();
  for (const size of [{columns: 59, rows: 40}, {columns: 80, rows: 14}, {columns: 20, rows: 5}, {columns: 2, rows: 1}]) {
    const stage = open(house.state, now, size);
    const plot = plotOf(size, stage.model, stage.state);
    assert.deepEqual([plot.isTooSmall, plot.panes], [true, []]);
  }
});

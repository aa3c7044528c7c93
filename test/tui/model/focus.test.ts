import assert from 'node:assert/strict';
import {test} from 'node:test';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {wish} from '../../domain/support/house.ts';
import {mergeTask, validate} from '../../domain/support/stages.ts';
import {busy, happen, open, press, type Stage} from '../screens/scenes.ts';

const panesOf = ({model, state}: Stage): readonly string[] =>
  plotOf(model.size, model, state).panes.map(({key}) => key);

test('a task that is merged while somebody looks at its pane keeps it, and no other pane moves, until they go on', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter');
  assert.deepEqual([stage.model.selected, panesOf(stage)], ['r1.t1', ['r1.t1', 'r1.t2', 's4']]);
  const places = plotOf(stage.model.size, stage.model, stage.state).panes.map(({frame}) => frame);
  validate(house, 'r1.t1');
  mergeTask(house, 'r1.t1');
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  assert.deepEqual([stage.model.selected, panesOf(stage)], ['r1.t1', ['r1.t1', 'r1.t2', 's4']]);
  assert.deepEqual(
    plotOf(stage.model.size, stage.model, stage.state).panes.map(({frame}) => frame),
    places,
  );
  press(stage, 'tab');
  assert.equal(stage.model.selected, 'r1.t2');
  assert.ok(!panesOf(stage).includes('r1.t1'));
  press(stage, 'k');
  assert.deepEqual(
    [stage.model.selected, panesOf(stage)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
    'who comes back to it reads it beside those that live',
  );
});

test('to follow whoever needs you begins with who does already', () => {
  const house = busy();
  const stage = open(house.state, house.time, {columns: 160, rows: 45});
  press(stage, 'enter', 'F');
  assert.deepEqual([stage.model.selected, stage.model.settings.followsNeedy], ['r1.t2', true]);
  press(stage, 'F', 'g');
  assert.deepEqual([stage.model.selected, stage.model.settings.followsNeedy], ['r1', false]);
});

test('a zoom outlasts a look at another screen, and ends with what was zoomed', () => {
  const house = busy();
  const stage = open(house.state, house.time);
  press(stage, 'enter', 'z');
  for (const away of ['b', 't', 's', 'n', 'p']) {
    press(stage, away, 'w');
    assert.deepEqual([stage.model.screen, stage.model.isZoomed], ['workers', true], away);
  }

  press(stage, 't');
  wish(house, {type: 'discard', what: 'r1'});
  stage.state = house.state;
  happen(stage, {type: 'event-heard', event: house.events.at(-1)!});
  press(stage, 'w');
  assert.equal(stage.model.isZoomed, false);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {selectRuns} from '../../../source/domain/index.ts';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {request} from '../../domain/support/samples.ts';
import {mergeTask, validate} from '../../domain/support/stages.ts';
import {busy, type Fixture, happen, open, press} from '../screens/fixtures.ts';

const getPlaces = ({model, state}: Fixture): readonly unknown[] =>
  selectPaneGrid(model, state).panes.map(({key, number, column, line}) => [
    key,
    number,
    column,
    line,
  ]);
const getPanes = ({model, state}: Fixture): readonly string[] =>
  selectPaneGrid(model, state).panes.map(({key}) => key);

test('a task that is merged keeps its pane, and no other pane moves, for as long as nobody needs its place', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter');
  assert.deepEqual(
    [fixture.model.selected, getPanes(fixture)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
  );
  const places = getPlaces(fixture);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.deepEqual(
    [fixture.model.selected, getPanes(fixture)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
  );
  assert.deepEqual(getPlaces(fixture), places);
  press(fixture, 'tab');
  assert.equal(fixture.model.selected, 'r1.t2');
  assert.deepEqual(getPlaces(fixture), places, 'also when they go on: nobody needs its place');
  press(fixture, 'k');
  assert.equal(fixture.model.selected, 'r1.t1');
  assert.deepEqual(getPlaces(fixture), places, 'who comes back reads it beside those that live');
});

test('a pane of a merged task gives way to a task that starts, in its place; all others stay', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter', 'tab');
  fixture.model = {...fixture.model, grid: 2};
  happen(fixture, {type: 'time-passed'});
  assert.deepEqual(getPanes(fixture), ['r1.t1', 'r1.t2']);
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.deepEqual(getPanes(fixture), ['s4', 'r1.t2'], 'a shell that lives had no place until now');
});

test('to follow whoever needs you begins with who does already', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter', 'F');
  assert.deepEqual([fixture.model.selected, fixture.model.settings.followsNeedy], ['r1.t2', true]);
  press(fixture, 'F', 'g');
  assert.deepEqual([fixture.model.selected, fixture.model.settings.followsNeedy], ['r1', false]);
});

test('a zoom outlasts a look at another screen, and ends with what was zoomed', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time);
  press(fixture, 'enter', 'z');
  for (const away of ['b', 't', 's', 'n', 'p']) {
    press(fixture, away, 'w');
    assert.deepEqual([fixture.model.screen, fixture.model.isZoomed], ['workers', true], away);
  }

  press(fixture, 't');
  userCommand(harness, {type: 'discard', what: 'r1'});
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  press(fixture, 'w');
  assert.equal(fixture.model.isZoomed, false);
});

test('an agent that was opened without a plan keeps the focus until its row is there', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter');
  userCommand(harness, {type: 'start-run', request: {...request, open: {}}, budget: {}});
  const opened = selectRuns(harness.state).at(-1)!.id;
  fixture.state = harness.state;
  fixture.model = {...fixture.model, selected: `${opened}.t1`};
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.equal(fixture.model.selected, `${opened}.t1`);
});

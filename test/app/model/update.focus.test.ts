import assert from 'node:assert/strict';
import {test} from 'node:test';
import {computeLayout} from '../../../source/app/model/compute-layout.ts';
import {userCommand} from '../../domain/support/harness.ts';
import {mergeTask, validate} from '../../domain/support/stages.ts';
import {busy, type Fixture, happen, open, press} from '../screens/fixtures.ts';

const getPanes = ({model, state}: Fixture): readonly string[] =>
  computeLayout(model.size, model, state).panes.map(({key}) => key);

test('a task that is merged while somebody looks at its pane keeps it, and no other pane moves, until they go on', () => {
  const harness = busy();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
  press(fixture, 'enter');
  assert.deepEqual(
    [fixture.model.selected, getPanes(fixture)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
  );
  const places = computeLayout(fixture.model.size, fixture.model, fixture.state).panes.map(
    ({frame}) => frame,
  );
  validate(harness, 'r1.t1');
  mergeTask(harness, 'r1.t1');
  fixture.state = harness.state;
  happen(fixture, {type: 'event-heard', event: harness.events.at(-1)!});
  assert.deepEqual(
    [fixture.model.selected, getPanes(fixture)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
  );
  assert.deepEqual(
    computeLayout(fixture.model.size, fixture.model, fixture.state).panes.map(({frame}) => frame),
    places,
  );
  press(fixture, 'tab');
  assert.equal(fixture.model.selected, 'r1.t2');
  assert.ok(!getPanes(fixture).includes('r1.t1'));
  press(fixture, 'k');
  assert.deepEqual(
    [fixture.model.selected, getPanes(fixture)],
    ['r1.t1', ['r1.t1', 'r1.t2', 's4']],
    'who comes back to it reads it beside those that live',
  );
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

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {selectFirstHint} from '../../../source/app/model/first-hints.ts';
import {busy, type Fixture, happen, nothingYet, open, planned, press} from '../screens/fixtures.ts';
import {drawCells} from '../screens/draw.tsx';
import {reviewed} from '../screens/review-fixture.ts';

/** Somebody who has never been here. */
function firstVisit(
  {state, time}: Pick<ReturnType<typeof planned>, 'state' | 'time'>,
  screen: string,
  more: object = {},
): Fixture {
  return open(state, time, {columns: 120, rows: 35}, {hints: [], screen, ...more});
}

function hintOf({model}: Fixture): string | undefined {
  return selectFirstHint(model);
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

/** The plan of the only run, as somebody opens it. */
function atPlan(more: object = {}): Fixture {
  const fixture = firstVisit(planned(), 'plan', more);
  if (fixture.model.screen !== 'plan') press(fixture, 'p');
  return fixture;
}

const anyHint = /into this pane;|shows the chosen pane alone|on what is chosen;|marks this file/g;
const planHint = 'c comments on what is chosen; X sends it to the planner.';

describe('the hint of a first visit', () => {
  test('stands until its key was used once, and does not come again', () => {
    const fixture = atPlan();
    assert.equal(hintOf(fixture), planHint);
    press(fixture, 'j', 'k');
    assert.equal(hintOf(fixture), planHint);
    press(fixture, 'c');
    assert.equal(hintOf(fixture), undefined);
    press(fixture, 'escape', 'w', 'p');
    assert.equal(hintOf(fixture), undefined);
  });

  test('is over with the visit', () => {
    const fixture = atPlan();
    press(fixture, 't', 'p');
    assert.equal(hintOf(fixture), undefined);
  });

  test('does not come again after a restart, even if its key was never used', () => {
    const saved = toUiState(atPlan().model);
    assert.deepEqual(saved.hints, ['plan']);
    const again = atPlan(JSON.parse(JSON.stringify(saved)) as object);
    assert.deepEqual([again.model.screen, hintOf(again)], ['plan', undefined]);
  });

  test('does not come to who has used its key before', () => {
    const fixture = firstVisit(busy(), 'workers');
    press(fixture, 'w', 'z');
    assert.ok(fixture.model.hints.seen.includes('work'));
  });

  test('is alone: at most one stands, on whatever screen', () => {
    const fixture = firstVisit(busy(), 'workers');
    for (const key of ['w', 'p', 'r', 't', 'w', '1', '2', '3', 'n', 'w']) {
      press(fixture, key);
      const shown = [...textOf(fixture).matchAll(anyHint)];
      assert.ok(shown.length <= 1, textOf(fixture));
    }
  });

  test('gives way to a field, a question, help and a message', () => {
    const fixture = atPlan();
    for (const [key, back] of [
      [':', 'escape'],
      ['?', 'escape'],
      ['X', 'escape'],
    ] as const) {
      press(fixture, key);
      assert.equal(hintOf(fixture), undefined, key);
      press(fixture, back);
      assert.equal(hintOf(fixture), planHint, back);
    }

    assert.ok(textOf(fixture).includes(planHint));
    press(fixture, 'ä');
    assert.match(textOf(fixture), /does nothing here/);
    assert.ok(!textOf(fixture).includes(planHint));
  });

  test('names the keys of the person', () => {
    const fixture = atPlan({settings: {keys: {'comment-line': ['K'], 'reject-plan': ['ctrl-r']}}});
    assert.match(hintOf(fixture) ?? '', /^K comments on what is chosen; Ctrl-r sends it/);
  });

  test('on Work it is about panes; at one that reads keys, about typing', () => {
    const fixture = firstVisit(busy(), 'workers');
    press(fixture, 'w', '1');
    assert.equal(hintOf(fixture), 'z shows the chosen pane alone, and all again.');
    // The second task asks for a secret: its pane reads keys.
    press(fixture, '2');
    assert.equal(hintOf(fixture), 'Enter types into this pane; Ctrl-] comes back.');
    press(fixture, 'enter');
    assert.equal(fixture.model.mode, 'typing');
    assert.equal(hintOf(fixture), undefined);
    happen(fixture, {type: 'typing-left'});
    assert.equal(hintOf(fixture), undefined);
    assert.deepEqual(toUiState(fixture.model).hints.toSorted(), ['typing', 'work']);
  });

  test('names the key that leaves typing as it is set', () => {
    const fixture = firstVisit(busy(), 'workers', {
      settings: {leave: 'ctrl-g', keys: {type: ['f9']}},
    });
    press(fixture, 'w', '2');
    assert.match(hintOf(fixture) ?? '', /^F9 types into this pane; Ctrl-g comes back\.$/);
  });

  test('is not there before there is a place to explain', () => {
    const {state, now} = nothingYet();
    const fixture = open(state, now, undefined, {hints: []});
    press(fixture, 'escape', 'w', 'p', 'r');
    assert.deepEqual(fixture.model.hints, {standing: undefined, seen: []});
  });

  test('broken memory counts as none', () => {
    for (const hints of [undefined, 'plan', {plan: true}, [1, 'nothing']])
      assert.equal(hintOf(atPlan({hints})), planHint);
  });
});

for (const size of [
  {columns: 40, rows: 12},
  {columns: 60, rows: 15},
  {columns: 80, rows: 24},
  {columns: 120, rows: 35},
  {columns: 220, rows: 60},
])
  test(`it hides nothing of the decision bar: ${size.columns}×${size.rows}`, () => {
    const fixture = atPlan();
    fixture.model = {...fixture.model, size};
    const shown = drawCells(fixture.model, fixture.state, fixture.now).rows;
    const without = drawCells(
      {...fixture.model, hints: {...fixture.model.hints, standing: undefined}},
      fixture.state,
      fixture.now,
    ).rows;
    assert.match(shown.join('\n'), /comments on what/);
    assert.deepEqual(shown.slice(-3), without.slice(-3));
    assert.deepEqual(shown.slice(0, 2), without.slice(0, 2));
  });

test('it hides nothing of what is accepted, nor of the bar below', () => {
  for (const size of [
    {columns: 60, rows: 15},
    {columns: 120, rows: 35},
  ]) {
    const fixture = reviewed(size, undefined, {hints: []});
    const {rows} = drawCells(fixture.model, fixture.state, fixture.now);
    const text = rows.join('\n');
    assert.match(text, /Space marks this file as viewed and shows the next\.[^]*A accept into/);
    press(fixture, 'space');
    assert.doesNotMatch(textOf(fixture), /marks this file as viewed/);
  }
});

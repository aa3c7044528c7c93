import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {selectPaneGrid} from '../../../source/app/model/pane-grid.ts';
import type {Rect} from '../../../source/app/render/frame.ts';
import {draw, drawCells} from '../screens/draw.tsx';
import {answer, busy, done, type Fixture, open, planned, press, type} from '../screens/fixtures.ts';
import {pointAt, use} from '../support/pointer.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

function workers(): Fixture {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now);
  answer(fixture, harness, left);
  press(fixture, 'w');
  return fixture;
}

/** Where a session's terminal is in the last frame. */
function insideOf({model, state, now}: Fixture, session: string | undefined): Rect {
  const place = drawCells(model, state, now).places.find(
    ({region}) => region.kind === 'pane' && region.session === session,
  );
  assert.ok(place !== undefined, `expected a pane of ${session}`);
  return place.rect;
}

describe('a click', () => {
  test('on a row of the list chooses it, also on its second line', () => {
    const fixture = workers();
    pointAt(fixture, 'Release');
    assert.equal(fixture.model.selected, 'r1.t4');
    pointAt(fixture, '━━✗─');
    assert.equal(fixture.model.selected, 'r1.t2');
  });

  test('on a pane, or on its title, gives it the focus; one that is typed into keeps it, another ends typing without a word of ending', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    press(fixture, 'enter', 'tab', 'tab', 'i');
    assert.equal(fixture.model.mode, 'typing');
    const [, , own] = selectPaneGrid(fixture.model, fixture.state).panes;
    const inside = insideOf(fixture, own?.session);
    use(fixture, inside.row + 2, inside.column + 5);
    assert.equal(fixture.model.mode, 'typing');
    pointAt(fixture, '2 Say when a token', 'press', 3);
    assert.deepEqual(
      [fixture.model.mode, fixture.model.selected, fixture.model.notice],
      ['command', 'r1.t2', undefined],
    );
    const [first] = selectPaneGrid(fixture.model, fixture.state).panes;
    const other = insideOf(fixture, first?.session);
    use(fixture, other.row + other.rows - 1, other.column);
    assert.equal(fixture.model.selected, 'r1.t1');
  });

  test('on a key of the status line presses it', () => {
    const fixture = workers();
    pointAt(fixture, 'z zoom', 'press', 3);
    assert.equal(fixture.model.isZoomed, true);
  });

  test('on a tab of the first line opens its screen', () => {
    const fixture = workers();
    pointAt(fixture, 'p Plan');
    assert.equal(fixture.model.screen, 'plan');
    pointAt(fixture, 'w Work', 'press', 3);
    assert.equal(fixture.model.screen, 'workers');
  });

  test('on the second line leads to what needs the person, and there on the ways on', () => {
    const fixture = workers();
    use(fixture, 1, 20);
    assert.equal(fixture.model.screen, 'needs');
    pointAt(fixture, 'discard the task');
    assert.match(fixture.model.confirmation?.question ?? '', /Discard task 2\?/);
    use(fixture, 2, 2);
    assert.notEqual(fixture.model.confirmation, undefined);
    pointAt(fixture, 'keep it');
    assert.equal(fixture.model.confirmation, undefined);
    assert.deepEqual(fixture.commands, []);
  });

  test('on a deciding key waits as the key does when the screen has just changed', () => {
    const harness = done();
    const fixture = open(harness.state, harness.time);
    press(fixture, 'n', 'v');
    answer(fixture, harness);
    fixture.model = {...fixture.model, changedAt: fixture.now + 990};
    pointAt(fixture, 'A accept');
    assert.equal(fixture.model.confirmation, undefined);
    assert.match(fixture.model.notice?.text ?? '', /just changed/);
    fixture.now += 1000;
    use(fixture, 0, 0, 'release');
    assert.deepEqual(fixture.commands, []);
  });

  test('on a line of the plan goes there, once more comments on it', () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time, {columns: 80, rows: 45});
    press(fixture, 'p');
    pointAt(fixture, 'src/token.ts keeps no record');
    const purpose = (): string | undefined => fixture.model.field?.for.what;
    assert.equal(purpose(), undefined);
    const {cursor} = fixture.model.places.plan;
    assert.ok(cursor > 0);
    pointAt(fixture, 'src/token.ts keeps no record');
    assert.equal(purpose(), 'comment-plan');
    assert.equal(fixture.model.places.plan.cursor, cursor);
  });

  test('on an entry of the timeline chooses it, and nothing moves under the pointer', () => {
    const fixture = workers();
    press(fixture, 't');
    answer(fixture, tokenStory().harness);
    // Here the chart and the events do not fit together.
    press(fixture, 'tab');
    const rows = (): string[] =>
      draw(fixture.model, fixture.state, fixture.now)
        .split('\n')
        .slice(2, 22)
        .map((row) => row.slice(1));
    const before = rows();
    use(fixture, 6, 20);
    assert.deepEqual(rows(), before);
    assert.match(draw(fixture.model, fixture.state, fixture.now).split('\n')[6] ?? '', /^▌/);
  });

  test('on a line of the palette does it, beside the palette closes it', () => {
    const fixture = workers();
    press(fixture, ':');
    type(fixture, 'timeline');
    pointAt(fixture, 'Timeline');
    assert.equal(fixture.model.screen, 'timeline');
    press(fixture, ':');
    use(fixture, 20, 2);
    assert.deepEqual([fixture.model.field, fixture.model.screen], [undefined, 'timeline']);
  });
});

describe('the wheel', () => {
  test('turns what is under the pointer: a pane, the list, a text', () => {
    const fixture = workers();
    fixture.effects.length = 0;
    use(fixture, 10, 60, 'wheel-up');
    assert.deepEqual(fixture.effects, [{type: 'scroll', session: 's14', by: {to: 'up', times: 3}}]);
    const before = fixture.model.selected;
    use(fixture, 5, 3, 'wheel-up');
    assert.notEqual(fixture.model.selected, before);
    const effects = fixture.effects.length;
    press(fixture, '?');
    for (const help of ['place', 'all']) {
      assert.equal(fixture.model.help?.at, help);
      use(fixture, 10, 60, 'wheel-down');
      assert.equal(fixture.model.places.help.top, 3);
      use(fixture, 10, 60, 'wheel-up');
      assert.equal(fixture.model.places.help.top, 0);
      press(fixture, '?');
    }

    assert.deepEqual(fixture.effects.length, effects, 'the pane below it stays where it is');
  });

  test('leaves a question alone that is asked once more', () => {
    const fixture = workers();
    press(fixture, 'n', 'D');
    use(fixture, 10, 10, 'wheel-down');
    assert.equal(fixture.model.places.need.top, 0);
  });
});

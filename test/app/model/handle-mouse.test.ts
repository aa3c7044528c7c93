import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Mouse} from '../../../source/app/input/key.ts';
import {computeLayout} from '../../../source/app/model/compute-layout.ts';
import {isInside} from '../../../source/app/render/frame.ts';
import {draw} from '../screens/draw.ts';
import {
  answer,
  busy,
  done,
  type Fixture,
  happen,
  open,
  planned,
  press,
  type,
} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/** The pointer on the words that the screen shows, as the loop tells it. */
function pointAt(
  fixture: Fixture,
  text: string,
  action: Mouse['action'] = 'press',
  offset = 0,
): void {
  const lines = draw(fixture.model, fixture.state, fixture.now).split('\n');
  const row = lines.findIndex((line) => line.includes(text));
  assert.notEqual(row, -1, `expected ${text} on\n${lines.join('\n')}`);
  use(fixture, row, (lines[row] ?? '').indexOf(text) + offset, action);
}

function use(
  fixture: Fixture,
  row: number,
  column: number,
  action: Mouse['action'] = 'press',
): void {
  fixture.now += 1000;
  const under = computeLayout(fixture.model.size, fixture.model, fixture.state).panes.find(
    ({inside}) => isInside(inside, {row, column}),
  );
  happen(fixture, {
    type: 'mouse-used',
    mouse: {
      action,
      button: action === 'press' ? 'left' : 'none',
      row,
      column,
      ctrl: false,
      alt: false,
      shift: false,
      code: 0,
    },
    ...(under === undefined
      ? {}
      : {
          pane: {
            session: under.session,
            row: row - under.inside.row,
            column: column - under.inside.column,
          },
        }),
  });
}

function workers(): Fixture {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now);
  answer(fixture, harness, left);
  press(fixture, 'enter');
  return fixture;
}

describe('a click', () => {
  test('on a row of the list chooses it, also on its second line', () => {
    const fixture = workers();
    pointAt(fixture, 'Release');
    assert.equal(fixture.model.selected, 'r1.t4');
    pointAt(fixture, 'stopped: TEST_FAILURE…│');
    assert.equal(fixture.model.selected, 'r1.t2');
  });

  test('on a pane, or on its title, gives it the focus; one that is typed into keeps it, another ends typing without a word of ending', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    press(fixture, 'enter', '3', 'i');
    assert.equal(fixture.model.mode, 'typing');
    const own = computeLayout(fixture.model.size, fixture.model, fixture.state).panes[2];
    assert.ok(own !== undefined);
    use(fixture, own.inside.row + 2, own.inside.column + 5);
    assert.equal(fixture.model.mode, 'typing');
    const other = computeLayout(fixture.model.size, fixture.model, fixture.state).panes[1];
    assert.ok(other !== undefined);
    use(fixture, other.frame.row, other.frame.column + 3);
    assert.deepEqual(
      [fixture.model.mode, fixture.model.selected, fixture.model.notice],
      ['command', other.key, undefined],
    );
  });

  test('on a key of the status line presses it', () => {
    const fixture = workers();
    pointAt(fixture, 'z zoom', 'press', 3);
    assert.equal(fixture.model.isZoomed, true);
  });

  test('on the first line leads to what needs the person, and there on the ways on', () => {
    const fixture = workers();
    use(fixture, 0, 20);
    assert.equal(fixture.model.screen, 'needs');
    pointAt(fixture, 'discard it; what was done is kept');
    assert.match(fixture.model.confirmation?.question ?? '', /Discard r1\.t2\?/);
    use(fixture, 2, 2);
    assert.notEqual(fixture.model.confirmation, undefined);
    pointAt(fixture, 'n no');
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
    const fixture = open(harness.state, harness.time);
    press(fixture, 'p');
    pointAt(fixture, 'Root cause');
    const purpose = (): string | undefined => fixture.model.field?.for.what;
    assert.equal(purpose(), undefined);
    const {cursor} = fixture.model.places.plan;
    assert.ok(cursor > 0);
    pointAt(fixture, 'Root cause');
    assert.equal(purpose(), 'comment-plan');
    assert.equal(fixture.model.places.plan.cursor, cursor);
  });

  test('on an entry of the timeline chooses it, and nothing moves under the pointer', () => {
    const fixture = workers();
    press(fixture, 't');
    answer(fixture, tokenStory().harness);
    const rows = (): string[] =>
      draw(fixture.model, fixture.state, fixture.now)
        .split('\n')
        .slice(2, 22)
        .map((row) => row.slice(1));
    const before = rows();
    use(fixture, 5, 20);
    assert.deepEqual(rows(), before);
    assert.match(draw(fixture.model, fixture.state, fixture.now).split('\n')[5] ?? '', /^▸/);
  });

  test('on a file beside the diff shows it', () => {
    const harness = done();
    const fixture = open(harness.state, harness.time, {columns: 160, rows: 45});
    press(fixture, 'n', 'v');
    answer(fixture, harness);
    pointAt(fixture, 'docs/token.md');
    assert.equal(fixture.model.places.files.cursor, 1);
  });

  test('on a line of the palette does it, beside the palette closes it', () => {
    const fixture = workers();
    press(fixture, ':');
    type(fixture, 'timeline');
    pointAt(fixture, '▸timeline');
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
    press(fixture, '?');
    use(fixture, 10, 10, 'wheel-down');
    assert.equal(fixture.model.places.help.top, 3);
    use(fixture, 10, 10, 'wheel-up');
    assert.equal(fixture.model.places.help.top, 0);
  });

  test('leaves a question alone that is asked once more', () => {
    const fixture = workers();
    press(fixture, 'n', 'D');
    use(fixture, 10, 10, 'wheel-down');
    assert.equal(fixture.model.places.need.top, 0);
  });
});

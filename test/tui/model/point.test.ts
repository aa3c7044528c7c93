import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Mouse} from '../../../source/tui/input/key.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {isInside} from '../../../source/tui/render/rect.ts';
import {draw} from '../screens/draw.ts';
import {
  answer,
  busy,
  done,
  happen,
  open,
  planned,
  press,
  tokenStory,
  type,
  type Stage,
} from '../screens/scenes.ts';

/** The pointer on the words that the screen shows, as the loop tells it. */
function pointAt(stage: Stage, words: string, action: Mouse['action'] = 'press', offset = 0): void {
  const lines = draw(stage.model, stage.state, stage.now).split('\n');
  const row = lines.findIndex((line) => line.includes(words));
  assert.notEqual(row, -1, `expected ${words} on\n${lines.join('\n')}`);
  use(stage, row, (lines[row] ?? '').indexOf(words) + offset, action);
}

function use(stage: Stage, row: number, column: number, action: Mouse['action'] = 'press'): void {
  stage.now += 1000;
  const under = plotOf(stage.model.size, stage.model, stage.state).panes.find(({inside}) =>
    isInside(inside, {row, column}),
  );
  happen(stage, {
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

function workers(): Stage {
  const {house, now, left} = tokenStory();
  const stage = open(house.state, now);
  answer(stage, house, left);
  press(stage, 'enter');
  return stage;
}

describe('a click', () => {
  test('on a row of the list chooses it, also on its second line', () => {
    const stage = workers();
    pointAt(stage, 'Release');
    assert.equal(stage.model.selected, 'r1.t4');
    pointAt(stage, 'stopped: TEST_FAILURE…│');
    assert.equal(stage.model.selected, 'r1.t2');
  });

  test('on a pane, or on its title, gives it the focus; one that is typed into keeps it, another ends typing without a word of ending', () => {
    const house = busy();
    const stage = open(house.state, house.time, {columns: 160, rows: 45});
    press(stage, 'enter', '3', 'i');
    assert.equal(stage.model.mode, 'typing');
    const own = plotOf(stage.model.size, stage.model, stage.state).panes[2];
    assert.ok(own !== undefined);
    use(stage, own.inside.row + 2, own.inside.column + 5);
    assert.equal(stage.model.mode, 'typing');
    const other = plotOf(stage.model.size, stage.model, stage.state).panes[1];
    assert.ok(other !== undefined);
    use(stage, other.frame.row, other.frame.column + 3);
    assert.deepEqual(
      [stage.model.mode, stage.model.selected, stage.model.notice],
      ['command', other.key, undefined],
    );
  });

  test('on a key of the status line presses it', () => {
    const stage = workers();
    pointAt(stage, 'z zoom', 'press', 3);
    assert.equal(stage.model.isZoomed, true);
  });

  test('on the first line leads to what needs the person, and there on the ways on', () => {
    const stage = workers();
    use(stage, 0, 20);
    assert.equal(stage.model.screen, 'needs');
    pointAt(stage, 'discard it; what was done is kept');
    assert.match(stage.model.asking?.question ?? '', /Discard r1\.t2\?/);
    use(stage, 2, 2);
    assert.notEqual(stage.model.asking, undefined);
    pointAt(stage, 'n no');
    assert.equal(stage.model.asking, undefined);
    assert.deepEqual(stage.wishes, []);
  });

  test('on a deciding key waits as the key does when the screen has just changed', () => {
    const house = done();
    const stage = open(house.state, house.time);
    press(stage, 'n', 'v');
    answer(stage, house);
    stage.model = {...stage.model, changedAt: stage.now + 990};
    pointAt(stage, 'A accept');
    assert.equal(stage.model.asking, undefined);
    assert.match(stage.model.notice?.words ?? '', /just changed/);
    stage.now += 1000;
    use(stage, 0, 0, 'release');
    assert.deepEqual(stage.wishes, []);
  });

  test('on a line of the plan goes there, once more comments on it', () => {
    const house = planned();
    const stage = open(house.state, house.time);
    press(stage, 'p');
    pointAt(stage, 'Root cause');
    const purpose = (): string | undefined => stage.model.field?.for.what;
    assert.equal(purpose(), undefined);
    const {cursor} = stage.model.places.plan;
    assert.ok(cursor > 0);
    pointAt(stage, 'Root cause');
    assert.equal(purpose(), 'comment-plan');
    assert.equal(stage.model.places.plan.cursor, cursor);
  });

  test('on an entry of the timeline chooses it, and nothing moves under the pointer', () => {
    const stage = workers();
    press(stage, 't');
    answer(stage, tokenStory().house);
    const rows = (): string[] =>
      draw(stage.model, stage.state, stage.now)
        .split('\n')
        .slice(2, 22)
        .map((row) => row.slice(1));
    const before = rows();
    use(stage, 5, 20);
    assert.deepEqual(rows(), before);
    assert.match(draw(stage.model, stage.state, stage.now).split('\n')[5] ?? '', /^▸/);
  });

  test('on a file beside the diff shows it', () => {
    const house = done();
    const stage = open(house.state, house.time, {columns: 160, rows: 45});
    press(stage, 'n', 'v');
    answer(stage, house);
    pointAt(stage, 'docs/token.md');
    assert.equal(stage.model.places.files.cursor, 1);
  });

  test('on a line of the palette does it, beside the palette closes it', () => {
    const stage = workers();
    press(stage, ':');
    type(stage, 'timeline');
    pointAt(stage, '▸timeline');
    assert.equal(stage.model.screen, 'timeline');
    press(stage, ':');
    use(stage, 20, 2);
    assert.deepEqual([stage.model.field, stage.model.screen], [undefined, 'timeline']);
  });
});

describe('the wheel', () => {
  test('turns what is under the pointer: a pane, the list, a text', () => {
    const stage = workers();
    stage.effects.length = 0;
    use(stage, 10, 60, 'wheel-up');
    assert.deepEqual(stage.effects, [{type: 'scroll', session: 's14', by: {to: 'up', times: 3}}]);
    const before = stage.model.selected;
    use(stage, 5, 3, 'wheel-up');
    assert.notEqual(stage.model.selected, before);
    press(stage, '?');
    use(stage, 10, 10, 'wheel-down');
    assert.equal(stage.model.places.help.top, 3);
    use(stage, 10, 10, 'wheel-up');
    assert.equal(stage.model.places.help.top, 0);
  });

  test('leaves a question alone that is asked once more', () => {
    const stage = workers();
    press(stage, 'n', 'D');
    use(stage, 10, 10, 'wheel-down');
    assert.equal(stage.model.places.need.top, 0);
  });
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {bindingRows} from '../../../source/tui/model/choose-key.ts';
import {bindingsOf} from '../../../source/tui/model/contexts-of.ts';
import {keyNameOf} from '../../../source/tui/model/key-names.ts';
import {memoryOf} from '../../../source/tui/model/memory.ts';
import {paletteOf} from '../../../source/tui/model/palette.ts';
import {draw} from '../screens/draw.ts';
import {
  answer,
  busy,
  happen,
  open,
  planned,
  press,
  tokenStory,
  type,
  type Stage,
} from '../screens/scenes.ts';

/** The app on the list of keys, with the cursor on one of them. */
function choosing(name: string, settings: object = {}): Stage {
  const {house, now, left} = tokenStory();
  const stage = open(house.state, now, undefined, {settings});
  answer(stage, house, left);
  press(stage, 'enter', 'm');
  goTo(stage, name);
  return stage;
}

function goTo(stage: Stage, name: string): void {
  const at = bindingRows(stage.model).findIndex((binding) => keyNameOf(binding) === name);
  assert.notEqual(at, -1, name);
  press(stage, 'home', ...Array.from({length: at}, () => 'down'));
}

describe('changing a key in the app:', () => {
  test('Enter asks, the next key is it, at once and in the settings', () => {
    const stage = choosing('workers.zoom');
    press(stage, 'enter', 'f11');
    assert.deepEqual(
      [stage.model.pressing, memoryOf(stage.model).settings.keys, stage.model.notice?.words],
      [undefined, {'workers.zoom': 'f11'}, 'F11 it is.'],
    );
    press(stage, 'w', 'z');
    assert.equal(stage.model.isZoomed, false);
    press(stage, 'f11');
    assert.equal(stage.model.isZoomed, true);
  });

  test('any key can be pressed, also one that means something here; Escape leaves it as it is', () => {
    const stage = choosing('workers.zoom');
    press(stage, 'enter', 'q');
    assert.deepEqual(stage.model.pressing, {
      name: 'workers.zoom',
      refused: 'q is "leave; everything goes on" already (Everywhere, command.quit)',
    });
    press(stage, 'ctrl-c', '?', 'escape');
    assert.deepEqual(
      [stage.model.pressing, stage.model.settings.keys, stage.model.screen],
      [undefined, {}, 'keys'],
    );
    assert.equal(
      stage.effects.some(({type: what}) => what === 'quit'),
      false,
    );
  });

  test('what it cannot be is told, and asked on', () => {
    const stage = choosing('field.submit');
    press(stage, 'enter', 'a');
    assert.match(
      stage.model.pressing?.refused ?? '',
      /^a cannot be a key there \(Writing a line\)/,
    );
    press(stage, 'ctrl-shift-x');
    assert.match(stage.model.pressing?.refused ?? '', /write ctrl-x/);
    press(stage, 'ctrl-s');
    assert.deepEqual(stage.model.settings.keys, {'field.submit': 'ctrl-s'});
  });

  test('the key that leaves typing is a control character, and its setting is that of the command line', () => {
    const stage = choosing('typing.stop-typing');
    press(stage, 'enter', 'f5');
    assert.match(stage.model.pressing?.refused ?? '', /Ctrl and a letter/);
    press(stage, 'ctrl-t');
    assert.deepEqual([stage.model.settings.leave, stage.model.settings.keys], ['ctrl-t', {}]);
    press(stage, 'x');
    assert.equal(stage.model.settings.leave, 'ctrl-]');
    press(stage, 'd');
    assert.match(stage.model.notice?.words ?? '', /Typing needs a key/);
  });

  test('x takes a change back: of the one place, else of the deed everywhere', () => {
    const stage = choosing('workers.discard', {keys: {discard: 'f8', 'workers.discard': 'f9'}});
    press(stage, 'x');
    assert.deepEqual(stage.model.settings.keys, {discard: 'f8'});
    press(stage, 'backspace');
    assert.deepEqual(
      [stage.model.settings.keys, stage.model.notice?.words],
      [{}, 'The usual keys again, wherever there is discard.'],
    );
    press(stage, 'x');
    assert.equal(stage.model.notice?.words, 'It is the usual key.');
  });

  test('what another has taken does not come back by itself', () => {
    const stage = choosing('workers.zoom', {
      keys: {'workers.zoom': 'f5', 'workers.next-pane': 'z'},
    });
    press(stage, 'x');
    assert.deepEqual(stage.model.settings.keys, {'workers.zoom': 'f5', 'workers.next-pane': 'z'});
    assert.match(
      stage.model.notice?.words ?? '',
      /^Not while another has its key\. workers\.next-pane: z is "zoom" already/,
    );
  });

  test('what has no key is still among the commands, and where one cannot do without, it keeps its key', () => {
    const stage = choosing('workers.attach');
    press(stage, 'd');
    assert.deepEqual(stage.model.settings.keys, {'workers.attach': 'none'});
    press(stage, 'w', ':');
    type(stage, 'whole terminal');
    assert.deepEqual(
      paletteOf(stage.model, stage.state).map(({words, key}) => [words, key]),
      [['the whole terminal; what leaves typing comes back', '']],
    );
    stage.effects.length = 0;
    press(stage, 'enter');
    assert.deepEqual(
      stage.effects.map(({type: what}) => what),
      ['hand-over'],
    );
    press(stage, 'm');
    goTo(stage, 'command.quit');
    press(stage, 'd');
    assert.match(stage.model.notice?.words ?? '', /^command\.quit: it needs a key/);
  });

  test('numbers stay as they are', () => {
    const stage = choosing('need-question.option');
    press(stage, 'enter');
    assert.deepEqual(
      [stage.model.pressing, stage.model.notice?.words],
      [undefined, 'This one stays as it is.'],
    );
  });

  test('while a key is asked for, clicks and pasted text do nothing else', () => {
    const stage = choosing('workers.zoom');
    press(stage, 'enter');
    const before = stage.model.pressing;
    happen(stage, {
      type: 'mouse-used',
      mouse: {
        action: 'press',
        button: 'left',
        row: 0,
        column: 5,
        ctrl: false,
        alt: false,
        shift: false,
        code: 0,
      },
    });
    happen(stage, {
      type: 'mouse-used',
      mouse: {
        action: 'wheel-down',
        button: 'none',
        row: 10,
        column: 5,
        ctrl: false,
        alt: false,
        shift: false,
        code: 0,
      },
    });
    happen(stage, {type: 'pasted', text: 'q'});
    assert.deepEqual([stage.model.pressing, stage.model.screen], [before, 'keys']);
  });
});

describe("keys of one's own", () => {
  test('are the ones that every screen names', () => {
    const house = planned();
    const settings = {
      keys: {
        'next-need': 'f7',
        help: 'f1',
        approve: 'f2',
        'screen-plan': 'f3',
        palette: 'f4',
        'confirm.confirm': 'f5',
        'leave-confirm': 'f6',
        discard: 'f8',
      },
    };
    const stage = open(house.state, house.time + 60_000, undefined, {settings});
    press(stage, 'enter', 'f3');
    assert.match(
      draw(stage.model, stage.state, stage.now).trimEnd().split('\n').at(-1) ?? '',
      /^ F2 approve/,
    );

    const {house: later, now, left} = tokenStory();
    const other = open(later.state, now, undefined, {settings});
    answer(other, later, left);
    press(other, 'enter', 'home');
    const card = draw(other.model, other.state, other.now);
    for (const words of [/F7 shows it/, /F3 {2}its plan/, /F1 keys/]) assert.match(card, words);
    press(other, 'down', 'down', 'f8');
    assert.match(draw(other.model, other.state, other.now), /F5 yes {5}F6 no/);
    press(other, 'f6', 'f4');
    type(other, 'discard');
    assert.match(draw(other.model, other.state, other.now), /discard it +F8/);
  });

  test('decide with the same grace', () => {
    const house = planned();
    const stage = open(house.state, house.time + 60_000, undefined, {
      settings: {keys: {approve: 'a'}},
    });
    press(stage, 'enter', 'p');
    stage.model = {...stage.model, changedAt: stage.now + 990};
    press(stage, 'a');
    assert.deepEqual(
      [stage.wishes, stage.model.notice?.words],
      [[], 'The screen has just changed. Look again, and press it once more.'],
    );
    press(stage, 'A');
    assert.deepEqual(stage.wishes, []);
    press(stage, 'a');
    assert.equal(stage.wishes.length, 1);
  });

  test('are what a click on the last line and on a row does', () => {
    const house = busy();
    const stage = open(
      house.state,
      house.time,
      {columns: 160, rows: 45},
      {settings: {keys: {zoom: 'f6', 'change-setting': 'f5'}}},
    );
    press(stage, 'enter');
    const lines = draw(stage.model, stage.state, stage.now).trimEnd().split('\n');
    const click = (row: number, column: number): void => {
      happen(stage, {
        type: 'mouse-used',
        mouse: {
          action: 'press',
          button: 'left',
          row,
          column,
          ctrl: false,
          alt: false,
          shift: false,
          code: 0,
        },
      });
    };
    click(lines.length - 1, (lines.at(-1) ?? '').indexOf('F6 zoom') + 1);
    assert.equal(stage.model.isZoomed, true);
    press(stage, ',');
    click(3, 5);
    assert.equal(stage.model.settings.theme, 'dark');
  });

  test('that are none leave the rest of the last line as it is', () => {
    const house = busy();
    const stage = open(house.state, house.time, undefined, {settings: {keys: {zoom: 'none'}}});
    press(stage, 'enter');
    assert.equal(draw(stage.model, stage.state, stage.now).includes('zoom'), false);
    assert.deepEqual(
      bindingsOf(stage.model, stage.state).find(({does}) => does === 'zoom')?.keys,
      [],
    );
  });
});

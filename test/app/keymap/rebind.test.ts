import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {bindingRows} from '../../../source/app/keymap/rebind.ts';
import {selectBindings} from '../../../source/app/keymap/resolve.ts';
import {selectPalette} from '../../../source/app/select/palette.ts';
import {toBindingName} from '../../../source/app/keymap/parse.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {pointAt} from '../support/pointer.ts';
import {draw} from '../screens/draw.tsx';
import {
  answer,
  busy,
  type Fixture,
  happen,
  open,
  planned,
  press,
  type,
} from '../screens/fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

/** The app on the list of keys, with the cursor on one of them. */
function choosing(name: string, settings: object = {}): Fixture {
  const {harness, now, left} = tokenStory();
  const fixture = open(harness.state, now, undefined, {settings});
  answer(fixture, harness, left);
  press(fixture, 'w', 'm');
  goTo(fixture, name);
  return fixture;
}

function goTo(fixture: Fixture, name: string): void {
  const at = bindingRows(fixture.model).findIndex((binding) => toBindingName(binding) === name);
  assert.notEqual(at, -1, name);
  press(fixture, 'home', ...Array.from({length: at}, () => 'down'));
}

describe('changing a key in the app:', () => {
  test('Enter asks, the next key is it, at once and in the settings', () => {
    const fixture = choosing('workers.zoom');
    press(fixture, 'enter', 'f11');
    assert.deepEqual(
      [fixture.model.rebinding, toUiState(fixture.model).settings.keys, fixture.model.notice?.text],
      [undefined, {'workers.zoom': 'f11'}, 'F11 it is.'],
    );
    press(fixture, 'w', 'z');
    assert.equal(fixture.model.isZoomed, false);
    press(fixture, 'f11');
    assert.equal(fixture.model.isZoomed, true);
  });

  test('any key can be pressed, also one that means something here; Escape leaves it as it is', () => {
    const fixture = choosing('workers.zoom');
    press(fixture, 'enter', 'q');
    assert.deepEqual(fixture.model.rebinding, {
      name: 'workers.zoom',
      rejected:
        'q is "home; at home leave, and everything goes on" already (Everywhere, command.quit)',
    });
    press(fixture, 'ctrl-c', '?', 'escape');
    assert.deepEqual(
      [fixture.model.rebinding, fixture.model.settings.keys, fixture.model.screen],
      [undefined, {}, 'keys'],
    );
    assert.equal(
      fixture.effects.some(({type: what}) => what === 'quit'),
      false,
    );
  });

  test('what it cannot be is told, and asked on', () => {
    const fixture = choosing('field.submit');
    press(fixture, 'enter', 'a');
    assert.match(
      fixture.model.rebinding?.rejected ?? '',
      /^a cannot be a key there \(Writing a line\)/,
    );
    press(fixture, 'ctrl-shift-x');
    assert.match(fixture.model.rebinding?.rejected ?? '', /write ctrl-x/);
    press(fixture, 'ctrl-s');
    assert.deepEqual(fixture.model.settings.keys, {'field.submit': 'ctrl-s'});
  });

  test('the key that leaves typing is a control character, and its setting is that of the command line', () => {
    const fixture = choosing('typing.stop-typing');
    press(fixture, 'enter', 'f5');
    assert.match(fixture.model.rebinding?.rejected ?? '', /Ctrl and a letter/);
    press(fixture, 'ctrl-t');
    assert.deepEqual([fixture.model.settings.leave, fixture.model.settings.keys], ['ctrl-t', {}]);
    press(fixture, 'x');
    assert.equal(fixture.model.settings.leave, 'ctrl-]');
    press(fixture, 'd');
    assert.match(fixture.model.notice?.text ?? '', /Typing needs a key/);
  });

  test('x takes a change back: of the one place, else of the action everywhere', () => {
    const fixture = choosing('workers.discard', {keys: {discard: 'f8', 'workers.discard': 'f9'}});
    press(fixture, 'x');
    assert.deepEqual(fixture.model.settings.keys, {discard: 'f8'});
    press(fixture, 'backspace');
    assert.deepEqual(
      [fixture.model.settings.keys, fixture.model.notice?.text],
      [{}, 'The usual keys again, wherever there is discard.'],
    );
    press(fixture, 'x');
    assert.equal(fixture.model.notice?.text, 'It is the usual key.');
  });

  test('what another has taken does not come back by itself', () => {
    const fixture = choosing('workers.zoom', {
      keys: {'workers.zoom': 'f5', 'workers.next-pane': 'z'},
    });
    press(fixture, 'x');
    assert.deepEqual(fixture.model.settings.keys, {'workers.zoom': 'f5', 'workers.next-pane': 'z'});
    assert.match(
      fixture.model.notice?.text ?? '',
      /^Not while another has its key\. workers\.next-pane: z is "zoom" already/,
    );
  });

  test('what has no key is still among the commands, and where one cannot do without, it keeps its key', () => {
    const fixture = choosing('workers.attach');
    press(fixture, 'd');
    assert.deepEqual(fixture.model.settings.keys, {'workers.attach': 'none'});
    press(fixture, 'w', ':');
    type(fixture, 'whole terminal');
    assert.deepEqual(
      selectPalette(fixture.model, fixture.state).matches.map(({text, key}) => [text, key]),
      [['Attach: the whole terminal until the leave key', '']],
    );
    fixture.effects.length = 0;
    press(fixture, 'enter');
    assert.deepEqual(
      fixture.effects.map(({type: what}) => what),
      ['hand-over'],
    );
    press(fixture, 'm');
    goTo(fixture, 'command.quit');
    press(fixture, 'd');
    assert.match(fixture.model.notice?.text ?? '', /^command\.quit: it needs a key/);
  });

  test('numbers stay as they are', () => {
    const fixture = choosing('need-question.option');
    press(fixture, 'enter');
    assert.deepEqual(
      [fixture.model.rebinding, fixture.model.notice?.text],
      [undefined, 'This one stays as it is.'],
    );
  });

  test('while a key is asked for, clicks and pasted text do nothing else', () => {
    const fixture = choosing('workers.zoom');
    press(fixture, 'enter');
    const before = fixture.model.rebinding;
    happen(fixture, {
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
    happen(fixture, {
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
    happen(fixture, {type: 'pasted', text: 'q'});
    assert.deepEqual([fixture.model.rebinding, fixture.model.screen], [before, 'keys']);
  });
});

describe("keys of one's own", () => {
  test('are the ones that every screen names', () => {
    const harness = planned();
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
    const fixture = open(harness.state, harness.time + 60_000, undefined, {settings});
    press(fixture, 'enter', 'f3');
    assert.match(
      draw(fixture.model, fixture.state, fixture.now).trimEnd().split('\n').at(-3) ?? '',
      /^ F2 approve/,
    );

    const {harness: later, now, left} = tokenStory();
    const other = open(later.state, now, undefined, {settings});
    answer(other, later, left);
    press(other, 'w', 'home');
    const card = draw(other.model, other.state, other.now);
    for (const text of [/F7 decide/, /F7 needs you/, /F3 its plan/, /F1 help/])
      assert.match(card, text);
    press(other, 'down', 'down', 'f8');
    assert.match(draw(other.model, other.state, other.now), /F8 {2}discard it {5}F6 {2}keep it/);
    press(other, 'f6', 'f4');
    type(other, 'discard');
    assert.match(draw(other.model, other.state, other.now), /Discard it +! {2}F8/);
  });

  test('decide with the same grace', () => {
    const harness = planned();
    const fixture = open(harness.state, harness.time + 60_000, undefined, {
      settings: {keys: {approve: 'a'}},
    });
    press(fixture, 'enter', 'p');
    fixture.model = {...fixture.model, changedAt: fixture.now + 990};
    press(fixture, 'a');
    assert.deepEqual(
      [fixture.commands, fixture.model.notice?.text],
      [[], 'The screen just changed. Press again if you mean it.'],
    );
    press(fixture, 'A');
    assert.deepEqual(fixture.commands, []);
    press(fixture, 'a');
    assert.equal(fixture.commands.length, 1);
  });

  test('are what a click on the last line and on a row does', () => {
    const harness = busy();
    const fixture = open(
      harness.state,
      harness.time,
      {columns: 160, rows: 45},
      {settings: {keys: {zoom: 'f6', 'change-setting': 'f5'}}},
    );
    press(fixture, 'enter');
    pointAt(fixture, 'F6 zoom', 'press', 1);
    assert.equal(fixture.model.isZoomed, true);
    press(fixture, ',');
    pointAt(fixture, 'Theme');
    assert.equal(fixture.model.settings.theme, 'terminal');
  });

  test('that are none leave the rest of the last line as it is', () => {
    const harness = busy();
    const fixture = open(harness.state, harness.time, undefined, {
      settings: {keys: {zoom: 'none'}},
    });
    press(fixture, 'enter');
    assert.equal(draw(fixture.model, fixture.state, fixture.now).includes('zoom'), false);
    assert.deepEqual(
      selectBindings(fixture.model, fixture.state).find(({action}) => action === 'zoom')?.keys,
      [],
    );
  });
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import {selectPalette, selectShownTheme} from '../../../source/app/select/palette.ts';
import {toUiState} from '../../../source/app/model/create-model.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, open, press, tokenStory, type} from '../screens/fixtures.ts';

function opened(text = '', size: Size = {columns: 120, rows: 35}, uiState?: unknown): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size, uiState);
  press(fixture, 'enter', 'w', ':');
  type(fixture, text);
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

function markedOf({model, state}: Fixture): string | undefined {
  const {matches, cursor} = selectPalette(model, state);
  return cursor === undefined ? undefined : matches[cursor]?.text;
}

describe('the palette', () => {
  test('has everything by section, with its keys', () => {
    const {model, state} = opened();
    const {matches} = selectPalette(model, state);
    assert.deepEqual(
      [...new Set(matches.map(({section}) => section))],
      ['Here', 'Go to', 'Settings', 'Help'],
    );
    const texts = matches.map(({text}) => text);
    for (const text of [
      'Timeline',
      'Task 2  Say when a token is refreshed',
      'Theme: nord',
      'Signs: ASCII',
      'Change keys',
      'What "the one retry" means',
    ])
      assert.ok(texts.includes(text), text);
  });

  test('opens with Ctrl-k too', () => {
    const fixture = opened();
    press(fixture, 'escape', 'ctrl-k');
    assert.equal(fixture.model.field?.for.what, 'palette');
  });

  test('marks the letters that match, and the best entry', () => {
    const fixture = opened('nord');
    assert.equal(markedOf(fixture), 'Theme: nord');
    press(fixture, 'enter');
    assert.equal(fixture.model.settings.theme, 'nord');
  });

  test('never marks by itself what decides; it is chosen with the arrows', () => {
    const fixture = opened('discard');
    const {matches} = selectPalette(fixture.model, fixture.state);
    assert.ok(matches.some(({decides}) => decides));
    const first = selectPalette(fixture.model, fixture.state).cursor;
    assert.ok(first === undefined || matches[first]?.decides === false);
    const only = opened('take the task over');
    assert.equal(selectPalette(only.model, only.state).cursor, undefined);
    press(only, 'enter');
    assert.deepEqual(only.commands, []);
    assert.match(only.model.notice?.text ?? '', /It decides something/);
    press(only, 'down', 'enter');
    assert.deepEqual(only.commands, [{type: 'take-over', task: only.model.selected}]);
  });

  test('shows a theme while it is marked; Escape brings the old one back', () => {
    const fixture = opened('theme', undefined, {settings: {theme: 'gruvbox-dark'}});
    const shown = (): string => selectShownTheme(fixture.model, fixture.state);
    const first = shown();
    press(fixture, 'down');
    assert.notEqual(shown(), first);
    assert.equal(fixture.model.settings.theme, 'gruvbox-dark');
    press(fixture, 'escape');
    assert.equal(shown(), 'gruvbox-dark');
  });

  test('previews nothing before something is written or marked', () => {
    const fixture = opened('', undefined, {recent: ['theme/nord']});
    assert.equal(markedOf(fixture), 'Theme: nord');
    assert.equal(selectShownTheme(fixture.model, fixture.state), 'auto');
  });

  test('has the last five first, also at the next visit', () => {
    const fixture = opened('timeline');
    press(fixture, 'enter');
    for (const text of ['cost', 'services', 'theme nord', 'signs', 'brief']) {
      press(fixture, ':');
      type(fixture, text);
      press(fixture, 'enter');
    }

    press(fixture, ':');
    const lately = (one: Fixture): string[] =>
      selectPalette(one.model, one.state)
        .matches.filter(({section}) => section === 'Lately')
        .map(({text}) => text);
    assert.equal(fixture.model.recent.length, 5);
    assert.ok(lately(fixture).includes('Theme: nord'));
    assert.ok(!lately(fixture).includes('Timeline'));
    const next = opened('', undefined, toUiState(fixture.model));
    assert.ok(lately(next).includes('Theme: nord'));
  });

  test('goes to a task', () => {
    const fixture = opened('say when');
    press(fixture, 'enter');
    assert.equal(fixture.model.selected, 'r1.t2');
  });

  test('says that nothing matches', () => {
    const fixture = opened('qqqqqq');
    assert.match(textOf(fixture), /No match\./);
    press(fixture, 'enter');
    assert.equal(fixture.model.field, undefined);
  });

  test('is drawn at every size, and keeps the marked entry in view', () => {
    for (const size of [
      {columns: 60, rows: 15},
      {columns: 80, rows: 24},
      {columns: 220, rows: 60},
    ]) {
      const fixture = opened('', size);
      for (let step = 0; step < 60; step++) press(fixture, 'down');
      const text = markedOf(fixture)!;
      assert.match(
        textOf(fixture),
        new RegExp(`▌ {2}${text.slice(0, 20).replace(/[^\w ]/g, '.')}`),
      );
    }
  });

  test('has the marked entry among what can be clicked', () => {
    const fixture = opened('timeline');
    const {places} = drawCells(fixture.model, fixture.state, fixture.now);
    const items = places.flatMap(({region}) =>
      region.kind === 'target' && region.target.type === 'item' ? [region.target.index] : [],
    );
    assert.ok(items.includes(selectPalette(fixture.model, fixture.state).cursor!));
  });

  test('is read by a screen reader without frames', () => {
    const fixture = opened('time');
    fixture.model = {...fixture.model, isScreenReader: true};
    const text = textOf(fixture);
    assert.match(text, /chosen: +Timeline/);
    assert.doesNotMatch(text, /[┏╭━─┃│▌]/);
  });
});

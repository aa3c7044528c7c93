import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import {selectAllKeys, selectPlaceKeys} from '../../../source/app/select/help-keys.ts';
import {drawCells} from '../screens/draw.tsx';
import {type Fixture, happen, open, press, tokenStory, type} from '../screens/fixtures.ts';

function opened(size: Size = {columns: 120, rows: 35}, uiState?: unknown): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size, uiState);
  press(fixture, 'enter', 'w');
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('help', () => {
  test('is of this place: keys by what they do, those of anywhere, signs, one idea', () => {
    const fixture = opened();
    press(fixture, '?');
    assert.equal(fixture.model.screen, 'workers');
    const text = textOf(fixture);
    for (const part of [
      /Keys for Work/,
      /Look +Act +Decide/,
      /X +stop it/,
      /Anywhere/,
      /● works +○ waits +\? asks you/,
      /The one retry +A check that fails/,
      /CAPITALS decide, small letters look/,
    ])
      assert.match(text, part);
  });

  test('every guarded key is in the column of deciding keys', () => {
    const fixture = opened();
    press(fixture, 'n', '?');
    const {look, act, decide} = selectPlaceKeys(fixture.model, fixture.state);
    assert.ok(decide.some(({keys}) => keys === 'D'));
    for (const {keys} of [...look, ...act]) assert.notEqual(keys, 'D');
  });

  test('decides nothing while it is open; a screen is opened from it', () => {
    const fixture = opened();
    press(fixture, '?', 'X', 'D', 'T');
    assert.deepEqual([fixture.commands, fixture.model.confirmation], [[], undefined]);
    assert.equal(fixture.model.help?.at, 'place');
    press(fixture, 't');
    assert.deepEqual([fixture.model.screen, fixture.model.help], ['timeline', undefined]);
  });

  test('closes with Escape, and by a click beside it', () => {
    const fixture = opened();
    press(fixture, '?', 'escape');
    assert.deepEqual([fixture.model.help, fixture.model.screen], [undefined, 'workers']);
    press(fixture, '?');
    happen(fixture, {
      type: 'mouse-used',
      mouse: {
        action: 'press',
        button: 'left',
        row: 0,
        column: 0,
        ctrl: false,
        alt: false,
        shift: false,
        code: 0,
      },
      target: {type: 'outside'},
    });
    assert.equal(fixture.model.help, undefined);
  });

  test('once more shows all keys; / finds one while it is written', () => {
    const fixture = opened();
    press(fixture, '?', '?');
    assert.equal(fixture.model.screen, 'help');
    assert.match(textOf(fixture), /All keys[^]*Work[^]*type into the pane/);
    press(fixture, '/');
    type(fixture, 'discard');
    assert.match(textOf(fixture), /with "discard"[^]*D +discard/);
    assert.doesNotMatch(textOf(fixture), /zoom/);
    press(fixture, 'enter');
    assert.match(textOf(fixture), /with "discard"/);
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'workers');
  });

  test('finds a key by the key itself', () => {
    const fixture = opened();
    press(fixture, '?', '/');
    const blocks = selectAllKeys(fixture.model, fixture.state, 'z');
    assert.deepEqual(
      blocks.flatMap(({keys}) => keys.map(({text}) => text)),
      ['zoom'],
    );
    assert.deepEqual(selectAllKeys(fixture.model, fixture.state, 'no such key'), []);
  });

  test('shows a topic that the palette found', () => {
    const fixture = opened();
    press(fixture, ':');
    type(fixture, 'what accepting does');
    press(fixture, 'enter');
    assert.match(textOf(fixture), /Accepting +All tasks were merged/);
  });

  test("marks the person's own keys", () => {
    const fixture = opened(undefined, {settings: {keys: {'workers.zoom': 'f5'}}});
    press(fixture, '?');
    assert.match(textOf(fixture), /F5\* +zoom/);
  });

  test('is read at 60×15 by scrolling, and by a screen reader', () => {
    const fixture = opened({columns: 60, rows: 15});
    press(fixture, '?');
    const {viewports} = {viewports: {help: {rows: 11, content: 60, top: 0, items: 0}}};
    happen(fixture, {type: 'viewports-changed', viewports});
    press(fixture, 'end');
    assert.match(textOf(fixture), /The one retry/);
    fixture.model = {...fixture.model, isScreenReader: true, size: {columns: 80, rows: 40}};
    assert.doesNotMatch(textOf(fixture), /[┏╭━┃│▌]/);
  });
});

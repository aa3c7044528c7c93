import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {confirmDiscard} from '../../../source/app/model/confirmations.ts';
import type {Size} from '../../../source/app/render/frame.ts';
import {resolveTheme} from '../../../source/app/theme/resolve-theme.ts';
import {update} from '../../../source/app/model/update.ts';
import {drawCells} from '../screens/draw.tsx';
import {done, type Fixture, open, press, tokenStory} from '../screens/fixtures.ts';

function asked(size: Size = {columns: 120, rows: 35}, more: object = {}): Fixture {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now, size);
  press(fixture, 'n', 'D');
  fixture.model = {...fixture.model, ...more};
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

describe('a dialog', () => {
  test('is a question with the number, the title, what is kept and lost, and the verbs', () => {
    const text = textOf(asked());
    assert.match(text, /Discard task 2\?/);
    assert.match(text, /Say when a token is refreshed/);
    assert.match(text, /kept {3}its change, in refs\/orchestra\/backup/);
    assert.match(text, / D {2}discard it +Esc {2}keep it/);
  });

  test('fits every window, with its verbs in view', () => {
    for (const size of [
      {columns: 60, rows: 15},
      {columns: 80, rows: 24},
      {columns: 220, rows: 60},
    ])
      assert.match(textOf(asked(size)), / D {2}discard it +Esc {2}keep it/);
  });

  test('shows hostile text as text', () => {
    const fixture = asked();
    const confirmation = {
      ...confirmDiscard(fixture.state, 'r1.t2'),
      title: 'evil \u001B[2J\u001B]0;x\u0007 \u202Etitle',
      facts: [{label: 'kept', text: '\u001B[31mred\u009B2J'}],
    };
    const text = textOf({...fixture, model: {...fixture.model, confirmation}});
    assert.doesNotMatch(text, /[\u001B\u0007\u009B\u202E]/);
    assert.match(text, /evil/);
  });

  test('is clicked as it is pressed; a click beside it does nothing', () => {
    const fixture = asked();
    const {places} = drawCells(fixture.model, fixture.state, fixture.now);
    const targets = places.flatMap(({region}) => (region.kind === 'target' ? [region.target] : []));
    const click = (target: (typeof targets)[number]): Fixture['commands'] => {
      const result = update(
        fixture.model,
        {
          type: 'mouse-used',
          mouse: {
            action: 'press',
            button: 'left',
            row: 0,
            column: 0,
            shift: false,
            ctrl: false,
            alt: false,
            code: 0,
          },
          target,
        },
        fixture.state,
        fixture.now + 2000,
      );
      return [...result.commands, ...(result.model.confirmation === undefined ? ['closed'] : [])];
    };
    assert.deepEqual(click({type: 'outside'}), []);
    assert.deepEqual(
      click(targets.find((one) => one.type === 'action' && one.action === 'confirm')!),
      [{type: 'discard', what: 'r1.t2'}, 'closed'],
    );
    assert.deepEqual(
      click(targets.find((one) => one.type === 'action' && one.action === 'leave-confirm')!),
      ['closed'],
    );
  });

  test('offers another way to accept', () => {
    const harness = done();
    const fixture = open(harness.state, harness.time, {columns: 80, rows: 24});
    press(fixture, 'n', 'A');
    assert.match(textOf(fixture), / A {2}accept it +w {2}another way +Esc {2}not yet/);
  });

  test('dims everything else', () => {
    const fixture = asked();
    const theme = resolveTheme({setting: 'overture', env: {TERM: 'xterm'}, depth: 'full'});
    const {cells} = drawCells(fixture.model, fixture.state, fixture.now, {theme});
    const faint = Number.parseInt(theme.styles.faint.color!.slice(1), 16);
    assert.equal(cells.words[1 * 3 + 1]! & 0xff_ffff, faint, 'the name of the repository');
  });

  test('is read alone by a screen reader', () => {
    const fixture = asked({columns: 80, rows: 24}, {isScreenReader: true});
    const rows = textOf(fixture).split('\n');
    const row = rows.find((one) => one.includes('Discard task 2?'));
    assert.equal(row?.trim(), 'Discard task 2?');
    assert.doesNotMatch(rows.join(''), /[┏╭━─┃│]/);
  });
});

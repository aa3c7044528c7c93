import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import type {Size} from '../../../source/app/render/frame.ts';
import {selectNotes} from '../../../source/app/select/notes.ts';
import {drawCells} from './draw.tsx';
import {answer, type Fixture, happen, open, press, tokenStory, type} from './fixtures.ts';

function on(key: string, size: Size = {columns: 120, rows: 35}, uiState?: unknown): Fixture {
  const {harness, left, now} = tokenStory();
  const fixture = open(harness.state, now, size, uiState);
  press(fixture, 'enter', key);
  answer(fixture, harness, left);
  return fixture;
}

function textOf({model, state, now}: Fixture): string {
  return drawCells(model, state, now).rows.join('\n');
}

const evil = 'evil\u001B[2J\u202E\u009Bname';

describe('services', () => {
  test('are listed with their ports, and who listens', () => {
    const text = textOf(on('s'));
    assert.match(text, /▌ +● web +:3000 +starting/);
    assert.match(text, /Ports {2}read from the kernel at [^]*3000 +agent of task 1/);
  });

  test('show what the kernel does not say, and hostile answers as text', () => {
    const fixture = on('s');
    for (const [fact, expected] of [
      [{name: 'ports', at: 0, unknown: evil}, /unknown: evil/],
      [{name: 'ports', at: 0, source: 'kernel', value: []}, /none of ours listens/],
      [{name: 'ports', at: 0, source: 'kernel', value: [null, 7, {port: 'x'}]}, /none of ours/],
    ] as const) {
      happen(fixture, {type: 'answered', name: 'facts', value: [fact]});
      assert.match(textOf(fixture), expected);
      assert.doesNotMatch(textOf(fixture), /[\u001B\u202E\u009B]/);
    }
  });
});

describe('notes', () => {
  test('say what they are before a search, and that nothing matches after one', () => {
    const fixture = on('f');
    assert.match(textOf(fixture), /Notes are written when a task ends/);
    happen(fixture, {type: 'answered', name: 'recall/x', value: []});
    assert.match(textOf(fixture), /No match\./);
  });

  test('are listed beside the one under the cursor, and read whole', () => {
    const fixture = on('f');
    press(fixture, '/');
    type(fixture, 'refresh token');
    press(fixture, 'enter');
    answer(fixture, tokenStory().harness);
    assert.ok(selectNotes(fixture.model).length > 0);
    assert.match(textOf(fixture), /▌[^]*Keep the refresh token[^]*Root cause/);
    press(fixture, 'enter');
    assert.match(textOf(fixture), /back to the list/);
    press(fixture, 'escape');
    assert.equal(fixture.model.screen, 'knowledge');
    assert.doesNotMatch(textOf(fixture), /back to the list/);
  });

  test('are safe, whoever wrote them', () => {
    const fixture = on('f');
    happen(fixture, {
      type: 'answered',
      name: 'recall/x',
      value: [
        {path: evil, title: evil, outcome: 'merged', files: [], score: 1, excerpt: '', text: evil},
      ],
    });
    assert.doesNotMatch(textOf(fixture), /[\u001B\u202E\u009B]/);
  });
});

describe('settings', () => {
  test('have theme, signs, frames and motion, and change under the cursor', () => {
    const fixture = on(',');
    assert.match(textOf(fixture), /▌ Theme[^]*Signs[^]*Frames of panes[^]*Motion/);
    press(fixture, 'down', 'down', 'enter');
    assert.equal(fixture.model.settings.notify, 'message');
    press(fixture, 'end', 'enter');
    assert.equal(fixture.model.screen, 'keys');
  });

  test('name what is ignored', () => {
    const fixture = on(',', undefined, {settings: {keys: {aprove: 'f6'}}});
    assert.match(textOf(fixture), /! keys\.aprove is ignored: there is no such name/);
  });
});

describe('keys', () => {
  test('are listed and kept in view down to the last', () => {
    const fixture = on('m', {columns: 80, rows: 24});
    press(fixture, 'end');
    const last = fixture.model.keymap.bindings.length - 1;
    assert.equal(fixture.model.places.keys.cursor, last);
    assert.match(textOf(fixture), /▌/);
  });

  test('are chosen by a click', () => {
    const fixture = on('m');
    const {places} = drawCells(fixture.model, fixture.state, fixture.now);
    const targets = places.flatMap(({region}) =>
      region.kind === 'target' && region.target.type === 'item' ? [region.target] : [],
    );
    assert.deepEqual(targets[3], {type: 'item', list: 'keys', index: 3});
  });
});

test('a row without a terminal is described by its title, never by its id', () => {
  const fixture = on('w');
  press(fixture, 'G', 'k');
  assert.equal(fixture.model.selected, 'r1.t4');
  const text = textOf(fixture);
  assert.match(text, /Release[^]*files[^]*tries +0 of 2/);
  assert.doesNotMatch(text, /r1\.t4/);
});

test('a screen reader hears them without frames and marks', () => {
  for (const key of ['s', 'f', ',', 'm', '?']) {
    const fixture = on(key, {columns: 80, rows: 24});
    fixture.model = {...fixture.model, isScreenReader: true};
    assert.doesNotMatch(textOf(fixture).split('\n').slice(2).join('\n'), /[┏╭━┃│▌]/, key);
  }
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState} from '../../../source/domain/index.ts';
import {actionOf} from '../../../source/tui/model/action-of.ts';
import {createModel} from '../../../source/tui/model/create-model.ts';
import {keymap} from '../../../source/tui/model/keymap.ts';
import {update} from '../../../source/tui/model/update.ts';
import type {UiEvent} from '../../../source/tui/seam.ts';
import {draw} from '../screens/draw.ts';
import {happen, keyOf, press, repository, type Stage} from '../screens/scenes.ts';

const size = {columns: 100, rows: 30};

function opened(more: Partial<typeof repository> = {}, memory?: unknown): Stage {
  return {
    model: createModel({size, repository: {...repository, ...more}, memory}),
    state: emptyState,
    now: 1_000_000,
    effects: [],
    wishes: [],
  };
}

const memories: readonly (readonly [string, unknown])[] = [
  ['for the first time', undefined],
  [
    'where somebody was before',
    {
      version: 1,
      screen: 'review',
      selected: 'r1.t1',
      isZoomed: true,
      settings: {keys: {quit: 'x'}},
    },
  ],
];

for (const [name, memory] of memories) {
  test(`before there is a state no key does anything but leave, stop and draw anew, ${name}`, () => {
    const chords = new Set([
      ...keymap.flatMap(({keys}) => keys),
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?:;<>[]/+-'.split(''),
    ]);
    for (const chord of chords) {
      for (const connection of ['connecting', 'lost'] as const) {
        const stage = opened({}, memory);
        if (connection === 'lost')
          happen(stage, {type: 'disconnected', words: 'no daemon answers'});
        const {screen, selected} = stage.model;
        press(stage, chord);
        const allowed = {'ctrl-c': 'quit', 'ctrl-z': 'suspend', 'ctrl-l': 'redraw'}[chord];
        assert.deepEqual(
          stage.effects.map(({type}) => type),
          allowed === undefined ? [] : [allowed],
          chord,
        );
        assert.deepEqual(
          [
            stage.wishes,
            stage.model.screen,
            stage.model.selected,
            stage.model.field,
            stage.model.asking,
            stage.model.mode,
          ],
          [[], screen, selected, undefined, undefined, 'command'],
          chord,
        );
        assert.equal(stage.model.notice !== undefined, allowed === undefined, chord);
      }
    }
  });
}

test('what is pasted or clicked then does nothing either, and it is said', () => {
  const click: UiEvent = {
    type: 'mouse-used',
    mouse: {
      action: 'press',
      button: 'left',
      row: 29,
      column: 2,
      ctrl: false,
      alt: false,
      shift: false,
      code: 0,
    },
  };
  for (const event of [{type: 'pasted', text: 'q\rA'}, click] as const) {
    const stage = opened();
    happen(stage, event);
    assert.deepEqual([stage.wishes, stage.effects, stage.model.field], [[], [], undefined]);
    assert.match(
      stage.model.notice?.words ?? '',
      /did nothing: the daemon was still being looked for/,
    );
  }
});

test('the last line names the key that leaves; with the first state keys are commands, and where nothing was asked for yet they write', () => {
  const stage = opened();
  assert.match(
    draw(stage.model, stage.state, stage.now),
    /looking for the daemon …[^]*Ctrl-c leave/,
  );
  happen(stage, {type: 'connected'});
  assert.equal(stage.model.field?.for.what, 'objective');
  press(stage, 'q', 'A');
  assert.equal(stage.model.field.text, 'qA');
  assert.equal(stage.model.notice, undefined);
});

test('a connection that is lost later takes no key away: what is known can still be looked at, and the app left', () => {
  const stage = opened();
  happen(stage, {type: 'connected'});
  press(stage, 'escape');
  happen(stage, {type: 'disconnected', words: 'it is gone'});
  press(stage, '?');
  assert.equal(stage.model.screen, 'help');
  press(stage, 'q');
  assert.deepEqual(
    stage.effects.map(({type}) => type).filter((type) => type === 'quit'),
    ['quit'],
  );
});

test('where there is no repository there is no daemon to wait for', () => {
  const stage = opened({trouble: 'no-git'});
  const action = actionOf(stage.model, keyOf('I'), stage.state);
  assert.ok(action !== undefined);
  assert.match(
    update(stage.model, action, stage.state, stage.now + 10_000).model.asking?.question ?? '',
    /a git repository\?/,
  );
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {emptyState} from '../../../source/domain/index.ts';
import {resolveAction} from '../../../source/app/keymap/resolve.ts';
import {createModel} from '../../../source/app/model/create-model.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';
import {update} from '../../../source/app/model/update.ts';
import type {UiEvent} from '../../../source/app/app-contract.ts';
import {draw} from '../screens/draw.tsx';
import {type Fixture, getKey, happen, press, repository} from '../screens/fixtures.ts';

const size = {columns: 100, rows: 30};

function opened(more: Partial<typeof repository> = {}, uiState?: unknown): Fixture {
  return {
    model: createModel({size, repository: {...repository, ...more}, uiState}),
    state: emptyState,
    now: 1_000_000,
    effects: [],
    commands: [],
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

for (const [name, uiState] of memories) {
  test(`before there is a state no key does anything but leave, stop and draw anew, ${name}`, () => {
    const chords = new Set([
      ...keymap.flatMap(({keys}) => keys),
      ...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?:;<>[]/+-'.split(''),
    ]);
    for (const chord of chords) {
      for (const connection of ['connecting', 'lost'] as const) {
        const fixture = opened({}, uiState);
        if (connection === 'lost')
          happen(fixture, {type: 'disconnected', text: 'no daemon answers'});
        const {screen, selected} = fixture.model;
        press(fixture, chord);
        const allowed = {'ctrl-c': 'quit', 'ctrl-z': 'suspend', 'ctrl-l': 'redraw'}[chord];
        assert.deepEqual(
          fixture.effects.map(({type}) => type),
          allowed === undefined ? [] : [allowed],
          chord,
        );
        assert.deepEqual(
          [
            fixture.commands,
            fixture.model.screen,
            fixture.model.selected,
            fixture.model.field,
            fixture.model.confirmation,
            fixture.model.mode,
          ],
          [[], screen, selected, undefined, undefined, 'command'],
          chord,
        );
        assert.equal(fixture.model.notice !== undefined, allowed === undefined, chord);
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
    const fixture = opened();
    happen(fixture, event);
    assert.deepEqual([fixture.commands, fixture.effects, fixture.model.field], [[], [], undefined]);
    assert.match(
      fixture.model.notice?.text ?? '',
      /did nothing: the app was still connecting to the daemon/,
    );
  }
});

test('the last line names the key that leaves; with the first state keys are commands, and where nothing was asked for yet they write', () => {
  const fixture = opened();
  assert.match(
    draw(fixture.model, fixture.state, fixture.now),
    /looking for the daemon …[^]*Ctrl-c leave/,
  );
  happen(fixture, {type: 'connected'});
  assert.equal(fixture.model.field?.for.what, 'objective');
  press(fixture, 'q', 'A');
  assert.equal(fixture.model.field.text, 'qA');
  assert.equal(fixture.model.notice, undefined);
});

test('a connection that is lost later takes no key away: what is known can still be looked at, and the app left', () => {
  const fixture = opened();
  happen(fixture, {type: 'connected'});
  press(fixture, 'escape');
  happen(fixture, {type: 'disconnected', text: 'it is gone'});
  press(fixture, '?');
  assert.equal(fixture.model.help?.at, 'place');
  press(fixture, 'q');
  assert.deepEqual(
    fixture.effects.map(({type}) => type).filter((type) => type === 'quit'),
    ['quit'],
  );
});

test('where there is no repository there is no daemon to wait for', () => {
  const fixture = opened({trouble: 'no-git'});
  const action = resolveAction(fixture.model, getKey('I'), fixture.state);
  assert.ok(action !== undefined);
  assert.match(
    update(fixture.model, action, fixture.state, fixture.now + 10_000).model.confirmation
      ?.question ?? '',
    /a git repository\?/,
  );
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatChord, toChord} from '../../../source/app/keymap/chord.ts';
import {actionNames} from '../../../source/app/keymap/action-name.ts';
import {contextLabels} from '../../../source/app/keymap/binding.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';
import {getKey} from '../screens/fixtures.ts';

test('a key means one thing in each context', () => {
  const keys = keymap.flatMap(({in: context, keys: own}) => own.map((key) => `${context} ${key}`));
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test('every action has a key, and every context a name', () => {
  assert.deepEqual(
    actionNames.filter((actionName) => !keymap.some(({action}) => action === actionName)),
    [],
  );
  assert.deepEqual(
    [...new Set(keymap.map(({in: context}) => context))].filter(
      (context) => !Object.hasOwn(contextLabels, context),
    ),
    [],
  );
});

test('what approves, ends or gives up is a capital letter', () => {
  for (const {keys, isGuarded} of keymap)
    if (isGuarded === true)
      assert.ok(
        keys.every((key) => /^[A-Z]$/.test(key)),
        keys.join(' '),
      );
});

test('keys that cannot be undone wait a moment when the screen changed', () => {
  const deciding = new Set([
    'approve',
    'accept',
    'discard',
    'stop',
    'take-over',
    'hand-back',
    'resume',
    'stop-service',
    'restart-service',
    'start-service',
    'more-budget',
    'confirm',
    'prepare-repository',
  ]);
  assert.deepEqual(
    keymap.filter(({action, isGuarded}) => deciding.has(action) && isGuarded !== true),
    [],
  );
});

test('keys are written as the input gives them, and read as people say them', () => {
  for (const chord of new Set(keymap.flatMap(({keys}) => keys)))
    assert.equal(toChord(getKey(chord)), chord);
  assert.deepEqual(['ctrl-]', 'shift-tab', 'alt-left', 'page-up', 'A', ':'].map(formatChord), [
    'Ctrl-]',
    'Shift-Tab',
    'Alt-←',
    'PgUp',
    'A',
    ':',
  ]);
});

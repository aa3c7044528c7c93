import assert from 'node:assert/strict';
import {test} from 'node:test';
import {chordInWords, chordOf} from '../../../source/tui/model/chord.ts';
import {deeds} from '../../../source/tui/model/deed.ts';
import {contextWords, keymap} from '../../../source/tui/model/keymap.ts';
import {keyOf} from '../screens/scenes.ts';

test('a key means one thing in each context', () => {
  const keys = keymap.flatMap(({in: context, keys: own}) => own.map((key) => `${context} ${key}`));
  assert.deepEqual(
    keys.filter((key, index) => keys.indexOf(key) !== index),
    [],
  );
});

test('every deed has a key, and every context a name', () => {
  assert.deepEqual(
    deeds.filter((deed) => !keymap.some(({does}) => does === deed)),
    [],
  );
  assert.deepEqual(
    [...new Set(keymap.map(({in: context}) => context))].filter(
      (context) => !Object.hasOwn(contextWords, context),
    ),
    [],
  );
});

test('what approves, ends or gives up is a capital letter, or the yes to a question', () => {
  for (const {keys, isGraced, in: context} of keymap)
    if (isGraced === true)
      assert.ok(
        keys.every((key) => /^[A-Z]$/.test(key) || (context === 'confirm' && key === 'y')),
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
    keymap.filter(({does, isGraced}) => deciding.has(does) && isGraced !== true),
    [],
  );
});

test('keys are written as the input gives them, and read as people say them', () => {
  for (const chord of new Set(keymap.flatMap(({keys}) => keys)))
    assert.equal(chordOf(keyOf(chord)), chord);
  assert.deepEqual(['ctrl-]', 'shift-tab', 'alt-left', 'page-up', 'A', ':'].map(chordInWords), [
    'Ctrl-]',
    'Shift-Tab',
    'Alt-←',
    'PgUp',
    'A',
    ':',
  ]);
});

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {boundBy, keyNames} from '../../../source/tui/model/key-names.ts';
import {keymap} from '../../../source/tui/model/keymap.ts';

test('no name of a key that was ever promised has vanished; new ones are added to the list', () => {
  const promised = readFileSync(path.join(import.meta.dirname, 'fixtures', 'key-names.txt'), 'utf8')
    .trim()
    .split('\n');
  assert.deepEqual(
    {
      vanished: promised.filter((name) => !keyNames().includes(name)),
      unlisted: keyNames().filter((name) => !promised.includes(name)),
    },
    {vanished: [], unlisted: []},
  );
});

test('every binding has a name, but those that stay as they are and the one with a setting of its own', () => {
  const named = new Set(keyNames().flatMap(boundBy));
  assert.deepEqual(
    keymap
      .filter((binding) => !named.has(binding))
      .map(({in: context, does}) => `${context} ${does}`),
    ['workers numbered-pane', 'need-question option', 'typing stop-typing', 'pressing keep-key'],
  );
});

test('a deed is no context, so that a name means one thing', () => {
  const contexts = new Set<string>(keymap.map(({in: context}) => context));
  assert.deepEqual(
    keyNames().filter(
      (name) =>
        name.split('.').length > 2 ||
        (name.includes('.') && !contexts.has(name.split('.', 1)[0] ?? '')),
    ),
    [],
  );
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {bindingNames, findBindings} from '../../../source/app/keymap/parse.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';

test('no name of a key that was ever promised has vanished; new ones are added to the list', () => {
  const promised = readFileSync(
    path.join(import.meta.dirname, 'fixtures', 'binding-names.txt'),
    'utf8',
  )
    .trim()
    .split('\n');
  assert.deepEqual(
    {
      vanished: promised.filter((name) => !bindingNames().includes(name)),
      unlisted: bindingNames().filter((name) => !promised.includes(name)),
    },
    {vanished: [], unlisted: []},
  );
});

test('every binding has a name, but those that stay as they are and the one with a setting of its own', () => {
  const named = new Set(bindingNames().flatMap(findBindings));
  assert.deepEqual(
    keymap
      .filter((binding) => !named.has(binding))
      .map(({in: context, action}) => `${context} ${action}`),
    [
      'workers numbered-pane',
      'ways choose-way',
      'need-question option',
      'typing stop-typing',
      'pressing keep-key',
    ],
  );
});

test('an action is no context, so that a name means one thing', () => {
  const contexts = new Set<string>(keymap.map(({in: context}) => context));
  assert.deepEqual(
    bindingNames().filter(
      (name) =>
        name.split('.').length > 2 ||
        (name.includes('.') && !contexts.has(name.split('.', 1)[0] ?? '')),
    ),
    [],
  );
});

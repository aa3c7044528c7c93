import assert from 'node:assert/strict';
import {test} from 'node:test';
import {KeyDialog} from '../../../source/app/components/KeyDialog.tsx';
import {assertSafe, hostile, targetsOf, textOf} from './render.tsx';
import {atStart} from './app-fixtures.ts';

const inWindow = {columns: 80, rows: 24} as const;

test('names the binding, its key now, and the way out', () => {
  const text = textOf(<KeyDialog rebinding={{name: 'workers.zoom'}} />, {
    fixture: atStart(inWindow),
    ...inWindow,
  });
  assert.match(text, /Press the new key/);
  assert.match(text, /zoom/);
  assert.match(text, /now z/);
  assert.match(text, /leave it as it is/);
});

test('says why the last key cannot be it', () => {
  const rebinding = {name: 'workers.zoom', rejected: 'j already moves down here.'};
  assert.match(
    textOf(<KeyDialog rebinding={rebinding} />, {fixture: atStart(inWindow), ...inWindow}),
    /! j already moves down here\./,
  );
});

test('a click leaves the key as it is', () => {
  const targets = targetsOf(<KeyDialog rebinding={{name: 'workers.zoom'}} />, {
    fixture: atStart(inWindow),
  });
  assert.ok(targets.some((one) => one.type === 'action' && one.action === 'keep-key'));
});

test('is safe with a name that is no binding', () => {
  assertSafe(<KeyDialog rebinding={{name: hostile, rejected: hostile}} />, {
    fixture: atStart(inWindow),
    ...inWindow,
  });
});

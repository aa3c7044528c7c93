import assert from 'node:assert/strict';
import {test} from 'node:test';
import {KeyHint} from '../../../source/app/components/KeyHint.tsx';
import {assertMemoized, assertSafe, hostile, rowsOf, targetsOf} from './render.tsx';

test('says the key and what it does', () => {
  assert.deepEqual(rowsOf(<KeyHint keys="A" text="approve" action="approve" />), ['A approve']);
});

test('a click equals pressing its key', () => {
  assert.deepEqual(targetsOf(<KeyHint keys="A" text="approve" action="approve" />), [
    {type: 'action', action: 'approve'},
  ]);
  assert.deepEqual(targetsOf(<KeyHint keys="2" text="no" action="option" chord="2" />), [
    {type: 'action', action: 'option', chord: '2'},
  ]);
});

test('is cut in a narrow place, after its key', () => {
  assert.deepEqual(rowsOf(<KeyHint keys="A" text="approve" action="approve" />, {columns: 6}), [
    'A app…',
  ]);
  assertSafe(<KeyHint keys="A" text={hostile} action="approve" />);
});

test('is not drawn again when its parent is', async () => {
  await assertMemoized(() => <KeyHint keys="A" text="approve" action="approve" />);
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Button} from '../../../source/app/components/Button.tsx';
import {assertSafe, hostile, rowsOf, targetsOf} from './render.tsx';

const button = <Button keys="D" text="discard it" action="confirm" tone="bad" isMain />;

test('shows the key on a field of its own, and the verb', () => {
  assert.deepEqual(rowsOf(button), [' D  discard it']);
});

test('a click equals pressing its key', () => {
  assert.deepEqual(targetsOf(button), [{type: 'action', action: 'confirm'}]);
});

test('is read with its key, and is safe with any verb', () => {
  assert.match(rowsOf(button, {isScreenReader: true}).join(' '), /D +discard it/);
  assertSafe(<Button keys="D" text={hostile} action="confirm" />);
});

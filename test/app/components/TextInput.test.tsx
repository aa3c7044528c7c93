import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {TextInput} from '../../../source/app/components/TextInput.tsx';
import {assertShown} from '../../support/shown.ts';
import {assertSafe, evil, hostile, rowsOf, show} from './render.tsx';

describe('TextInput', () => {
  const field = (text: string, cursor = text.length) => ({text, cursor});

  test('shows what is written; too long, the end before the cursor', () => {
    assert.deepEqual(rowsOf(<TextInput field={field('hello')} />), ['hello']);
    const [row] = rowsOf(<TextInput field={field(`${'long '.repeat(20)}end`)} />, {columns: 20});
    assert.match(row ?? '', /^….*end$/);
  });

  test('hides a secret, and makes what was pasted safe', () => {
    assert.deepEqual(rowsOf(<TextInput field={field('pass')} isSecret />), ['••••']);
    assertShown(rowsOf(<TextInput field={field(evil)} />).join(''));
  });

  test('has the cursor of the terminal between what is before and behind it', () => {
    const shown = show(<TextInput field={field('hello', 2)} />);
    assert.deepEqual(shown.regions(), [{kind: 'caret'}]);
    assert.deepEqual(shown.rows(), ['hello']);
    shown.close();
  });

  test('stays one row with whatever was pasted', () => {
    assertSafe(<TextInput field={field(hostile)} />);
    assertSafe(<TextInput field={field(hostile, 0)} />);
    assert.equal(rowsOf(<TextInput field={field('one\ntwo')} />).length, 1);
  });
});

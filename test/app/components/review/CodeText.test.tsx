import assert from 'node:assert/strict';
import {test} from 'node:test';
import {CodeText} from '../../../../source/app/components/review/CodeText.tsx';
import {assertFits, assertMemoized, assertSafe, hostile, rowsOf} from '../render.tsx';
import {lineOf} from './lines.ts';

const code = (line: string, isWhole = false, change: object = {}) => (
  <CodeText line={{...lineOf(line), ...change}} colours={undefined} isWhole={isWhole} />
);
const long = 'x'.repeat(90);

test('what changed is never cut; what did not is, unless the cursor is there', () => {
  assert.equal(rowsOf(code(`+${long}`), {columns: 40}).join('').length, 90);
  assert.equal(rowsOf(code(`-${long}`), {columns: 40}).length, 3);
  assert.match(rowsOf(code(` ${long}`), {columns: 40})[0] ?? '', /^x{39}…$/);
  assert.equal(rowsOf(code(` ${long}`, true), {columns: 40}).join('').length, 90);
});

test('keeps blanks, and shows tabs as such', () => {
  assert.deepEqual(rowsOf(code('+    indented  twice'), {columns: 40}), ['    indented  twice']);
});

test('says what is left out, and that there is no newline', () => {
  const text = rowsOf(code('+abc', false, {omitted: 12_000, hasNoNewline: true}), {columns: 80});
  assert.equal(text[0], 'abc … and 12,000 characters more  no newline at the end');
});

test('code is foreign', () => {
  assertSafe(code(`+${hostile.replaceAll(/[\r\n]/g, '')}`), {columns: 60});
  assertFits(code(`+${hostile.replaceAll(/[\r\n]/g, '')} 数🚀`));
});

test('is not drawn again when its parent is', async () => {
  const line = lineOf('+abc');
  await assertMemoized(() => <CodeText line={line} colours={undefined} isWhole={false} />);
});

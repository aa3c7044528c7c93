import assert from 'node:assert/strict';
import {test} from 'node:test';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {ScreenTitle} from '../../../source/app/components/ScreenTitle.tsx';
import {assertSafe, hostile, rowsOf} from './render.tsx';

test('has the name, what it is about, and a fact on the right, above a blank row', () => {
  const [row, blank] = rowsOf(
    <ScreenTitle title="Notes" about='about "token"'>
      <SafeText>2 notes</SafeText>
    </ScreenTitle>,
  );
  assert.match(row ?? '', /^ Notes {2}about "token" +2 notes$/);
  assert.equal(blank, '');
});

test('cuts what it is about, never the fact', () => {
  const title = (
    <ScreenTitle title="Notes" about={`about ${hostile}`}>
      <SafeText>2 notes</SafeText>
    </ScreenTitle>
  );
  assertSafe(title);
  assert.match(rowsOf(title)[0] ?? '', /….* 2 notes$/);
});

test('can be a name alone', () => {
  assert.equal(rowsOf(<ScreenTitle title="Services" />)[0]?.trim(), 'Services');
});

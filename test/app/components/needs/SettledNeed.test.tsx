import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  NothingNeedsYou,
  SettledNeed,
} from '../../../../source/app/components/needs/SettledNeed.tsx';
import {selectNeeds} from '../../../../source/domain/index.ts';
import {aBell, aNotice, aSecond, atNeed, atStart, firstTitle} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  rendersAfter,
  replaceText,
  rowsOf,
  withKey,
} from '../render.tsx';

const need = selectNeeds(atNeed('asked').state)[0]!;
const settled = <SettledNeed need={need} />;

test('says that it is over, and the key that leads back', () => {
  const text = rowsOf(settled, {fixture: atStart(), columns: 90}).join('\n');
  assert.match(text, /✓ Settled by itself\.\n\nNothing else needs you\. \S+ leads back\.$/);
});

test('says that the same needs the person again, and the key to the next', () => {
  const fixture = withKey(atNeed('asked'), 'next-need', 'f6');
  const text = rowsOf(settled, {fixture, columns: 90}).join('\n');
  assert.match(text, /▲ This is over, but it needs you again:/);
  assert.match(text, /F6 next need$/);
});

test('nothing needs you: where it would stand, and its key', () => {
  const fixture = withKey(atStart(), 'next-need', 'f6');
  assert.match(
    rowsOf(<NothingNeedsYou />, {fixture, columns: 60}).join(' '),
    /Nothing needs you\..*F6 +leads to it/,
  );
  assertFits(<NothingNeedsYou />);
});

test('its words are foreign', () => {
  const fixture = atNeed('asked');
  const foreign = {...fixture, state: replaceText(fixture.state, firstTitle, hostile)};
  assertSafe(settled, {fixture: foreign, columns: 70});
  assertFits(settled, {fixture: foreign, rows: 60});
  assertAscii(settled, {fixture: atStart()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(settled, change, {fixture: atNeed('asked')}), 0);
  });

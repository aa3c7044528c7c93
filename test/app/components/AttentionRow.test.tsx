import assert from 'node:assert/strict';
import {test} from 'node:test';
import {AttentionRow} from '../../../source/app/components/AttentionRow.tsx';
import {happen, press} from '../screens/fixtures.ts';
import {assertSafe, rendersAfter, rowsOf, show, withText} from './render.tsx';
import {aBell, aNotice, aSecond, atStart, atWork, inStory} from './app-fixtures.ts';

test('names what needs the person, since when, and the key that leads there', () => {
  const shown = show(<AttentionRow />, {fixture: inStory(), columns: 120});
  assert.match(shown.rows()[0] ?? '', /2 need you {3}Say when a token is refreshed .*n \w+/);
  assert.deepEqual(shown.targets(), [{type: 'action', action: 'next-need'}]);
  shown.close();
});

test('says that nothing runs, and how to begin', () => {
  const shown = show(<AttentionRow />, {fixture: atStart(), columns: 120});
  assert.match(shown.rows()[0] ?? '', /nothing runs .* new objective/);
  assert.deepEqual(shown.targets(), [{type: 'action', action: 'new-objective'}]);
  shown.close();
});

test('says that the daemon is away, and that agents go on', () => {
  const fixture = atWork();
  happen(fixture, {type: 'disconnected', words: 'gone'} as never);
  fixture.model = {...fixture.model, connection: {at: 'lost', text: 'gone'}};
  assert.match(
    rowsOf(<AttentionRow />, {fixture, columns: 120})[0] ?? '',
    /reconnecting … +agents go on working +last seen \d\d:\d\d/,
  );
});

test('has no key for the need that is on the screen already', () => {
  const fixture = inStory();
  press(fixture, 'n');
  const shown = show(<AttentionRow />, {fixture, columns: 120});
  assert.deepEqual(shown.targets(), []);
  shown.close();
});

test('is one row of any text', () => {
  const fixture = withText(inStory(), 'Say when a token is refreshed');
  assertSafe(<AttentionRow />, {fixture, columns: 80});
  assert.equal(rowsOf(<AttentionRow />, {fixture, columns: 80}).length, 1);
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(
      await rendersAfter(<AttentionRow />, change, {fixture: atWork(), columns: 120}),
      0,
    );
  });

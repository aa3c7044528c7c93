import assert from 'node:assert/strict';
import {test} from 'node:test';
import {RowCard} from '../../../source/app/components/RowCard.tsx';
import type {Fixture} from '../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atNeed, atStart, inStory} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintText,
  rendersAfter,
  show,
  withKey,
  withText,
} from './render.tsx';

function chosen(selected: string, fixture: Fixture = inStory()): Fixture {
  fixture.model = {...fixture.model, selected};
  return fixture;
}

const textOf = (fixture: Fixture): string =>
  paintText(<RowCard />, {fixture, columns: 90, rows: 40});

test('a task: what it is, its files, what it waits for, its tries', () => {
  const text = textOf(chosen('r1.t4'));
  assert.match(text, /^\n {2}Release\n {2}○ after 3/);
  assert.match(text, /files +src\/t4\.ts/);
  assert.match(text, /after +3/);
  assert.match(text, /tries +0 of 2/);
});

test('a run: who works on it, and every task', () => {
  const text = textOf(chosen('r1'));
  assert.match(text, /asked +(?:<1|\d+) (?:min|h|d) ago/);
  assert.match(text, /agents +\S+ works/);
  assert.match(text, /1 ✓ Share the refresh in flight +merged/);
  assert.doesNotMatch(text, /just now/);
});

test('a service: its command', () => {
  const text = textOf(chosen('service/search-index', atNeed('service')));
  assert.match(text, /search-index, port 9200/);
  assert.match(text, /command +docker compose/);
});

test('nothing: how to begin, with the keys that are bound', () => {
  const fixture = withKey(atStart(), 'new-objective', 'f2');
  const shown = show(<RowCard />, {fixture, columns: 80});
  assert.match(shown.text(), /Nothing runs here\.[^]*F2 say what should be different/);
  assert.deepEqual(shown.targets()[0], {type: 'action', action: 'new-objective'});
  shown.close();
});

test('not connected: that agents go on', () => {
  const fixture = atStart();
  fixture.model = {...fixture.model, connection: {at: 'lost', text: 'No socket.'}};
  assert.match(textOf(fixture), /Not connected\n\n {2}No socket\.\n\n {2}Reconnecting …/);
});

test('why it could not be accepted ends with a sign where it is cut', () => {
  const fixture = chosen('r1', atNeed('accept-refused'));
  assert.match(textOf(fixture), /It could not be accepted: your checkout/);
  const long = withText(fixture, 'your checkout', 'word '.repeat(300));
  const rows = textOf(long).split('\n');
  const first = rows.findIndex((row) => row.includes('It could not be accepted'));
  assert.match(rows[first + 7] ?? '', /word.*…$/);
  assert.doesNotMatch(rows[first + 8] ?? '', /word/);
});

test('titles are foreign, and stay in the box', () => {
  const fixture = chosen('r1.t4', withText(inStory(), 'Release'));
  assertSafe(<RowCard />, {fixture, columns: 60, rows: 40});
  assertFits(<RowCard />, {fixture, rows: 60});
  assertAscii(<RowCard />, {fixture: chosen('r1')});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<RowCard />, change, {fixture: chosen('r1.t4')}), 0);
  });

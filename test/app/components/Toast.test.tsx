import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Toast} from '../../../source/app/components/Toast.tsx';
import {happen} from '../screens/fixtures.ts';
import {aBell, aNotice, aSecond, atNeed, atWork} from './app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  hostile,
  paintRows,
  paintText,
  rendersAfter,
  show,
} from './render.tsx';

const rejected = (text: string) => {
  const fixture = atWork();
  happen(fixture, {type: 'wish-refused', wish: {type: 'resume', what: 'r1'}, text});
  return fixture;
};

test('is at the right above the keys, in a frame', () => {
  const rows = paintRows(<Toast />, {fixture: rejected('No.'), columns: 90, rows: 20});
  assert.match(rows[16] ?? '', /^ +╭─+╮$/);
  assert.match(rows[17] ?? '', /^ +│ .*No\. │$/);
  assert.equal(rows[17]?.length, 89);
  assert.equal(rows[19], '', 'the row of keys stays free');
});

test('is at the top where a decision is below', () => {
  const fixture = atNeed('asked');
  aNotice(fixture);
  assert.match(paintRows(<Toast />, {fixture, columns: 90, rows: 20})[2] ?? '', /╭─+╮/);
});

test('goes by itself', async () => {
  const shown = show(<Toast />, {
    fixture: rejected('No.'),
    columns: 90,
    size: {columns: 90, rows: 20},
    rows: 20,
  });
  assert.match(shown.text(), /No\./);
  await shown.change((fixture) => {
    fixture.now += 60_000;
  });
  assert.equal(shown.text().trim(), '');
  shown.close();
});

test('is nothing without a message', () => {
  assert.equal(paintText(<Toast />, {fixture: atWork(), columns: 90}), '');
});

test('a hostile message stays in its box, at most 64 cells wide', () => {
  assertSafe(<Toast />, {
    fixture: rejected(hostile),
    columns: 90,
    size: {columns: 90, rows: 30},
    rows: 30,
  });
  assertFits(<Toast />, {fixture: rejected(hostile), widths: [40, 60, 100]});
  const rows = paintRows(<Toast />, {fixture: rejected('word '.repeat(60)), columns: 100});
  assert.ok(rows.every((row) => row.trim().length <= 64));
  assertAscii(<Toast />, {fixture: rejected('No.')});
});

for (const [what, change] of Object.entries({aSecond, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<Toast />, change, {fixture: atWork(), columns: 90}), 0);
  });

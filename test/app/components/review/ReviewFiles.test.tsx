import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ReviewFiles} from '../../../../source/app/components/review/ReviewFiles.tsx';
import {press, type} from '../../screens/fixtures.ts';
import {reviewed, toDiff} from '../../screens/review-fixture.ts';
import {aBell, aNotice, aSecond} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  paintText,
  rendersAfter,
  show,
} from '../render.tsx';

test('says how many files are viewed, what is proven, and what is not sent', () => {
  const fixture = reviewed();
  const text = (): string => paintText(<ReviewFiles />, {fixture, columns: 120});
  assert.match(text(), /^ Files {2}0 of 4 viewed +─+/);
  assert.match(text(), /Proven +│?\n ✓ /);
  press(fixture, 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter', 'space');
  assert.match(text(), /1 of 4 viewed/);
  assert.match(text(), /Comments {2}1 not sent +│?\n api\.md:1/);
});

test('keeps its column beside the diff, with a line to its right', () => {
  const rows = paintRows(<ReviewFiles />, {fixture: reviewed(), columns: 120});
  const shown = rows.filter((row) => row !== '');
  assert.deepEqual([...new Set(shown.map((row) => row.lastIndexOf('│')))], [33]);
  assert.ok((rows[0]?.length ?? 0) <= 34);
});

test('a comment is a way to its file', () => {
  const fixture = reviewed();
  press(fixture, 'c');
  type(fixture, 'Why?');
  press(fixture, 'enter');
  const shown = show(<ReviewFiles />, {fixture, columns: 60});
  const files = shown.targets().filter((target) => target.type === 'file');
  assert.ok(files.length > 4, 'four files and a comment');
  shown.close();
});

test('names are foreign', () => {
  const diff = toDiff('src/Foreign\u202E\u009B 数🚀.js', ['+a'], 'new');
  assertSafe(<ReviewFiles />, {fixture: reviewed(undefined, diff), columns: 60});
  assertFits(<ReviewFiles />, {fixture: reviewed(undefined, diff), widths: [60, 100]});
  assertAscii(<ReviewFiles />, {fixture: reviewed()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<ReviewFiles />, change, {fixture: reviewed()}), 0);
  });

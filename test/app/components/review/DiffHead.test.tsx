import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DiffHead} from '../../../../source/app/components/review/DiffHead.tsx';
import {reviewed} from '../../screens/review-fixture.ts';
import {aBell, aNotice, aSecond} from '../app-fixtures.ts';
import {assertFits, assertSafe, hostile, paintRows, rendersAfter} from '../render.tsx';
import {fileOf} from './lines.ts';

const head = (path = 'src/api/checkout.js', changes = 3) => (
  <DiffHead file={fileOf(['+a', '+b', '-c'], path)} change={2} changes={changes} />
);

test('has the path, who changed it, which change, and how many lines', () => {
  const [row = '', second] = paintRows(head(), {fixture: reviewed(), columns: 120});
  assert.match(row, /^ src\/api\/checkout\.js {2}task 1 +change 2 of 3 {3}\+2 -1$/);
  assert.equal(second, '', 'a roomy window has an empty row below');
});

test('alone it says which file it is; without changes it counts none', () => {
  const narrow = reviewed({columns: 80, rows: 24});
  assert.match(paintRows(head(), {fixture: narrow, columns: 80, rows: 24})[0] ?? '', /file 1 of 4/);
  assert.doesNotMatch(
    paintRows(head('src/a.ts', 0), {fixture: reviewed(), columns: 120})[0] ?? '',
    /change/,
  );
});

test('a long path is cut at its beginning', () => {
  const path = `${'deep/'.repeat(60)}end.ts`;
  assert.match(
    paintRows(head(path), {fixture: reviewed(), columns: 100})[0] ?? '',
    /^ ….*deep\/end\.ts/,
  );
});

test('paths are foreign', () => {
  const path = `Foreign${hostile.replaceAll(/[\r\n/"\\\t]/g, '')}`;
  const file = {...fileOf(['+a']), path};
  const element = <DiffHead file={file} change={1} changes={1} />;
  assertSafe(element, {fixture: reviewed(), columns: 90});
  assertFits(element, {fixture: reviewed(), widths: [60, 100]});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(head(), change, {fixture: reviewed(), columns: 90}), 0);
  });

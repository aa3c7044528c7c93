import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FileTree} from '../../../../source/app/components/review/FileTree.tsx';
import {reviewed, toDiff} from '../../screens/review-fixture.ts';
import {aBell, aNotice, aSecond} from '../app-fixtures.ts';
import {
  assertAscii,
  assertFits,
  assertSafe,
  paintRows,
  rendersAfter,
  rowsOf,
  show,
} from '../render.tsx';

test('has files by directory, with task, change and counts in columns', () => {
  const rows = paintRows(<FileTree />, {fixture: reviewed(), columns: 40});
  const text = rows.join('\n');
  assert.match(text, /docs\/\n▌ +A api\.md +3 +\+3/);
  assert.match(text, /src\/api\/\n +M checkout\.js +1 +\+3 +-1/);
  assert.match(text, /src\/lib\/\n.*A backoff\.js +2 +\+1/);
});

test('a click opens a file; a screen reader hears how it changed', () => {
  const shown = show(<FileTree />, {fixture: reviewed(), columns: 40});
  assert.deepEqual(
    shown.targets().map((target) => ('index' in target ? target.index : -1)),
    [0, 1, 2, 3],
  );
  shown.close();
  assert.match(
    rowsOf(<FileTree />, {fixture: reviewed(), isScreenReader: true}).join('\n'),
    /checkout\.js, modified, task 1, 3 added, 1 removed/,
  );
});

test('hundreds of files with endless names stay in the column, and not all are rendered', () => {
  const diff = Array.from({length: 300}, (_, index) =>
    toDiff(`src/${'x'.repeat(90)}${index}.js`, ['+a'], 'new'),
  ).join('');
  const fixture = reviewed(undefined, diff);
  assertFits(<FileTree />, {fixture, rows: 60});
  const shown = show(<FileTree />, {fixture, columns: 40});
  assert.ok(shown.targets().length <= 80, String(shown.targets().length));
  shown.close();
});

test('names are foreign', () => {
  const fixture = reviewed(undefined, toDiff('src/Foreign\u202E\u009B 数🚀.js', ['+a'], 'new'));
  assertSafe(<FileTree />, {fixture});
  assertFits(<FileTree />, {fixture});
  assertAscii(<FileTree />, {fixture: reviewed()});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(await rendersAfter(<FileTree />, change, {fixture: reviewed()}), 0);
  });

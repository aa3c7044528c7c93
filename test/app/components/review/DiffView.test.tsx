import assert from 'node:assert/strict';
import {test} from 'node:test';
import {DiffView} from '../../../../source/app/components/review/DiffView.tsx';
import {press} from '../../screens/fixtures.ts';
import {longDiff, reviewed, toDiff} from '../../screens/review-fixture.ts';
import {aBell, aNotice, aSecond, atStart} from '../app-fixtures.ts';
import {
  assertFits,
  assertSafe,
  evil,
  paintText,
  rendersAfter,
  rowsOf,
  show,
  withKey,
} from '../render.tsx';

const size = {columns: 100, rows: 35};

test('has the head, the lines, and the way to the next file', () => {
  const second = reviewed(size);
  press(second, '}');
  const text = paintText(<DiffView />, {fixture: second, columns: 100});
  assert.match(text, /^ src\/api\/checkout\.js/);
  assert.match(text, /\+ {3}assertNotExpired\(card\);/);
  assert.match(text, /lines as before/);
  const fixture = withKey(reviewed(size), 'next-file', 'f7');
  assert.match(
    paintText(<DiffView />, {fixture, columns: 100}),
    /F7 next file {2}src\/api\/checkout\.js/,
  );
});

test('the cursor walks with the keys', async () => {
  const shown = show(<DiffView />, {fixture: reviewed(size), columns: 96, rows: 33});
  const marked = (): string => shown.rows().find((row) => row.startsWith('▌')) ?? '';
  const before = marked();
  assert.notEqual(before, '');
  await shown.write('j');
  assert.notEqual(marked(), before);
  shown.close();
});

test('of thousands of lines only those near the cursor are rendered', () => {
  const shown = show(<DiffView />, {
    fixture: reviewed(size, longDiff(3000)),
    columns: 96,
    rows: 33,
  });
  assert.ok(shown.targets().length < 200, String(shown.targets().length));
  shown.close();
});

test('is nothing without a diff', () => {
  assert.equal(
    rowsOf(<DiffView />, {fixture: atStart()})
      .join('')
      .trim(),
    '',
  );
});

test('code is foreign', () => {
  const line = `Foreign${evil.replaceAll(/[\r\n]/g, '')}${'W'.repeat(300)}`;
  const fixture = reviewed(size, toDiff('src/a.js', [`-${line}`, `+${line}!`]));
  assertSafe(<DiffView />, {fixture, columns: 80, rows: 33});
  assertFits(<DiffView />, {fixture, widths: [60, 100]});
});

for (const [what, change] of Object.entries({aSecond, aNotice, aBell}))
  test(`is not drawn again after ${what}`, async () => {
    assert.equal(
      await rendersAfter(<DiffView />, change, {fixture: reviewed(size), columns: 96}),
      0,
    );
  });

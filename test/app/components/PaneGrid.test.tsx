import assert from 'node:assert/strict';
import {test} from 'node:test';
import {PaneGrid} from '../../../source/app/components/PaneGrid.tsx';
import {press} from '../screens/fixtures.ts';
import {aNotice, aSecond, atStart, atWork} from './app-fixtures.ts';
import {paintRows, paintText, rendersAfter, show} from './render.tsx';

test('has the panes in lines and columns of whole cells, without gaps', () => {
  for (const [columns, rows] of [
    [120, 40],
    [121, 37],
    [160, 45],
  ] as const) {
    const drawn = paintRows(<PaneGrid />, {fixture: atWork({columns, rows}), columns, rows});
    const tops = drawn.filter((row) => /[╭┏]/.test(row));
    const bottoms = drawn.filter((row) => /[╰┗]/.test(row));
    assert.ok(tops.length > 0 && tops.length === bottoms.length, `${columns}×${rows}`);
    assert.ok(drawn.every((row) => row.length <= columns));
  }
});

test('each pane belongs to a task or session, and is clicked', () => {
  const shown = show(<PaneGrid />, {fixture: atWork(), columns: 90, rows: 32});
  assert.deepEqual(
    shown.targets().map((target) => ('key' in target ? target.key : '')),
    ['r1.t1', 'r1.t2', 's4'],
  );
  shown.close();
});

test('fewer panes are chosen with a key', () => {
  const fixture = atWork();
  const count = (): number =>
    paintText(<PaneGrid />, {fixture, columns: 120, rows: 35}).match(/[╭┏]/g)?.length ?? 0;
  const before = count();
  press(fixture, '-');
  assert.ok(before > 1 && count() < before && count() > 0);
});

test('is empty where nothing runs', () => {
  assert.equal(paintText(<PaneGrid />, {fixture: atStart(), columns: 90}), '');
});

for (const [what, change] of Object.entries({aSecond, aNotice}))
  test(`no pane is drawn again after ${what}`, async () => {
    const renders = await rendersAfter(<PaneGrid />, change, {fixture: atWork(), columns: 90});
    assert.ok(renders <= 1, `${renders}: at most the grid itself, whose slots are made anew`);
  });

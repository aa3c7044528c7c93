import assert from 'node:assert/strict';
import {test} from 'node:test';
import {WorkScreen} from '../../../source/app/screens/WorkScreen.tsx';
import {atStart, atWork, firstTitle, inStory} from '../components/app-fixtures.ts';
import {
  assertFits,
  assertSafe,
  paintRows,
  paintText,
  show,
  withText,
} from '../components/render.tsx';
import {press} from './fixtures.ts';

test('has the list on the left and panes beside it, without a gap', () => {
  const rows = paintRows(<WorkScreen />, {fixture: atWork(), columns: 120, rows: 32});
  assert.match(rows[0] ?? '', /^ Stop refreshing tokens twice {5}[╭┏]/);
  assert.ok(rows.some((row) => /^.2 \? .*[│┃╰┗╭┏]/.test(row)));
});

test('zoomed it is the pane alone', () => {
  const fixture = atWork();
  press(fixture, 'z');
  const text = paintText(<WorkScreen />, {fixture, columns: 120, rows: 32});
  assert.equal(text.match(/[╭┏]/g)?.length, 1);
  assert.doesNotMatch(text, /wrk rul chk mrg/);
});

test('a row without a terminal shows its card', () => {
  const fixture = inStory();
  fixture.model = {...fixture.model, selected: 'r1.t4'};
  assert.match(paintText(<WorkScreen />, {fixture, columns: 120, rows: 32}), /tries +0 of 2/);
  assert.match(
    paintText(<WorkScreen />, {fixture: atStart(), columns: 120}),
    /Nothing runs here\./,
  );
});

test('a key walks the list', async () => {
  const shown = show(<WorkScreen />, {fixture: inStory(), columns: 96, rows: 30});
  const before = shown.fixture.model.selected;
  await shown.write('j');
  assert.notEqual(shown.fixture.model.selected, before);
  shown.close();
});

test('titles are foreign, and stay in the window', () => {
  const fixture = withText(atWork(), firstTitle);
  assertSafe(<WorkScreen />, {fixture, columns: 96, rows: 30, size: {columns: 96, rows: 32}});
  assertFits(<WorkScreen />, {fixture, widths: [60, 80, 100, 160]});
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'ink';
import {render} from 'ink-testing-library';
import {createElement} from 'react';
import {line, span, textOfLine} from '../../../source/app/model/line.ts';
import {computeLayout} from '../../../source/app/model/compute-layout.ts';
import {inverseBit} from '../../../source/app/render/frame.ts';
import {createHighlight, detectLanguage} from '../../../source/app/screens/highlight.ts';
import {Lines} from '../../../source/app/screens/lines.tsx';
import {renderChrome} from '../../../source/app/screens/render-chrome.ts';
import {getTheme, resolveThemeName} from '../../../source/app/screens/theme.ts';
import {cellsOfText, toStyle} from '../../../source/terminal/index.ts';
import {type Fixture, open, planned, press} from './fixtures.ts';
import {tokenStory} from '../../reports/runs/token-story.ts';

test('rows are drawn as they are, each on its own line', () => {
  const {lastFrame} = render(
    createElement(Lines, {
      lines: [line('one', 'bad'), [], [span('two '), span('three', 'strong')]],
      theme: getTheme('none'),
    }),
  );
  assert.equal(lastFrame()?.replaceAll(/\u001B\[[\d;]*m/g, ''), 'one\n\ntwo three');
});

test('without colours the cursor and the bar still stand out', () => {
  const text = renderToString(
    createElement(Lines, {
      lines: [line('bar', 'bar'), line('under', 'cursor'), line('plain')],
      theme: getTheme('none'),
    }),
  );
  const cells = cellsOfText(text, {columns: 10, rows: 3});
  assert.deepEqual(
    [0, 10, 20].map((index) => (toStyle(cells, index).foreground & inverseBit) !== 0),
    [true, true, false],
  );
});

test('the theme is what the person chose, what the terminal says, or dark; NO_COLOR wins', () => {
  assert.deepEqual(
    [
      resolveThemeName('auto', {}),
      resolveThemeName('auto', {COLORFGBG: '0;15'}),
      resolveThemeName('auto', {COLORFGBG: '15;0'}),
      resolveThemeName('light', {}),
      resolveThemeName('dark', {NO_COLOR: '1'}),
      resolveThemeName('dark', {NO_COLOR: ''}),
    ],
    ['dark', 'light', 'dark', 'light', 'none', 'dark'],
  );
});

test('code is coloured line by line, and says what it said', () => {
  const highlight = createHighlight();
  const lines = [
    '/* a',
    'comment */ const x = "text"; // end',
    '',
    'export function f(): number { return 1; }',
  ];
  const coloured = highlight(lines, 'src/x.ts');
  assert.deepEqual(coloured.map(textOfLine), lines);
  assert.deepEqual(coloured[0], [{text: '/* a', tone: 'comment'}]);
  assert.ok(coloured[1]?.some(({text, tone}) => text === '"text"' && tone === 'string'));
  assert.ok(coloured[3]?.some(({text, tone}) => text === 'export' && tone === 'keyword'));
  assert.deepEqual(highlight(['<b>'], 'notes.unknown'), [[{text: '<b>', tone: 'plain'}]]);
  assert.deepEqual(['a/b.test.tsx', 'Makefile', 'x.PY', 'README'].map(detectLanguage), [
    'typescript',
    'bash',
    'python',
    undefined,
  ]);
});

test('code of a megabyte is shown without colours rather than late', () => {
  const [row] = createHighlight()(['x'.repeat(1_000_000)], 'a.ts');
  assert.deepEqual(
    row?.map(({tone}) => tone),
    ['plain'],
  );
});

test('a screen reader hears the tasks one after the other, and which one is chosen; typing shows the pane alone', () => {
  const {harness, now} = tokenStory();
  const fixture = open(harness.state, now);
  fixture.model = {...fixture.model, isScreenReader: true};
  press(fixture, 'enter');
  assert.deepEqual(received(fixture).slice(1, 4), [
    '1 of 6: run r1 Stop refreshing tokens twice: at work, 1 of 4 tasks merged',
    '2 of 6: task t1 Share the refresh in flight: merged',
    '3 of 6: task t2 Say when a token is refreshed: stopped: TEST_FAILURE: docs.test…',
  ]);
  assert.equal(
    received(fixture)[4],
    '4 of 6, chosen: task t3 Count refreshes: asks: Overwrite src/metrics.js? [y/N]',
  );
  assert.doesNotMatch(received(fixture).join(''), /[│─┌▸]/);
  press(fixture, 'i');
  assert.deepEqual(
    computeLayout(fixture.model.size, fixture.model, fixture.state).panes.map(
      ({frame}) => frame.columns,
    ),
    [80],
  );
});

test('a screen reader hears a plan, and what is asked, without frames', () => {
  const harness = planned();
  const fixture = open(harness.state, harness.time, {columns: 160, rows: 60});
  fixture.model = {...fixture.model, isScreenReader: true};
  press(fixture, 'enter', 'p');
  assert.doesNotMatch(received(fixture).join(''), /[│─┌]/);
  assert.ok(received(fixture).some((row) => row.includes('Rules, the first outranks the rest')));
  press(fixture, ':');
  assert.doesNotMatch(received(fixture).join(''), /[│┌]/);
});

function received({model, state, now}: Fixture): string[] {
  return renderChrome({model, state, size: model.size, now}).flatMap(({lines}) =>
    lines.map((row) => textOfLine(row).trim()),
  );
}

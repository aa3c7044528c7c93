import assert from 'node:assert/strict';
import {test} from 'node:test';
import {renderToString} from 'ink';
import {render} from 'ink-testing-library';
import {createElement} from 'react';
import {line, span, textOfLine} from '../../../source/tui/model/line.ts';
import {plotOf} from '../../../source/tui/model/plot-of.ts';
import {inverseBit} from '../../../source/tui/render/frame.ts';
import {createHighlight, languageOf} from '../../../source/tui/screens/highlight.ts';
import {Lines} from '../../../source/tui/screens/lines.tsx';
import {chromeOf} from '../../../source/tui/screens/chrome-of.ts';
import {themeNameOf, themeOf} from '../../../source/tui/screens/theme.ts';
import {cellsOfText, styleOf} from '../../../source/terminal/index.ts';
import {open, planned, press, tokenStory, type Stage} from './scenes.ts';

test('rows are drawn as they are, each on its own line', () => {
  const {lastFrame} = render(
    createElement(Lines, {
      lines: [line('one', 'bad'), [], [span('two '), span('three', 'strong')]],
      theme: themeOf('none'),
    }),
  );
  assert.equal(lastFrame()?.replaceAll(/\u001B\[[\d;]*m/g, ''), 'one\n\ntwo three');
});

test('without colours the cursor and the bar still stand out', () => {
  const text = renderToString(
    createElement(Lines, {
      lines: [line('bar', 'bar'), line('under', 'cursor'), line('plain')],
      theme: themeOf('none'),
    }),
  );
  const cells = cellsOfText(text, {columns: 10, rows: 3});
  assert.deepEqual(
    [0, 10, 20].map((index) => (styleOf(cells, index).foreground & inverseBit) !== 0),
    [true, true, false],
  );
});

test('the theme is what the person chose, what the terminal says, or dark; NO_COLOR wins', () => {
  assert.deepEqual(
    [
      themeNameOf('auto', {}),
      themeNameOf('auto', {COLORFGBG: '0;15'}),
      themeNameOf('auto', {COLORFGBG: '15;0'}),
      themeNameOf('light', {}),
      themeNameOf('dark', {NO_COLOR: '1'}),
      themeNameOf('dark', {NO_COLOR: ''}),
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
  assert.deepEqual(['a/b.test.tsx', 'Makefile', 'x.PY', 'README'].map(languageOf), [
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
  const {house, now} = tokenStory();
  const stage = open(house.state, now);
  stage.model = {...stage.model, isReader: true};
  press(stage, 'enter');
  assert.deepEqual(heard(stage).slice(1, 4), [
    '1 of 6: run r1 Stop refreshing tokens twice: at work, 1 of 4 tasks merged',
    '2 of 6: task t1 Share the refresh in flight: merged',
    '3 of 6: task t2 Say when a token is refreshed: stopped: TEST_FAILURE: docs.test…',
  ]);
  assert.equal(
    heard(stage)[4],
    '4 of 6, chosen: task t3 Count refreshes: asks: Overwrite src/metrics.js? [y/N]',
  );
  assert.doesNotMatch(heard(stage).join(''), /[│─┌▸]/);
  press(stage, 'i');
  assert.deepEqual(
    plotOf(stage.model.size, stage.model, stage.state).panes.map(({frame}) => frame.columns),
    [80],
  );
});

test('a screen reader hears a plan, and what is asked, without frames', () => {
  const house = planned();
  const stage = open(house.state, house.time, {columns: 160, rows: 60});
  stage.model = {...stage.model, isReader: true};
  press(stage, 'enter', 'p');
  assert.doesNotMatch(heard(stage).join(''), /[│─┌]/);
  assert.ok(heard(stage).some((row) => row.includes('Rules, the first outranks the rest')));
  press(stage, ':');
  assert.doesNotMatch(heard(stage).join(''), /[│┌]/);
});

function heard({model, state, now}: Stage): string[] {
  return chromeOf({model, state, size: model.size, now}).flatMap(({lines}) =>
    lines.map((row) => textOfLine(row).trim()),
  );
}

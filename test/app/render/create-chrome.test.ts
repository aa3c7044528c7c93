import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box, Text} from 'ink';
import {type ReactElement, createElement} from 'react';
import {type Cells, rowText} from '../../../source/terminal/index.ts';
import {chromeFrame} from '../../../source/app/render/chrome-frame.tsx';
import {createChrome} from '../../../source/app/render/create-chrome.ts';
import type {Part} from '../../../source/app/app-contract.ts';

function toText(cells: Cells): string[] {
  return Array.from({length: cells.rows}, (_, row) => rowText(cells, row));
}

function text(content: string): ReactElement {
  return createElement(Text, {}, content);
}

test('what Ink lays out becomes cells of exactly the size', () => {
  const cells = chromeFrame(
    createElement(Box, {borderStyle: 'round', width: 10, height: 3}, text('日本 ok')),
    {columns: 10, rows: 4},
  );
  assert.deepEqual(toText(cells), ['╭────────╮', '│日本 ok │', '╰────────╯', '']);
});

test('what is too large is cut, and moves nothing', () => {
  const cells = chromeFrame(
    Array.from({length: 9}, (_, row) =>
      createElement(Text, {key: row, wrap: 'truncate'}, `${row} ${'x'.repeat(30)}`),
    ),
    {columns: 8, rows: 3},
  );
  assert.deepEqual(
    toText(cells).map((line) => line.slice(0, 3)),
    ['0 x', '1 x', '2 x'],
  );
  assert.deepEqual([cells.columns, cells.rows], [8, 3]);
});

test('text in the chrome cannot act on the terminal, nor on what is drawn next', () => {
  const hostile = 'a\u001B]52;c;QQ==\u0007b\u001B[2J\u001B[5;5Hc\u001B(0q\u009B31md\u0005';
  const size = {columns: 20, rows: 2};
  const first = toText(chromeFrame(text(hostile), size)).join('');
  assert.doesNotMatch(first, /QQ|[\u0000-\u001F\u0080-\u009F]/);
  assert.deepEqual(toText(chromeFrame(text('qqq'), size)), ['qqq', '']);
});

test('a part is drawn anew only if its size or what it shows changed', () => {
  const chrome = createChrome();
  const drawn: string[] = [];
  const part = (name: string, of: readonly unknown[], columns = 10): Part => ({
    name,
    of,
    rect: {row: name === 'top' ? 0 : 1, column: 0, columns, rows: 1},
    draw: () => {
      drawn.push(name);
      return text(String(of[0]));
    },
  });
  const size = {columns: 12, rows: 2};
  chrome.draw([part('top', ['a']), part('list', [1])], size);
  const {below} = chrome.draw([part('top', ['a']), part('list', [2])], size);
  assert.deepEqual(
    [drawn, toText(below.cells)],
    [
      ['top', 'list', 'list'],
      ['a', '2'],
    ],
  );
  assert.equal(chrome.draw([part('top', ['a']), part('list', [2])], size).below.cells, below.cells);
  chrome.draw([part('top', ['a'], 8)], size);
  assert.deepEqual(drawn, ['top', 'list', 'list', 'top']);
});

test('a part that is over the panes is a layer of its own', () => {
  const chrome = createChrome();
  const {below, over} = chrome.draw(
    [
      {
        name: 'palette',
        of: [],
        rect: {row: 0, column: 2, columns: 6, rows: 1},
        isOver: true,
        draw: () => text(': go'),
      },
    ],
    {columns: 12, rows: 1},
  );
  assert.deepEqual(
    [toText(below.cells), over.map(({cells, rect}) => [toText(cells), rect.column])],
    [[''], [[[': go'], 2]]],
  );
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {Box, Text} from 'ink';
import type {ReactElement} from 'react';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import type {Painted} from '../../../source/app/ink/create-tree-painter.ts';
import {
  Caret,
  Clickable,
  Cover,
  Inverse,
  Item,
  Pane,
  Scroll,
  Veil,
} from '../../../source/app/ink/regions.tsx';
import {colourBits, inverseBit} from '../../../source/app/render/frame.ts';
import {createStore, StoreContext, useStore} from '../../../source/app/store.tsx';
import {type Cells, cellsOfText, rowText, toStyle} from '../../../source/terminal/index.ts';
import {settle} from '../support/sources.ts';
import {startSmallApp} from '../support/small-app.tsx';

const size = {columns: 12, rows: 6};

function open(first: ReactElement, cellsOf: () => Cells | undefined = () => undefined) {
  const store = createStore<ReactElement>(first);
  const Root = (): ReactElement => useStore((element: ReactElement) => element);
  const host = createInkHost(
    <StoreContext value={store as never}>
      <Root />
    </StoreContext>,
    {size, cellsOf, isScreenReader: false},
  );
  return {
    ...host,
    async show(element: ReactElement): Promise<Painted> {
      store.set(element);
      // React commits in a microtask.
      await Promise.resolve();
      return host.paint(size);
    },
  };
}

function draw(element: ReactElement, cellsOf?: () => Cells | undefined): Painted {
  const host = open(element, cellsOf);
  const painted = host.paint(size);
  host.close();
  return painted;
}

const texts = ({cells}: Painted): string[] =>
  Array.from({length: size.rows}, (_, row) => rowText(cells, row));

function list(cursor: number, {heading = false, top}: {heading?: boolean; top?: number} = {}) {
  return (
    <Box width={12} height={6} flexDirection="column">
      <Scroll list="plan" {...(top !== undefined && {top})}>
        {heading ? (
          <Box flexShrink={0}>
            <Text>heading</Text>
          </Box>
        ) : null}
        {Array.from({length: 9}, (_, index) => (
          <Item key={index} id={`i${index}`} isCursor={index === cursor}>
            <Text>{`item ${index}`}</Text>
          </Item>
        ))}
      </Scroll>
      <Text>below</Text>
    </Box>
  );
}

describe('a viewport', () => {
  test('shows what was laid out anew while it was out of view', async () => {
    const rows = (cursor: number, gap: number): ReactElement => (
      <Box width={12} height={3} flexDirection="column">
        <Scroll list="plan">
          {Array.from({length: 9}, (_, index) => (
            <Item key={index} id={`i${index}`} isCursor={index === cursor}>
              <Box>
                <Box marginLeft={index === 8 ? gap : 0}>
                  <Text>{`item ${index}`}</Text>
                </Box>
              </Box>
            </Item>
          ))}
        </Scroll>
      </Box>
    );
    const host = open(rows(8, 0));
    host.paint(size);
    await host.show(rows(0, 0));
    await host.show(rows(0, 4));
    await host.show(rows(1, 4));
    const painted = await host.show(rows(8, 4));
    assert.equal(texts(painted)[2], '    item 8');
    host.close();
  });

  test('keeps the cursor in view from frame to frame, and tells what it shows', async () => {
    const host = open(list(0));
    assert.equal(texts(host.paint(size))[0], 'item 0');
    const down = await host.show(list(6));
    assert.deepEqual(texts(down), ['item 2', 'item 3', 'item 4', 'item 5', 'item 6', 'below']);
    assert.deepEqual(down.viewports['plan'], {rows: 5, content: 9, top: 2, items: 5});
    assert.equal(texts(await host.show(list(3)))[0], 'item 2', 'it stays');
    assert.equal(texts(await host.show(list(1)))[0], 'item 1');
    host.close();
  });

  test('shows the heading with the first item', async () => {
    const host = open(list(8, {heading: true}));
    assert.equal(texts(host.paint(size))[4], 'item 8');
    assert.deepEqual(texts(await host.show(list(0, {heading: true}))).slice(0, 2), [
      'heading',
      'item 0',
    ]);
    host.close();
  });

  test('of a text shows it from the row that is said, and no further than its end', () => {
    assert.equal(texts(draw(list(-1, {top: 3})))[0], 'item 3');
    assert.equal(texts(draw(list(-1, {top: 99})))[4], 'item 8');
  });
});

describe('what lies over others:', () => {
  const below = (
    <Box position="absolute" width={12} flexDirection="column">
      {Array.from({length: 6}, (_, row) => (
        <Text key={row}>{row % 2 === 0 ? '日日日日日日' : 'x日日日日日x'}</Text>
      ))}
    </Box>
  );

  test('a cover leaves nothing in its blanks, and no half of a wide character at its edges', () => {
    const painted = draw(
      <Box width={12} height={6}>
        {below}
        <Cover position="absolute" top={1} left={3} width={6} height={2}>
          <Text>hi</Text>
        </Cover>
      </Box>,
    );
    assert.deepEqual(texts(painted).slice(0, 4), [
      '日日日日日日',
      'x日hi    日x',
      '日        日',
      'x日日日日日x',
    ]);
  });

  test('a veil takes the colours of what is before it, and leaves what comes after', () => {
    const colour = (3 << 24) | 0x44_55_66;
    const {cells} = draw(
      <Box width={12} height={6} flexDirection="column">
        <Text color="#ff0000" bold>
          before
        </Text>
        <Veil colour={colour} />
        <Text color="#00ff00">after</Text>
      </Box>,
    );
    assert.equal(toStyle(cells, 0).foreground & colourBits, colour);
    assert.equal(toStyle(cells, 12).foreground & 0xff_ffff, 0x00_ff_00);
  });

  test('an inverse row is inverse to its end, and only while it is on', async () => {
    const row = (isOn: boolean): ReactElement => (
      <Box width={12} height={6}>
        <Inverse isOn={isOn} width={12} height={1}>
          <Text>row</Text>
        </Inverse>
      </Box>
    );
    const host = open(row(true));
    const isInverse = ({cells}: Painted, index: number): boolean =>
      (toStyle(cells, index).foreground & inverseBit) !== 0;
    const on = host.paint(size);
    assert.deepEqual([isInverse(on, 0), isInverse(on, 11), isInverse(on, 12)], [true, true, false]);
    const off = await host.show(row(false));
    assert.deepEqual([isInverse(off, 0), [...off.rows]], [false, [0]]);
    host.close();
  });
});

test('places are those of the last frame, cut to what is in view', () => {
  const {places} = draw(
    <Box width={12} height={6} flexDirection="column">
      <Clickable target={{type: 'outside'}} height={2}>
        <Text>two</Text>
      </Clickable>
      <Box height={1} overflow="hidden">
        <Text>ab</Text>
        <Caret />
      </Box>
      <Pane session="s1" />
    </Box>,
  );
  assert.deepEqual(
    places.map(({region, rect}) => [region.kind, rect]),
    [
      ['target', {row: 0, column: 0, rows: 2, columns: 12}],
      ['caret', {row: 2, column: 2, rows: 1, columns: 0}],
      ['pane', {row: 3, column: 0, rows: 3, columns: 12}],
    ],
  );
});

test('a pane shows the cells of its session, and no more than has room', () => {
  const cells = cellsOfText('one 日本語日本語日本語\ntwo\nthree\nfour', {columns: 30, rows: 4});
  const painted = draw(
    <Box width={12} height={6}>
      <Box borderStyle="single" width={10} height={4}>
        <Pane session="s1" />
      </Box>
    </Box>,
    () => cells,
  );
  assert.deepEqual(texts(painted).slice(0, 4), [
    '┌────────┐',
    '│one 日本│',
    '│two     │',
    '└────────┘',
  ]);
});

test('the children of a pane stand in for it until it has cells', () => {
  const tree = (
    <Box width={12} height={2}>
      <Pane session="s1">
        <Text>no output</Text>
      </Pane>
    </Box>
  );
  assert.equal(texts(draw(tree, () => undefined))[0], 'no output');
  const cells = cellsOfText('ok', {columns: 12, rows: 2});
  assert.equal(texts(draw(tree, () => cells))[0]?.trimEnd(), 'ok');
});

test('output of panes never reaches React, and what looks the same costs no byte', async () => {
  const {device, clock, sources, renders, finished} = await startSmallApp({
    snapshots: {s1: 'quiet'},
  });
  clock.pass(5000);
  await settle();
  const before = renders();
  device.written.length = 0;
  for (let step = 0; step < 20; step++) {
    sources.print('s1', '\r\u001B[Kquiet');
    await settle();
    clock.pass(50);
  }

  assert.deepEqual(device.written, []);
  sources.print('s1', '!');
  await settle();
  clock.pass(50);
  assert.match(device.written.join(''), /!/);
  assert.ok(device.written.join('').length < 60, 'one cell');
  assert.equal(renders(), before);
  device.signal('SIGTERM');
  await finished;
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box, renderToString, Text, Transform} from 'ink';
import type {ReactElement} from 'react';
import {type Cells, cellsOfText, isSameCell, rowText} from '../../../source/terminal/index.ts';
import {createInkHost} from '../../../source/app/ink/create-ink-host.tsx';
import {createStore, StoreContext, useStore} from '../../../source/app/store.tsx';
import {createRandom, type Random} from '../../support/random.ts';

const size = {columns: 60, rows: 20};

/** A tree whose content is replaced, as the app's is: through a store. */
function open() {
  const store = createStore<ReactElement>(<Text>first</Text>);
  const Root = (): ReactElement => useStore((element: ReactElement) => element);
  const host = createInkHost(
    <StoreContext value={store as never}>
      <Root />
    </StoreContext>,
    {size, cellsOf: () => undefined, isScreenReader: false},
  );
  return {
    ...host,
    async show(element: ReactElement): Promise<Cells> {
      store.set(element);
      // React commits in a microtask.
      await Promise.resolve();
      return host.paint(size).cells;
    },
  };
}

const texts = [
  'alpha',
  'beta gamma',
  'a rather long line that has to be wrapped somewhere',
  'x',
  '',
  '│▸✓',
  '日本語',
  'one\ntwo three',
  'kebab-case-that-is-one-word-and-long',
];
const colours = ['red', '#336699', 'ansi256(141)', 'rgb(10, 20, 30)', undefined] as const;
const wraps = ['wrap', 'truncate', 'truncate-start', 'truncate-middle', 'hard'] as const;

function randomText(random: Random, depth: number): ReactElement {
  const hasInner = depth < 2 && random.chance(0.4);
  const color = random.pick(colours);
  const inner = random.pick(colours);
  const text = (
    <Text
      wrap={random.pick(wraps)}
      {...(color !== undefined && {color})}
      inverse={random.chance(0.2)}
    >
      {random.pick(texts)}
      {hasInner ? (
        <Text
          {...(inner !== undefined && {color: inner, backgroundColor: 'blue'})}
          bold={random.chance(0.3)}
          underline={random.chance(0.2)}
        >
          {random.pick(texts)}
        </Text>
      ) : null}
      {hasInner ? random.pick(texts) : null}
    </Text>
  );
  return random.chance(0.1) ? (
    <Transform transform={(line) => line.replaceAll('e', 'o')}>{text}</Transform>
  ) : (
    text
  );
}

function randomBox(random: Random, depth: number): ReactElement {
  const border = random.chance(0.3)
    ? {
        borderStyle: random.pick(['single', 'round', 'bold', 'double'] as const),
        borderColor: random.pick(['red', '#123456']),
        borderTop: random.chance(0.8),
        borderLeft: random.chance(0.8),
        borderRight: random.chance(0.8),
        borderBottom: random.chance(0.8),
      }
    : {};
  return (
    <Box
      flexDirection={random.pick(['row', 'column'])}
      gap={random.below(2)}
      padding={random.below(2)}
      flexShrink={random.below(2)}
      flexGrow={random.below(2)}
      justifyContent={random.pick(['flex-start', 'space-between', 'center', 'flex-end'])}
      {...border}
      {...(random.chance(0.1) && {
        position: 'absolute' as const,
        top: random.below(8),
        left: random.below(30),
      })}
      {...(random.chance(0.3) && {width: 5 + random.below(40)})}
      {...(random.chance(0.3) && {height: 1 + random.below(8)})}
      {...(random.chance(0.3) && {overflow: 'hidden' as const})}
      {...(random.chance(0.15) && {contentOffsetY: random.below(3)})}
      {...(random.chance(0.15) && {backgroundColor: random.pick(['red', '#445566'])})}
    >
      {Array.from({length: random.below(4)}, (_, index) => (
        <Box key={index}>
          {depth < 3 && random.chance(0.5) ? randomBox(random, depth + 1) : randomText(random, 0)}
        </Box>
      ))}
    </Box>
  );
}

test('random trees look as Ink itself draws them, one after the other in one instance', async () => {
  const host = open();
  const differing: string[] = [];
  for (let seed = 0; seed < 150; seed++) {
    const element = (
      <Box width={size.columns} height={size.rows} overflow="hidden">
        {randomBox(createRandom(`tree ${seed}`), 0)}
      </Box>
    );
    const expected = cellsOfText(renderToString(element, {columns: size.columns}), size);
    const drawn = await host.show(element);
    for (let index = 0; index < size.columns * size.rows; index++) {
      if (isSameCell(expected, index, drawn, index)) continue;
      const row = Math.floor(index / size.columns);
      differing.push(
        `seed ${seed}, row ${row}, column ${index % size.columns}:\n  ink  |${rowText(expected, row)}|\n  ours |${rowText(drawn, row)}|`,
      );
      break;
    }
  }

  host.close();
  assert.deepEqual(differing, []);
});

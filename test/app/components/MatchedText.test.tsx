import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import chalk from 'chalk';
import {MatchedText} from '../../../source/app/components/MatchedText.tsx';
import {assertSafe, hostile, rowsOf} from './render.tsx';

test('shows the text whole, wherever it matches', () => {
  for (const positions of [[], [0], [7, 8, 9], [0, 1, 2, 3], [99]])
    assert.deepEqual(rowsOf(<MatchedText text="Theme: nord" positions={positions} />), [
      'Theme: nord',
    ]);
  assert.deepEqual(rowsOf(<MatchedText text="" positions={[]} />), ['']);
});

test('marks the characters that match, wide ones too, and no others', () => {
  chalk.level = 3;
  const {lastFrame, unmount} = render(
    <Box width={20}>
      <MatchedText text="数 nord" positions={[0, 3]} />
    </Box>,
  );
  const bold = [...(lastFrame() ?? '').matchAll(/\u001B\[1m(.*?)\u001B\[22m/g)].map(
    ([, text]) => text,
  );
  unmount();
  assert.deepEqual(bold, ['数', 'o']);
});

test('is read as one text, and is safe', () => {
  assert.deepEqual(
    rowsOf(<MatchedText text="Theme: nord" positions={[1, 3]} />, {isScreenReader: true}),
    ['Theme: nord'],
  );
  assertSafe(<MatchedText text={hostile} positions={[0, 8, 9, 10, 20]} />);
});

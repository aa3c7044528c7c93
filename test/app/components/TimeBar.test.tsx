import assert from 'node:assert/strict';
import {test} from 'node:test';
import {stripVTControlCharacters} from 'node:util';
import {Box} from 'ink';
import {render} from 'ink-testing-library';
import type {ReactElement} from 'react';
import type {ChartSegment} from '../../../source/reports/index.ts';
import {FillLine, Gap} from '../../../source/app/components/FillLine.tsx';
import {ShareBar} from '../../../source/app/components/ShareBar.tsx';
import {TimeBar} from '../../../source/app/components/TimeBar.tsx';
import {LookContext} from '../../../source/app/hooks/use-view.ts';
import {noneTheme} from '../../../source/app/theme/few-colours.ts';
import {signsFor} from '../../../source/app/theme/signs.ts';

function frameOf(element: ReactElement, width: number, signs: 'auto' | 'ascii' = 'auto'): string {
  const {lastFrame, unmount} = render(
    <LookContext value={{theme: noneTheme, signs: signsFor({env: {}, setting: signs})}}>
      <Box width={width}>{element}</Box>
    </LookContext>,
  );
  const frame = stripVTControlCharacters(lastFrame() ?? '');
  unmount();
  return frame;
}

const span = {from: 0, to: 100};
const segments: readonly ChartSegment[] = [
  {kind: 'work', from: 20, to: 40},
  {kind: 'checks', from: 40, to: 50},
  {kind: 'red', from: 50, to: 50},
  {kind: 'waited-for-you', from: 50, to: 80},
  {kind: 'merged', from: 100, to: 100},
];

test('segments have the width of their share, and moments are at their time', () => {
  const bar = <TimeBar segments={segments} span={span} />;
  assert.equal(frameOf(bar, 22), '    ━━━━══✗┄┄┄┄┄    ✓');
  assert.equal(frameOf(bar, 42), `        ${'━'.repeat(8)}════✗${'┄'.repeat(11)}        ✓`);
  assert.equal(frameOf(bar, 22, 'ascii'), '    ====::x.....    *');
});

test('what is still under way has a tip, and ticks stand behind the bar', () => {
  const open: readonly ChartSegment[] = [{kind: 'work', from: 50, to: 100}];
  assert.equal(
    frameOf(<TimeBar segments={open} span={span} isUnderWay ticks={[0, 25, 75]} />, 22),
    '│    │    ━━━━━━━━━╸',
  );
});

test('a span without length, and one segment far too short to be seen, harm nothing', () => {
  assert.equal(frameOf(<TimeBar segments={[]} span={{from: 5, to: 5}} />, 10), '');
  const short: readonly ChartSegment[] = [
    {kind: 'work', from: 0, to: 1},
    {kind: 'merged', from: 1, to: 1},
  ];
  assert.equal(frameOf(<TimeBar segments={short} span={{from: 0, to: 1000}} />, 22), '✓');
});

test('fills and gaps share a line', () => {
  assert.equal(
    frameOf(
      <>
        <FillLine fill={{sign: '#', tone: 'text'}} share={3} />
        <Gap share={1} />
        <FillLine fill={{sign: '.', tone: 'faint'}} share={1} />
      </>,
      10,
    ),
    '######  ..',
  );
});

test('a bar takes the room that is left', () => {
  assert.equal(frameOf(<ShareBar share={0.5} tone="accent" />, 11), '━━━━━╸─────');
  assert.equal(frameOf(<ShareBar share={0} tone="accent" />, 5), '─────');
  assert.equal(frameOf(<ShareBar share={7} tone="accent" />, 5, 'ascii'), '=====');
});

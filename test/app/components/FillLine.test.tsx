import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {FillLine, Gap} from '../../../source/app/components/FillLine.tsx';
import {rowsOf} from './render.tsx';

const work = {sign: '#', tone: 'text'} as const;

test('fills and gaps share a line by their weight', () => {
  const line = (
    <Box>
      <FillLine fill={work} share={3} />
      <Gap share={1} />
      <FillLine fill={{sign: '.', tone: 'faint'}} share={1} />
    </Box>
  );
  assert.deepEqual(rowsOf(line, {columns: 10}), ['######  ..']);
  assert.deepEqual(rowsOf(line, {columns: 10, isScreenReader: true}).join('').trim(), '');
});

test('what must be seen has its cell however little it is; no share, and less, is nothing', () => {
  const line = (share: number, minWidth: number) => (
    <Box>
      <FillLine fill={work} share={share} minWidth={minWidth} />
      <Gap share={1000} />
    </Box>
  );
  assert.deepEqual(rowsOf(line(1, 1), {columns: 10}), ['#']);
  assert.deepEqual(rowsOf(line(0, 0), {columns: 10}), ['']);
  assert.deepEqual(rowsOf(line(-5, 0), {columns: 10}), ['']);
});

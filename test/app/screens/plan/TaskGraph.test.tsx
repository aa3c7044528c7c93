import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import {TaskGraph} from '../../../../source/app/screens/plan/TaskGraph.tsx';
import {assertAscii, rowsOf} from '../../components/render.tsx';

const graph = (first: string, next: string, hasNode = true) => (
  <Box height={3}>
    <TaskGraph graph={{first, next}} hasNode={hasNode} />
  </Box>
);
const rows = (element: ReturnType<typeof graph>): readonly string[] =>
  rowsOf(element).map((row) => row.trimEnd());

test('has a node, and lanes that go on as high as the task', () => {
  assert.deepEqual(rows(graph('o | ', '| | ')), ['● │', '│ │', '│ │']);
  assert.deepEqual(rows(graph('o   ', '    ')), ['●', '', '']);
});

test('joins lanes', () => {
  assert.equal(rows(graph("o-'-'", '|   '))[0], '●─┴─╯');
  assert.equal(rows(graph('+-o ', '| | '))[0], '├─●');
  assert.equal(rows(graph('o-+ ', '| | '))[0], '●─┤');
});

test('rows below the title have lanes only', () => {
  assert.deepEqual(rows(graph('o | ', '| | ', false)), ['│ │', '│ │', '│ │']);
});

test('is ASCII where signs are, and silent for a screen reader', () => {
  assertAscii(graph("o-'-'", '| | '));
  assert.equal(rowsOf(graph('o | ', '| | '), {isScreenReader: true}).join('').trim(), '');
});

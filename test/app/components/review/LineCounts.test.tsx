import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LineCounts} from '../../../../source/app/components/review/LineCounts.tsx';
import {assertMemoized, rowsOf} from '../render.tsx';

test('has what was added and removed, and leaves out what is 0', () => {
  assert.deepEqual(rowsOf(<LineCounts added={3} removed={1} />), ['+3 -1']);
  assert.deepEqual(rowsOf(<LineCounts added={0} removed={1} />), ['-1']);
  assert.deepEqual(rowsOf(<LineCounts added={12_345} removed={0} />), ['+12345']);
  assert.equal(rowsOf(<LineCounts added={0} removed={0} />).join(''), '');
});

test('never shrinks', () => {
  assert.deepEqual(rowsOf(<LineCounts added={30} removed={10} />, {columns: 20}), ['+30 -10']);
});

test('is not drawn again when its parent is', async () => {
  await assertMemoized(() => <LineCounts added={3} removed={1} />);
});

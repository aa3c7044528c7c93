import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ProgressBar} from '../../../source/app/components/ProgressBar.tsx';
import {rowsOf} from './render.tsx';

test('is as wide as it is said for every share', () => {
  for (const share of [-1, 0, 0.01, 0.33, 0.5, 0.99, 1, 7, Number.NaN]) {
    const [row] = rowsOf(<ProgressBar cells={12} share={share} />);
    assert.equal(row?.length, 12, `${share}`);
  }

  assert.deepEqual(rowsOf(<ProgressBar cells={4} share={0} />), ['────']);
  assert.deepEqual(rowsOf(<ProgressBar cells={4} share={1} />), ['━━━━']);
});

test('is skipped by a screen reader: the numbers stand beside it', () => {
  assert.deepEqual(rowsOf(<ProgressBar cells={4} share={0.5} />, {isScreenReader: true}), ['']);
});

test('has plain signs where the terminal has no others', () => {
  assert.match(
    rowsOf(<ProgressBar cells={4} share={0.5} />, {signs: 'ascii'})[0] ?? '',
    /^[\u0020-\u007E]{4}$/,
  );
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Track, trackHead} from '../../../source/app/components/Track.tsx';
import {assertMemoized, rowsOf} from './render.tsx';

const track = {work: 'done', rules: 'done', checks: 'failed', merge: 'todo'} as const;

test('shows each stage by its state, in three cells or one', () => {
  assert.deepEqual(rowsOf(<Track track={track} size="wide" />), ['━━━ ━━━ ━━✗ ───']);
  assert.deepEqual(rowsOf(<Track track={track} size="narrow" />), ['━━✗─']);
});

test('has as many cells as its head', () => {
  assert.equal(rowsOf(<Track track={track} size="wide" />)[0]?.length, trackHead.length);
});

test('says the stage to a screen reader', () => {
  const read = (one: Parameters<typeof Track>[0]['track']): string =>
    rowsOf(<Track track={one} size="wide" />, {isScreenReader: true}).join('');
  assert.equal(read(track), 'checks failed.');
  assert.equal(read({...track, checks: 'active'}), 'checks is under way.');
  assert.equal(read({work: 'done', rules: 'done', checks: 'done', merge: 'done'}), 'merged.');
});

test('is not drawn again when its parent is', async () => {
  await assertMemoized(() => <Track track={track} size="wide" />);
});

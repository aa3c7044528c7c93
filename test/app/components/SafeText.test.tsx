import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {createRandom} from '../../support/random.ts';
import {assertShown} from '../../support/shown.ts';
import {assertMemoized, assertSafe, evil, hostile, rowsOf} from './render.tsx';

describe('SafeText', () => {
  test('makes every string in it safe, also those between elements', () => {
    const rows = rowsOf(
      <SafeText>
        {evil}
        <SafeText bold>{evil}</SafeText>
        {` and ${evil}`}
      </SafeText>,
      {columns: 200},
    );
    assert.equal(rows.length, 1);
    assertShown(rows.join(''));
    assert.match(rows[0] ?? '', /new {4}/);
  });

  test('is cut at its end, or wraps where it says so', () => {
    assert.deepEqual(rowsOf(<SafeText>one two three</SafeText>, {columns: 8}), ['one two…']);
    assert.deepEqual(
      rowsOf(<SafeText wrap="wrap">one two three</SafeText>, {columns: 8}).map((row) => row.trim()),
      ['one two', 'three'],
    );
  });

  test('that wraps starts every row with a word, whatever its style', () => {
    for (let columns = 6; columns < 40; columns++) {
      const rows = rowsOf(
        <SafeText wrap="wrap" tone="dim">
          {'nothing changes before you '}
          <SafeText bold>{'approve the plan'}</SafeText>
          {', and the rules hold'}
        </SafeText>,
        {columns},
      );
      assert.deepEqual(
        rows.filter((row) => row.startsWith(' ')),
        [],
        `at ${columns} columns`,
      );
    }
  });

  test('stays in its columns however hostile it is, and so does what a screen reader hears', () => {
    assertSafe(<SafeText>{hostile}</SafeText>);
    assertSafe(<SafeText wrap="wrap">{hostile}</SafeText>);
    assertSafe(<SafeText label={hostile}>{hostile}</SafeText>);
  });

  test('has a label instead of its text for a screen reader, or nothing', () => {
    const rows = (isScreenReader: boolean): readonly string[] =>
      rowsOf(
        <SafeText>
          <SafeText label="passed ">✓ </SafeText>
          build
          <SafeText isHidden> ━━</SafeText>
        </SafeText>,
        {isScreenReader},
      );
    assert.deepEqual([rows(false), rows(true)], [['✓ build ━━'], ['passed build']]);
  });

  test('is not drawn again when its parent is', async () => {
    await assertMemoized(() => <SafeText tone="dim">text</SafeText>);
  });

  test('of random characters is always one row without anything that acts', () => {
    const random = createRandom('safe text');
    for (let round = 0; round < 20; round++) {
      const text = Array.from({length: 60}, () =>
        String.fromCodePoint(random.pick([random.below(0x100), random.below(0x3000), 0x1f600])),
      ).join('');
      const rows = rowsOf(<SafeText>{text}</SafeText>, {columns: 60});
      assert.equal(rows.length, 1, JSON.stringify(text));
      assertShown(rows.join(''));
    }
  });
});

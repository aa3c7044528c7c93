import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {Frame} from '../../../source/app/components/Frame.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {assertSafe, hostile, rowsOf} from './render.tsx';

describe('Frame', () => {
  const title = <SafeText>title</SafeText>;

  test('has texts in its lines', () => {
    assert.deepEqual(
      rowsOf(
        <Frame
          title={title}
          state={<SafeText>works</SafeText>}
          foot={<SafeText>try 1</SafeText>}
          footState={<SafeText>7s</SafeText>}
        >
          <SafeText>inside</SafeText>
        </Frame>,
        {columns: 24},
      ),
      ['╭─ title ─────── works ─╮', '│inside                │', '╰─ try 1 ────────── 7s ─╯'].map(
        (row, index) => (index === 1 ? row : row.replace('──', '─')),
      ),
    );
  });

  test('is lines above and below, or a title alone, and heavy where keys go', () => {
    const inside = <SafeText>inside</SafeText>;
    assert.deepEqual(
      rowsOf(
        <Frame kind="rules" title={title}>
          {inside}
        </Frame>,
        {columns: 12},
      ),
      ['─ title ────', 'inside', '────────────'],
    );
    assert.deepEqual(
      rowsOf(
        <Frame kind="top" title={title} isHeavy>
          {inside}
        </Frame>,
        {columns: 12},
      ),
      ['━ title ━━━━', 'inside'],
    );
  });

  test('cuts a long title, never its state', () => {
    const [top] = rowsOf(
      <Frame
        title={<SafeText>{'long '.repeat(20)}</SafeText>}
        state={<SafeText>asks you</SafeText>}
      />,
      {columns: 30},
    );
    assert.match(top ?? '', /^╭─ long long.*… ─+ asks you ─╮$/);
    assert.equal(top?.length, 30);
  });

  test('keeps a hostile title in its line', () => {
    assertSafe(<Frame title={<SafeText>{hostile}</SafeText>} state={<SafeText>works</SafeText>} />);
  });

  test('has no lines for a screen reader', () => {
    const rows = rowsOf(<Frame title={title}>{title}</Frame>, {isScreenReader: true});
    assert.doesNotMatch(rows.join(''), /[─│╭╰]/);
    assert.match(rows.join(' '), /title.*title/);
  });
});

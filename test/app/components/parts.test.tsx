import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {Box} from 'ink';
import {Frame} from '../../../source/app/components/Frame.tsx';
import {KeyHint} from '../../../source/app/components/KeyHint.tsx';
import {ProgressBar} from '../../../source/app/components/ProgressBar.tsx';
import {Rule} from '../../../source/app/components/Rule.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {SelectRow} from '../../../source/app/components/SelectRow.tsx';
import {TextInput} from '../../../source/app/components/TextInput.tsx';
import {Track} from '../../../source/app/components/Track.tsx';
import {createRandom} from '../../support/random.ts';
import {assertShown} from '../../support/shown.ts';
import {evil, rowsOf} from './render.tsx';

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

  test('of random characters is always one row without anything that acts', () => {
    const random = createRandom('safe text');
    for (let round = 0; round < 100; round++) {
      const text = Array.from({length: 30}, () =>
        String.fromCodePoint(random.pick([random.below(0x100), random.below(0x3000), 0x1f600])),
      ).join('');
      const rows = rowsOf(<SafeText>{text}</SafeText>, {columns: 30});
      assert.equal(rows.length, 1, JSON.stringify(text));
      assertShown(rows.join(''));
    }
  });
});

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
});

test('Rule takes the room that is left', () => {
  assert.deepEqual(
    rowsOf(
      <Box>
        <SafeText>a</SafeText>
        <Rule />
        <SafeText>b</SafeText>
      </Box>,
      {columns: 10},
    ),
    ['a────────b'],
  );
});

test('SelectRow has its mark in the first column, as high as it is said, and the same width without', () => {
  const row = (isSelected: boolean) => (
    <SelectRow isSelected={isSelected} rows={2}>
      <Box flexDirection="column">
        <SafeText>one</SafeText>
        <SafeText>two</SafeText>
      </Box>
    </SelectRow>
  );
  assert.deepEqual(rowsOf(row(true)), ['▌one', '▌two']);
  assert.deepEqual(rowsOf(row(false)), [' one', ' two']);
});

test('KeyHint says the key and what it does', () => {
  assert.deepEqual(rowsOf(<KeyHint keys="A" text="approve" action="approve" />), ['A approve']);
});

test('Track shows each stage by its state, in three cells or one', () => {
  const track = {work: 'done', rules: 'done', checks: 'failed', merge: 'todo'} as const;
  assert.deepEqual(rowsOf(<Track track={track} size="wide" />), ['━━━ ━━━ ━━✗ ───']);
  assert.deepEqual(rowsOf(<Track track={track} size="narrow" />), ['━━✗─']);
});

test('ProgressBar is as wide as it is said for every share', () => {
  for (const share of [-1, 0, 0.01, 0.33, 0.5, 0.99, 1, 7, Number.NaN]) {
    const [row] = rowsOf(<ProgressBar cells={12} share={share} />);
    assert.equal(row?.length, 12, `${share}`);
  }

  assert.deepEqual(rowsOf(<ProgressBar cells={4} share={0} />), ['────']);
  assert.deepEqual(rowsOf(<ProgressBar cells={4} share={1} />), ['━━━━']);
});

describe('TextInput', () => {
  const field = (text: string, cursor = text.length) => ({text, cursor});

  test('shows what is written; too long, the end before the cursor', () => {
    assert.deepEqual(rowsOf(<TextInput field={field('hello')} />), ['hello']);
    const [row] = rowsOf(<TextInput field={field(`${'long '.repeat(20)}end`)} />, {columns: 20});
    assert.match(row ?? '', /^….*end$/);
  });

  test('hides a secret, and makes what was pasted safe', () => {
    assert.deepEqual(rowsOf(<TextInput field={field('pass')} isSecret />), ['••••']);
    assertShown(rowsOf(<TextInput field={field(evil)} />).join(''));
  });
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {safeLine, textOfLine} from '../../../source/app/model/line.ts';
import {parseDiff} from '../../../source/app/model/parse-diff.ts';
import {diffRows, type DiffRowsOptions} from '../../../source/app/screens/diff-rows.ts';
import {createHighlight} from '../../../source/app/screens/highlight.ts';
import {fc} from '../../support/property.ts';

const unified: DiffRowsOptions = {
  columns: 60,
  isSplit: false,
  comments: [],
  highlight: undefined,
  place: {cursor: 0, top: 0},
  rows: 20,
};
const split: DiffRowsOptions = {...unified, columns: 121, isSplit: true};

function shown(text: string, options: DiffRowsOptions = unified): string[] {
  const [file] = parseDiff(text);
  assert.ok(file !== undefined);
  return diffRows(file, options).map(({row}) => textOfLine(row).trimEnd());
}

function changed(
  path: string,
  removed: readonly string[],
  added: readonly string[],
  ...note: readonly string[]
): string {
  const [old, fresh] = [removed.map((line) => `-${line}`), added.map((line) => `+${line}`)];
  return [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${removed.length} +1,${added.length} @@`,
    ...old,
    ...note,
    ...fresh,
    ...note,
    '',
  ].join('\n');
}

test('a file without changed lines says what happened to it', () => {
  const head = 'diff --git a/one.txt b/two.txt\n';
  assert.deepEqual(
    shown(`${head}similarity index 100%\nrename from one.txt\nrename to two.txt\n`),
    ['          Only its name changed; it was one.txt.'],
  );
  assert.deepEqual(shown('diff --git a/x b/x\nnew file mode 100644\nindex 0..1\n'), [
    '          A new file with nothing in it.',
  ]);
  assert.deepEqual(shown('diff --git a/x b/x\ndeleted file mode 100644\n'), [
    '          It had nothing in it, and is deleted.',
  ]);
  assert.deepEqual(shown('diff --git a/x b/x\nold mode 100644\nnew mode 100755\n'), [
    '          it can be run as a program now',
  ]);
});

test('line ends are shown where they are what changed, and nowhere else', () => {
  assert.deepEqual(shown(changed('a.txt', ['one\r', 'two\r'], ['one', 'two'])), [
    ' @@ -1,2 +1,2 @@',
    '   1      - one␍',
    '   2      - two␍',
    '        1 + one',
    '        2 + two',
  ]);
  assert.deepEqual(shown(changed('a.txt', ['one\r'], ['two\r'])), [
    ' @@ -1,1 +1,1 @@',
    '   1      - one',
    '        1 + two',
  ]);
});

test('a missing last line end does not part old from new', () => {
  const rows = shown(changed('a.txt', ['old'], ['new'], '\\ No newline at end of file'), split);
  assert.equal(rows.length, 3);
  assert.match(rows[1] ?? '', /^ {4}1 - old +│ {4}1 \+ new$/);
  assert.equal(rows[2]?.trim(), 'No newline at end of file');
});

test('numbers of five digits take no room from the code', () => {
  const rows = shown(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -99999,1 +100000,1 @@\n-old\n+new\n',
  );
  assert.deepEqual(rows.slice(1), [' 99999        - old', '       100000 + new']);
});

test('a line of a million characters is told by its length', () => {
  const rows = shown(changed('min.js', [], ['x'.repeat(1_000_000)]));
  assert.equal(rows.length, 44);
  assert.match(
    rows.map((row) => row.slice(12)).join(''),
    /x … and 998,000 characters more in this line$/,
  );
});

test('of thousands of lines those in sight are written, wherever the person is, and coloured as they are', () => {
  const lines = Array.from({length: 4000}, (_, index) =>
    index % 50 === 0
      ? `const wide${index} = '漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字';`
      : `const line${index} = 1;`,
  );
  const [file] = parseDiff(
    changed(
      'big.js',
      lines,
      lines.map((line) => `${line} // 漢`),
    ),
  );
  assert.ok(file !== undefined);
  const highlight = createHighlight();
  for (const options of [unified, split]) {
    const whole: string[] = diffRows(file, {...options, rows: 1_000_000}).map(({row}) =>
      textOfLine(row),
    );
    for (const cursor of [0, 1, 777, 3999, whole.length - 1]) {
      const rows = diffRows(file, {...options, highlight, place: {cursor, top: cursor}});
      assert.equal(rows.length, whole.length);
      const first = Math.min(cursor, whole.length - options.rows);
      assert.deepEqual(
        rows.slice(first, first + options.rows).map(({row}) => textOfLine(row)),
        whole.slice(first, first + options.rows),
      );
      assert.ok(rows[cursor]?.at !== undefined || cursor === 0, String(cursor));
    }
  }

  const coloured =
    diffRows(file, {...unified, highlight, place: {cursor: 3000, top: 3000}})[3001]?.row ?? [];
  assert.ok(coloured.some(({text, tone}) => text === 'const' && tone === 'keyword'));
});

test('lines of any length and script are counted as they are written: every one is there, whole, and none is blank', () => {
  const text = fc.oneof(
    fc.string({maxLength: 300, unit: 'grapheme-ascii', size: 'max'}),
    fc.string({maxLength: 120, unit: 'grapheme', size: 'max'}),
  );
  fc.assert(
    fc.property(
      fc.array(
        text.map((line) => safeLine(line)),
        {minLength: 1, maxLength: 12},
      ),
      fc.constantFrom(unified, {...unified, rows: 3, place: {cursor: 4, top: 4}}),
      (lines, options) => {
        const [file] = parseDiff(changed('a.txt', [], lines));
        assert.ok(file !== undefined);
        const count = diffRows(file, options).length;
        const rows = diffRows(file, {...options, rows: 10_000}).map(({row}) => textOfLine(row));
        assert.equal(rows.length, count);
        const [hunk = '', ...code] = rows;
        assert.match(hunk, /^ @@/);
        const written = code.reduce<string[]>(
          (found, row) =>
            /\d \+ $/.test(row.slice(0, 12))
              ? [...found, row.slice(12)]
              : [...found.slice(0, -1), (found.at(-1) ?? '') + row.slice(12)],
          [],
        );
        assert.deepEqual(written, lines);
      },
    ),
    {numRuns: 300},
  );
});

import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseDiff} from '../../../source/app/model/parse-diff.ts';
import {fc} from '../../support/property.ts';

test('files, their fate and their lines with numbers', () => {
  const text = [
    'diff --git a/src/a b.ts b/src/a b.ts',
    'index 1..2 100644',
    '--- a/src/a b.ts',
    '+++ b/src/a b.ts',
    '@@ -3,2 +3,3 @@ function x() {',
    ' same',
    '-old',
    '+new',
    '+--- not a file',
    '\\ No newline at end of file',
    'diff --git a/one.md b/two.md',
    'similarity index 90%',
    'rename from one.md',
    'rename to two.md',
    'diff --git a/logo.png b/logo.png',
    'new file mode 100644',
    'Binary files /dev/null and b/logo.png differ',
    '',
  ].join('\n');
  assert.deepEqual(parseDiff(text), [
    {
      path: 'src/a b.ts',
      before: '',
      text: 'changed',
      lines: [
        {kind: 'hunk', text: '@@ -3,2 +3,3 @@ function x() {'},
        {kind: 'context', text: 'same', old: 3, new: 3},
        {kind: 'removed', text: 'old', old: 4},
        {kind: 'added', text: 'new', new: 4},
        {kind: 'added', text: '--- not a file', new: 5},
        {kind: 'note', text: 'No newline at end of file'},
      ],
    },
    {path: 'two.md', before: 'one.md', text: 'renamed', lines: []},
    {
      path: 'logo.png',
      before: '',
      text: 'new',
      lines: [{kind: 'note', text: 'not shown: a binary file, or one of more than 4 MB'}],
    },
  ]);
});

test('a line of a file that looks like the head of a diff is a line', () => {
  const [file, ...others] = parseDiff(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+diff --git a/evil b/evil\n+@@ -1 +1 @@\n',
  );
  assert.deepEqual([file?.lines.map(({kind}) => kind), others], [['hunk', 'added', 'added'], []]);
});

test('whatever comes, it is read', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(
          'diff --git a/x b/x',
          '@@ -1 +1 @@',
          '@@ -1,5 +1,9 @@',
          '+a',
          '-b',
          ' c',
          '',
          '\\ No',
          'rename to',
          '+++ b/',
          'junk',
        ),
      ),
      (lines) => {
        assert.ok(Array.isArray(parseDiff(lines.join('\n'))));
      },
    ),
  );
});

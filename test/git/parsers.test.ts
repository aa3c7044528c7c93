import assert from 'node:assert/strict';
import {describe, it} from 'node:test';
import {parseDifferences} from '../../source/git/changes/differences.ts';
import {parsePatch} from '../../source/git/changes/added-lines.ts';
import {parseConflictHunks, parseMergeTree} from '../../source/git/merge/build-merge.ts';
import {fc} from '../support/property.ts';

const pieces = fc.constantFrom(
  '\0',
  '\n',
  '\t',
  ':',
  ' ',
  '-',
  '+',
  '@@ -1,2 +3,4 @@',
  'diff --git a b',
  ':100644 100644 aa bb M',
  '1',
  '2',
  '-\t-\t',
  '100644 aa 2\tx',
  'CONFLICT (contents)',
  '<<<<<<< a',
  '=======',
  '>>>>>>> b',
  'x',
);

describe('reading what git prints', () => {
  it('never throws, whatever is printed', () => {
    fc.assert(
      fc.property(
        fc.array(pieces, {maxLength: 60}).map((parts) => parts.join('')),
        (text) => {
          parseDifferences(text);
          parsePatch(text);
          parseMergeTree(text);
          assert.ok(parseConflictHunks(text).length <= 4000);
        },
      ),
      {numRuns: 3000},
    );
  });

  it('does not take a line of a file for a line of the patch', () => {
    const patch = [
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '@@ -1,2 +1,3 @@',
      '--- a/y',
      '-@@ -9 +9 @@',
      '++++ b/y',
      '+diff --git a/z b/z',
      '+@@ -1 +1 @@',
      '\\ No newline at end of file',
      'diff --git a/y b/y',
      '@@ -0,0 +7 @@',
      '+last',
    ];
    assert.deepEqual(parsePatch(patch.join('\n')), [
      [
        {line: 1, text: '+++ b/y'},
        {line: 2, text: 'diff --git a/z b/z'},
        {line: 3, text: '@@ -1 +1 @@'},
      ],
      [{line: 7, text: 'last'}],
    ]);
  });
});

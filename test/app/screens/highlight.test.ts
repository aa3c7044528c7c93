import assert from 'node:assert/strict';
import {test} from 'node:test';
import {textOfLine} from '../../../source/app/model/line.ts';
import {createHighlight, detectLanguage} from '../../../source/app/screens/highlight.ts';

test('code is coloured line by line, and says what it said', () => {
  const highlight = createHighlight();
  const lines = [
    '/* a',
    'comment */ const x = "text"; // end',
    '',
    'export function f(): number { return 1; }',
  ];
  const coloured = highlight(lines, 'src/x.ts');
  assert.deepEqual(coloured.map(textOfLine), lines);
  assert.deepEqual(coloured[0], [{text: '/* a', tone: 'comment'}]);
  assert.ok(coloured[1]?.some(({text, tone}) => text === '"text"' && tone === 'string'));
  assert.ok(coloured[3]?.some(({text, tone}) => text === 'export' && tone === 'keyword'));
  assert.deepEqual(highlight(['<b>'], 'notes.unknown'), [[{text: '<b>', tone: 'plain'}]]);
  assert.deepEqual(['a/b.test.tsx', 'Makefile', 'x.PY', 'README'].map(detectLanguage), [
    'typescript',
    'bash',
    'python',
    undefined,
  ]);
});

test('code of a megabyte is shown without colours rather than late', () => {
  const [row] = createHighlight()(['x'.repeat(1_000_000)], 'a.ts');
  assert.deepEqual(
    row?.map(({tone}) => tone),
    ['plain'],
  );
});

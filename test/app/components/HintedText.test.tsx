import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Box} from 'ink';
import type {ReactElement} from 'react';
import {HintedText} from '../../../source/app/components/HintedText.tsx';
import {KeyHint} from '../../../source/app/components/KeyHint.tsx';
import {SafeText} from '../../../source/app/components/SafeText.tsx';
import {assertFits, assertSafe, hostile, rowsOf, targetsOf} from './render.tsx';

function hinted(text: string): ReactElement {
  return (
    <Box>
      <HintedText hint={<KeyHint keys="I" text="use it" action="prepare-repository" />}>
        <SafeText wrap="wrap">{text}</SafeText>
      </HintedText>
    </Box>
  );
}

test('has its key at the end of the row', () => {
  assert.deepEqual(rowsOf(hinted('npm test exists'), {columns: 30}), [
    'npm test exists       I use it',
  ]);
  assert.deepEqual(targetsOf(hinted('x')), [{type: 'action', action: 'prepare-repository'}]);
});

test('never breaks its words around the key', () => {
  for (let columns = 8; columns < 50; columns += 3) {
    const rows = rowsOf(hinted('nothing proves it; npm test exists'), {columns});
    const at = rows.findIndex((row) => row.includes('I use it'));
    if (rows.length > 1) assert.match(rows[at] ?? '', /^ *I use it$/, `${columns} columns`);
    assert.equal(at, rows.length - 1, `${columns} columns`);
  }
});

test('is a text alone without a key', () => {
  assert.deepEqual(
    rowsOf(
      <Box>
        <HintedText hint={undefined}>
          <SafeText wrap="wrap">text</SafeText>
        </HintedText>
      </Box>,
    ),
    ['text'],
  );
});

test('keeps hostile text in its columns', () => {
  assertSafe(hinted(hostile));
  assertFits(hinted(`${hostile} 数える 🚀`));
});

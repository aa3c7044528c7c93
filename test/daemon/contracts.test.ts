import assert from 'node:assert/strict';
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {contracts} from '../../source/daemon/perform/contracts.ts';

const document = path.join(import.meta.dirname, '..', '..', 'docs', 'effects.md');

test('every effect says how it is known again, when it has happened, what is looked at, what is repaired, and what is done in doubt', () => {
  for (const [effect, {key, atomic, observe, repair, onAmbiguous}] of Object.entries(contracts)) {
    for (const words of [key, atomic, observe, repair]) assert.notEqual(words.trim(), '', effect);
    assert.ok(['redo', 'adopt', 'ask'].includes(onAmbiguous), effect);
  }
});

test('only what is typed is asked about: all else can be done again', () => {
  assert.deepEqual(
    Object.entries(contracts)
      .filter(([, {onAmbiguous}]) => onAmbiguous === 'ask')
      .map(([effect]) => effect),
    ['type-input', 'type-prompt'],
  );
});

test('docs/effects.md has the table as it is', () => {
  const rows = Object.entries(contracts).map(
    ([effect, {key, atomic, observe, repair, onAmbiguous}]) =>
      `| \`${effect}\` | ${key} | ${atomic} | ${observe} | ${repair} | ${onAmbiguous} |`,
  );
  const text = [
    '# Effects',
    '',
    'Everything that orchestra does to the world. Each is an *ensure* operation: before it acts it looks, and after a crash it looks again.',
    'Its key is its identity; the journal holds one result for each key.',
    '',
    '| effect | the same if the same | happened when | looks at | repairs | in doubt |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'The table is made from `source/daemon/perform/contracts.ts`; `UPDATE_TABLE=1 npm run unit -- test/daemon/contracts.test.ts` writes it.',
    '',
  ].join('\n');
  if (process.env['UPDATE_TABLE'] === '1') writeFileSync(document, text);
  assert.equal(readFileSync(document, 'utf8'), text);
});

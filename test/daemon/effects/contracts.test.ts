import assert from 'node:assert/strict';
import path from 'node:path';
import {readFileSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {contracts} from '../../../source/daemon/effects/contracts.ts';

const document = path.join(import.meta.dirname, '..', '..', '..', 'docs', 'effects.md');

test('every effect states its key, its commit point, what it inspects, what it repairs and what to do if uncertain', () => {
  for (const [effect, {key, atomic, observe, repair, onAmbiguous}] of Object.entries(contracts)) {
    for (const text of [key, atomic, observe, repair]) assert.notEqual(text.trim(), '', effect);
    assert.ok(['redo', 'adopt', 'ask'].includes(onAmbiguous), effect);
  }
});

test('only typed input and messages need a question if uncertain: every other effect can be repeated or adopted', () => {
  assert.deepEqual(
    Object.entries(contracts)
      .filter(([, {onAmbiguous}]) => onAmbiguous === 'ask')
      .map(([effect]) => effect),
    ['type-input', 'type-prompt', 'deliver-message'],
  );
});

/** `UPDATE_TABLE=1 npm run unit -- test/daemon/effects/contracts.test.ts` writes the page. */
test('docs/effects.md has the contracts as they are', () => {
  const rows = Object.entries(contracts).map(
    ([effect, {key, atomic, observe, repair, onAmbiguous}]) =>
      `| \`${effect}\` | ${key} | ${atomic} | ${observe} | ${repair} | ${onAmbiguous} |`,
  );
  const text = [
    '# Effects',
    '',
    'Every side effect of orchestra. Each is idempotent: it inspects the current state before it acts, and inspects it again after a crash.',
    'The key identifies an effect; the journal holds one result for each key.',
    '',
    '| effect | key | committed when | inspects | repairs | if uncertain |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
  if (process.env['UPDATE_TABLE'] === '1') writeFileSync(document, text);
  assert.equal(readFileSync(document, 'utf8'), text);
});

import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {documents, keyTable, withKeyTable} from '../../../scripts/keys.ts';
import {keymap} from '../../../source/tui/model/keymap.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

test('the keys in the documents are those of the keymap; `npm run keys` writes them anew', () => {
  for (const document of documents) {
    const text = readFileSync(path.join(root, document), 'utf8');
    assert.equal(text, withKeyTable(text) ?? text, `${document} is stale: npm run keys`);
  }

  assert.notEqual(withKeyTable(readFileSync(path.join(root, 'docs/app.md'), 'utf8')), undefined);
});

test('every binding is in the table once', () => {
  assert.equal(
    keyTable()
      .split('\n')
      .filter((line) => line.startsWith('| `')).length,
    keymap.length,
  );
});

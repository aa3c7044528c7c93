import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {keysPage, keyTable, withKeyTable} from '../../../scripts/keys.ts';
import {keymap} from '../../../source/app/keymap/bindings.ts';

const root = path.join(import.meta.dirname, '..', '..', '..');

test('docs/keys.md has the keys of the keymap; `npm run keys` writes them', () => {
  const text = readFileSync(path.join(root, keysPage), 'utf8');
  assert.equal(text, withKeyTable(text), `${keysPage} is stale: npm run keys`);
});

test('no other page has the table', () => {
  const pages = ['README.md', ...globSync('docs/**/*.md', {cwd: root})].filter(
    (page) => page !== keysPage,
  );
  const copies = pages.filter(
    (page) => withKeyTable(readFileSync(path.join(root, page), 'utf8')) !== undefined,
  );
  assert.deepEqual(copies, []);
});

test('every binding is in the table once', () => {
  assert.equal(
    keyTable()
      .split('\n')
      .filter((line) => line.startsWith('| `')).length,
    keymap.length,
  );
});

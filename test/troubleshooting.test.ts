import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {test} from 'node:test';

const root = path.join(import.meta.dirname, '..');

/** Messages of the program as they stand in the first column of the tables. */
function listMessages(): readonly string[] {
  const page = readFileSync(path.join(root, 'docs/troubleshooting.md'), 'utf8');
  return page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .flatMap((line) => [...(line.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)])
    .flatMap(([, message = '']) => (message.startsWith('orchestra') ? [] : [message]));
}

/** All source text on one line, with strings that were split joined again. */
const source = globSync('source/**/*.{ts,tsx}', {cwd: root})
  .map((file) => readFileSync(path.join(root, file), 'utf8'))
  .join('\n')
  .replaceAll(/['`] \+\s+['`]/g, '')
  .replaceAll(/\s+/g, ' ');

test('every message that the page explains is one of the program', () => {
  const unknown = listMessages().filter((message) =>
    message
      .split(/…|\br\d+(?:\.t\d+)?\b|\b[0-9a-f]{12}\b|\bclaude\b|\b\d[\d.]*(?: GB| bytes)?\b/)
      .map((part) => part.trim())
      .some((part) => part.length >= 6 && !source.includes(part)),
  );
  assert.deepEqual(unknown, []);
});

test('the page explains at least twenty', () => {
  assert.ok(listMessages().length >= 20, String(listMessages().length));
});

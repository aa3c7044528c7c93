import assert from 'node:assert/strict';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';

const root = path.join(import.meta.dirname, '../..');
const folders = ['components', 'screens'];

function listFiles(directory: string): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(path.join(root, directory, folder), {recursive: true, encoding: 'utf8'}).map(
      (name) => path.posix.join(folder, name.replaceAll('\\', '/')),
    ),
  );
}

/** Components and screens without a test of their path and name: `.test.ts` or `.test.tsx`. */
function findUntested(sources: readonly string[], tests: readonly string[]): readonly string[] {
  const tested = new Set(tests.map((name) => name.replace(/\.test\.tsx?$/, '')));
  return sources.filter(
    (name) => name.endsWith('.tsx') && !tested.has(name.slice(0, -'.tsx'.length)),
  );
}

/** Labels for screen readers that are not made safe: they may contain foreign text. */
function findUnsafeLabels(source: string): readonly string[] {
  return [...source.matchAll(/['"]?aria-label['"]?\s*(?:=\{|:)\s*(?!safeLine\()(\S.*)/g)].map(
    ([, label = '']) => label,
  );
}

test('every component and every screen has a test of its name', () => {
  const sources = listFiles('source/app');
  assert.ok(sources.length > 90, 'expected to find the components');
  assert.deepEqual(findUntested(sources, listFiles('test/app')), []);
});

test('a component without a test is found, whatever its folder', () => {
  assert.deepEqual(
    findUntested(
      ['components/Toast.tsx', 'components/needs/Inbox.tsx', 'screens/need-in-brief.ts'],
      ['components/Toast.test.tsx', 'components/Inbox.test.tsx', 'screens/goldens/Inbox.txt'],
    ),
    ['components/needs/Inbox.tsx'],
  );
});

test('every label for screen readers is made safe', () => {
  const unsafe = listFiles('source/app')
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) =>
      findUnsafeLabels(readFileSync(path.join(root, 'source/app', name), 'utf8')).map(
        (label) => `${name}: ${label}`,
      ),
    );
  assert.deepEqual(unsafe, []);
});

test('a label that is not made safe is found', () => {
  assert.deepEqual(
    findUnsafeLabels(
      "<Box aria-label={title} /> \n {'aria-label': label}\n<Box aria-label={safeLine(title)} />",
    ),
    ['title} /> ', 'label}'],
  );
});

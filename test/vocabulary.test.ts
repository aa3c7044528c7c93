import assert from 'node:assert/strict';
import path from 'node:path';
import {globSync, readFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {publicProperties, retiredNames} from './support/vocabulary-rules.ts';

const root = path.join(import.meta.dirname, '..');

/** The list itself has the words. */
const ownFiles = new Set(['test/vocabulary.test.ts', 'test/support/vocabulary-rules.ts']);

test('no identifier and no file name has a retired word', () => {
  const files = globSync('{source,test,scripts}/**/*.{ts,tsx}', {cwd: root}).filter(
    (file) => !ownFiles.has(file),
  );
  const tree = new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
  assert.deepEqual(retiredNames(tree), []);
});

describe('a retired word is found:', () => {
  const cases: readonly (readonly [name: string, file: string, text: string])[] = [
    ['in a variable', 'a.ts', 'const lastWish = 1;'],
    ['in a function', 'a.ts', 'function tellAll() {}'],
    ['in a type', 'a.ts', 'type HouseRow = {};'],
    ['in a parameter', 'a.ts', 'const f = (mostBytes: number) => 1;'],
    ['in a property of our own', 'a.ts', 'type A = {readonly mostBytes: number};'],
    ['in a variable that has the name of a public property', 'a.ts', "const words = 'a';"],
    ['in a file name', 'do-deed.ts', ''],
    ['in the name of a test', 'hear.test.ts', ''],
  ];
  for (const [name, file, text] of cases)
    test(name, () => {
      assert.equal(retiredNames(new Map([[file, text]])).length, 1);
    });
});

test('a public property keeps its name, also where it is taken out of its object', () => {
  const text = 'type A = {readonly words: string}; const {words} = a; f({words});';
  assert.deepEqual(retiredNames(new Map([['a.ts', text]])), []);
});

test('the list of public properties has no name that nobody uses', () => {
  const files = globSync('{source,test,scripts}/**/*.{ts,tsx}', {cwd: root});
  const all = files.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');
  const unused = [...publicProperties].filter((name) => !new RegExp(`\\b${name}\\b`).test(all));
  assert.deepEqual(unused, []);
});

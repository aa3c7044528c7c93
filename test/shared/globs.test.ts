import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pathMatcher} from '../../source/shared/index.ts';

const cases: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
  [
    'src/**',
    ['src/a.ts', 'src/a/b.ts', 'src/.hidden/c'],
    ['source/a.ts', 'lib/src/a.ts', 'SRC/a.ts'],
  ],
  ['src', ['src', 'src/a.ts', 'src/a/b.ts'], ['src2', 'lib/src']],
  ['package.json', ['package.json'], ['lib/package.json']],
  ['services/*/', ['services/a/b.ts', 'services/a/b/c.ts'], ['services/README.md']],
  ['src/*', ['src/a.ts', 'src/.env'], ['src/a/b.ts']],
  ['**/*.ts', ['a.ts', 'src/a.ts', '.x/a.ts'], ['a.tsx']],
  ['*.md', ['README.md'], ['docs/a.md']],
  ['a?.ts', ['ab.ts'], ['a.ts', 'a/.ts']],
  ['{src,test}/**', ['src/a', 'test/b/c'], ['docs/a']],
  ['app/(shop)/[id]/page.tsx', ['app/(shop)/[id]/page.tsx'], ['app/shop/i/page.tsx']],
  ['app/[...slug]/**', ['app/[...slug]/x/y.ts'], ['app/s/x']],
  ['!important/+x@y', ['!important/+x@y', '!important/+x@y/z'], ['important']],
  ['"a"', ['"a"'], ['a']],
  ['{{name}}/a', ['{{name}}/a'], ['name/a']],
];

for (const [glob, yes, no] of cases) {
  test(`"${glob}" matches what is listed and nothing else`, () => {
    const matches = pathMatcher([glob]);
    assert.deepEqual(
      yes.filter((path) => !matches(path)),
      [],
    );
    assert.deepEqual(
      no.filter((path) => matches(path)),
      [],
    );
  });
}

test('no glob matches nothing, and one of several is enough', () => {
  assert.equal(pathMatcher([])('a'), false);
  assert.equal(pathMatcher(['a', 'b/**'])('b/c'), true);
});

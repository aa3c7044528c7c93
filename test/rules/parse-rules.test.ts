import assert from 'node:assert/strict';
import {test} from 'node:test';
import {formatDirective, parseRules} from '../../source/rules/index.ts';

const outlines: readonly (readonly [title: string, text: string, rules: readonly string[]])[] = [
  [
    'with two # headings, ## divides a section',
    '# A\n- a\n## B\n- b\n# C\n- c',
    ['1.1 a', '1.2 b', '2.1 c'],
  ],
  [
    'with one # heading, that is the title and ## begins a section',
    '# T\n## A\n- a\n### B\n- b\n## C\n- c',
    ['1.1 a', '1.2 b', '2.1 c'],
  ],
  [
    'with no # heading, the next level begins a section',
    '### A\n- a\n#### B\n- b\n### C\n- c',
    ['1.1 a', '1.2 b', '2.1 c'],
  ],
  ['rules under the title are a section of their own', '# T\n- t\n## A\n- a', ['1.1 t', '2.1 a']],
  ['a heading without rules takes no number', '# About\nHello.\n# A\n- a', ['1.1 a']],
  [
    'a heading without rules that shows a number takes it',
    '# 1. About\nHello.\n# 2. A\n- a',
    ['2.1 a'],
  ],
  ['underlined titles are headings', 'A\n=\n- a\n\nB\n=\n- b', ['1.1 a', '2.1 b']],
];

for (const [title, text, rules] of outlines) {
  test(`sections: ${title}`, () => {
    assert.deepEqual(
      parseRules(text).value.rules.map((rule) => `${rule.number} ${rule.text}`),
      rules,
    );
  });
}

const directives: readonly (readonly [span: string, directive: unknown])[] = [
  ['protect: src/api/**, ./lib', {kind: 'protect', globs: ['src/api/**', 'lib']}],
  ['only: {a,b}/**,c', {kind: 'only', globs: ['{a,b}/**', 'c']}],
  ['forbid-path:services/*/', {kind: 'forbid-path', globs: ['services/*/']}],
  ['forbid-path: /etc, ok', {kind: 'forbid-path', globs: ['ok']}],
  ['max-files: 8', {kind: 'max-files', most: 8}],
  ['max-lines: 400', {kind: 'max-lines', most: 400}],
  ['forbid: /console\\.log\\(/', {kind: 'forbid', pattern: 'console\\.log\\(', flags: ''}],
  ['forbid: /a/b/gi', {kind: 'forbid', pattern: 'a/b', flags: 'i'}],
  ['require: npm audit: --omit=dev', {kind: 'require', command: 'npm audit: --omit=dev'}],
];

for (const [span, directive] of directives) {
  test(`\`${span}\` is a directive, in the validation section as well`, () => {
    for (const title of ['Rules', 'Validation']) {
      const {rules, checks} = parseRules(`# ${title}\n- Words. \`${span}\``).value;
      assert.deepEqual(rules, [{number: '1.1', text: 'Words.', line: 2, tooth: directive}]);
      assert.deepEqual(checks, []);
    }
  });
}

test('a directive is formatted as its author would write it, and parses to itself', () => {
  for (const [span] of directives) {
    const {tooth} = parseRules(`- \`${span}\``).value.rules[0]!;
    assert.deepEqual(parseRules(`- \`${formatDirective(tooth!)}\``).value.rules[0]?.tooth, tooth);
  }
});

test('a check is a rule to read and a command to run', () => {
  const {rules, checks} = parseRules(
    '# 2. VALIDATION loop\n1. Unit tests. `unit-tests: CI=1 npm test -- --grep "a: b"`',
  ).value;
  assert.deepEqual(rules, [{number: '1.1', text: 'Unit tests.', line: 2, check: 'unit-tests'}]);
  assert.deepEqual(checks, [{name: 'unit-tests', command: 'CI=1 npm test -- --grep "a: b"'}]);
});

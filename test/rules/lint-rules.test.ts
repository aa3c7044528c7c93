import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type LintName, lintRules, parseRules} from '../../source/rules/index.ts';
import {lintLevels} from '../../source/rules/lint.ts';

/**
 * For each finding: the items in which it must be found, and their honest neighbours in which it
 * must not.
 */
type Table = Partial<
  Readonly<
    Record<LintName, {readonly found: readonly string[]; readonly notFound: readonly string[]}>
  >
>;

/** Items of a plain section. */
const items: Table = {
  'misspelt-tooth': {
    found: [
      '`protcet: src/**`',
      '`Protect: src/**`',
      '`max-file: 3`',
      '`max_files: 3`',
      '`maxLines: 30`',
      '`forbid-paths: a/`',
      '`requires: npm audit`',
      '`onlly: src/**`',
    ],
    notFound: [
      '`protect: src/**`',
      '`color: red`',
      '`project-root: src/**`',
      '`on: push`',
      'Prefer `import x from "y"`',
    ],
  },
  'unknown-tooth': {
    found: ['`no-touch: src/**`', '`allow: src/**, test/**`', '`deny: /console/`'],
    notFound: [
      'Keep `strict: true`',
      'Never `display: none;`',
      'Set `role: "button"`',
      'Import from `node:fs`',
      'See `https://example.org/a`',
      'Send `Content-Type: text/html; charset=utf-8`',
      'Use `Foo::bar`',
      'Use `a ? b : c`',
      'Run `npm test`',
    ],
  },
  'tooth-not-last': {
    found: [
      'Keep `protect: src/**`.',
      '`max-files: 3` files',
      '(`only: src/**`)',
      '**`forbid: /x/`**',
      'a `max-files: 3` `max-lines: 9`',
    ],
    notFound: [
      'Keep. `protect: src/**`',
      'Use `name: value` pairs',
      'Say `only:` when you mean it',
      'Keep. `protect: src/**` <!-- because -->',
    ],
  },
  'empty-tooth': {found: ['`protect:`', '`forbid: `'], notFound: ['`protect`', '`protect: a`']},
  'bad-glob': {
    found: [
      '/src/**',
      'C:/src',
      '~/src',
      '../src',
      'src/../lib',
      'a\\b',
      '',
      'a,,b',
      'a,',
      '!src/**',
      '"src/**"',
      "'src'",
      '{a,b',
      'a}',
      'a*b*c*d',
      '**/a/**/b/**',
      '*/*/*/*/*',
      'a'.repeat(257),
      '{a}{b}{c}{d}{e}',
    ].map((glob) => `\`protect: x, ${glob}\``),
    notFound: [
      'src/**',
      './src/**',
      'src',
      'src/',
      '**/*.ts',
      'packages/*/src/**/*.ts',
      '{a,b}/**',
      'app/(shop)/[...slug]/page.tsx',
      'a b/c',
      '@scope/*',
      'ünï/*',
    ].map((glob) => `\`only: ${glob}\``),
  },
  'bad-number': {
    found: ['0', '-1', '1.5', '3 files', 'eight', '08', '1e3', '10000000', '∞'].map(
      (number) => `\`max-files: ${number}\``,
    ),
    notFound: ['`max-files: 1`', '`max-lines: 9999999`', '`max-lines:400`'],
  },
  'bad-pattern': {
    found: [
      'console.log',
      '/a',
      'a/',
      '//',
      '/a/x',
      '/a/uv',
      '/(/',
      '/[/',
      '/a*/',
      '/^/',
      `/${'a'.repeat(501)}/`,
    ].map((pattern) => `\`\`forbid: ${pattern}\`\``),
    notFound: [
      '/a/',
      '/a/i',
      '/a/g',
      '/console\\.log\\(/',
      '/\\/\\//',
      '/^\\s*debugger/m',
      '/[/]/',
      '/TODO|FIXME/',
    ].map((pattern) => `\`forbid: ${pattern}\``),
  },
  'slow-pattern': {
    found: [
      '/(a+)+/',
      '/(a*)*b/',
      '/(?:\\w+\\s?)+$/',
      '/(a|a)*b/',
      '/(\\w|\\d)+x/',
      '/(.*a){20}/',
      '/((ab)+c)*d/',
      '/((a+)b)+c/',
      '/(?<x>a+){2,}/',
      '/([a-z]|b)*$/',
    ].map((pattern) => `\`forbid: ${pattern}\``),
    notFound: [
      '/a+b+c/',
      '/(abc)+/',
      '/(a|b)+x/',
      '/(a+)?b/',
      '/(a+){3}b/',
      '/[(+*)]+/',
      '/\\(a+\\)+/',
      '/(?:foo|bar)+/',
      '/(?=a+)b/',
    ].map((pattern) => `\`forbid: ${pattern}\``),
  },
  'check-outside-validation': {
    found: [
      '`test: npm test`',
      '`lint: ./scripts/lint`',
      '`unit: CI=1 npx vitest run`',
      '`build: ninja-build all`',
    ],
    notFound: ['`require: npm test`', 'Run `npm test`', '`mode: fast`'],
  },
  'vague-check': {
    found: ['`require: ...`', '`require: ensure quality`'],
    notFound: ['`require: npm run size`'],
  },
  'shallow-glob': {
    found: ['`protect: *.sql`', '`only: src/**, *.md`', '`only: **.ts`'],
    notFound: ['`protect: **/*.sql`', '`protect: package.json`', '`only: **`', '`only: docs/*.md`'],
  },
};

describe('in a plain section', () => {
  testTable(
    items,
    (item) => `# Rules
- Say it. ${item}
`,
  );
});

/** Items of a validation section. */
const validations: Table = {
  'bad-check-name': {
    found: [
      '`Unit Tests: npm test`',
      '`unit_tests: npm test`',
      '`TEST: npm test`',
      '`1st: npm test`',
      `\`${'a'.repeat(32)}: npm test\``,
    ],
    notFound: [
      '`unit-tests: npm test`',
      '`e2e: npm test`',
      'See `https://example.org`',
      'Use `node:test`',
    ],
  },
  'check-without-name': {
    found: [
      'Run `npm test`',
      'Run `npm test`.',
      'Run `npm run test:unit`',
      '`./gradlew test`',
      'Run (`pytest`).',
    ],
    notFound: [
      '`test: npm test`',
      'All green prints `VALIDATION_OK`',
      'Run `npm test` before you push',
      '`max-files: 3`',
    ],
  },
  'empty-tooth': {found: ['`test:`', '`test: `'], notFound: ['`test: x`']},
  'vague-check': {
    found: [
      'make sure it works',
      'ensure all tests pass',
      'run the tests',
      'Run tests',
      'please test',
      'all tests pass',
      'tests must pass',
      'it should work',
      'check that it builds',
      '...',
      '…',
      '<command>',
      '<your test command>',
      'TODO',
      'tbd later',
      'your command here',
      'command',
      'n/a',
      '???',
    ].map((command) => `\`test: ${command}\``),
    notFound: [
      'npm test',
      'make',
      'make check',
      'make test-all',
      './run.sh',
      'go test ./...',
      'eslint .',
      'test -f dist/x.js',
      '[ -f dist/x.js ]',
      'run-tests',
      'check',
      'verify --all',
      'sort < in.txt > out.txt',
      'ensure-clean.sh',
    ].map((command) => `\`test: ${command}\``),
  },
  'check-cannot-fail': {
    found: [
      'true',
      ':',
      'exit 0',
      'echo ok',
      'npm test || true',
      'npm test; true',
      'npm test || :',
      'npm test || exit 0',
      'npm test || echo failed',
    ].map((command) => `\`test: ${command}\``),
    notFound: [
      'npm test',
      'npm test && true',
      'echo ok && npm test',
      'echo a | grep b',
      'test true',
      'npm test || exit 1',
    ].map((command) => `\`test: ${command}\``),
  },
  'check-never-ends': {
    found: [
      'vitest --watch',
      'npx jest --watchAll',
      'npm start',
      'npm run dev',
      'yarn dev',
      'pnpm run serve',
      'tail -f log',
      'watch ls',
    ].map((command) => `\`test: ${command}\``),
    notFound: [
      'vitest run',
      'jest --watch=false',
      'npx jest --watchAll=false',
      'npm run dev-check',
      'npm run start:check',
      'tail -n 3 log',
    ].map((command) => `\`test: ${command}\``),
  },
  'retry-not-once': {
    found: [
      'Retry until it passes.',
      'Keep trying until green.',
      'Retry 5 times.',
      'Retry up to three times',
      'Retry twice.',
      'At most 2 retries.',
      'After 3 attempts, stop.',
      'Fix and rerun until all is green.',
      'Never retry.',
      'Do not retry on failure.',
      'No retries.',
      'Loop forever',
    ],
    notFound: [
      'Retry once only if the failure is understood.',
      'Do not retry more than once.',
      'Never retry blindly.',
      'At most two attempts.',
      'Retry one time.',
      'Try the smallest fix first.',
      'Do not loop until it passes.',
      'Stop and explain if the failure persists.',
      'Run the tests 3 times.',
    ],
  },
};

describe('in the validation section', () => {
  testTable(
    validations,
    (item) => `# Validation loop
- ${item}
`,
  );
});

/** Whole files: title, text, and the findings to expect, as `line name`. */
const files: readonly (readonly [title: string, text: string, found: readonly string[]])[] = [
  ['nothing to say', '# Rules\n- a\n# Validation\n- b `test: npm test`', []],
  ['no validation section', '# Rules\n- a', ['1 no-checks']],
  [
    'a validation section that validates nothing',
    '# Rules\n- a\n# Validation\n- Run the tests.',
    ['4 empty-validation'],
  ],
  [
    'a check twice',
    '# Validation\n- a `test: npm test`\n- b `test: npm run b`',
    ['3 duplicate-check'],
  ],
  [
    'a rule about the product may retry as it likes',
    '# Rules\n- HTTP clients retry 3 times.\n# Validation\n- b `test: npm test`',
    [],
  ],
  [
    'style above constraints',
    '# Code style\n- a\n# Safety\n- b\n# Validation\n- c `test: npm test`',
    ['1 style-above-constraints'],
  ],
  [
    'style below constraints',
    '# Safety\n- a\n# Code style\n- b\n# Validation\n- c `test: npm test`',
    [],
  ],
  [
    'an architectural style is no style',
    '# Architectural style\n- a\n# Safety\n- b\n# Validation\n- c `test: npm test`',
    [],
  ],
  [
    'the same rule twice',
    '# Rules\n- Be brief.\n- be  brief\n# Validation\n- c `test: npm test`',
    ['3 duplicate-rule'],
  ],
  [
    'the same directive twice',
    '# Rules\n- a `max-files: 3`\n- b `max-files: 3`\n# Validation\n- c `test: npm test`',
    ['3 duplicate-rule'],
  ],
  [
    'the same text with other directives',
    '# Rules\n- Stay out. `protect: a/**`\n- Stay out. `protect: b/**`\n# Validation\n- c `test: npm test`',
    [],
  ],
  [
    'headings in the wrong order',
    '# 2. Rules\n- a\n# 1. Validation\n- c `test: npm test`',
    ['1 section-misnumbered'],
  ],
  [
    'a heading that begins with a number',
    '# 3 rules\n- a\n# 2. Validation\n- c `test: npm test`',
    [],
  ],
  [
    'prose under a heading',
    '# Title\n\nHello.\n\n## Rules\n\nWorld.\n\n- a\n\n## Validation\n- c `test: npm test`',
    ['7 prose-ignored'],
  ],
  [
    'a division called validation',
    '# Rules\n- a\n## Validation\n- c `test: npm test`\n# More\n- b',
    [],
  ],
  [
    'a title called validation',
    '# Validation rules\n## Rules\n- a `test: npm test`',
    ['1 no-checks', '3 check-outside-validation'],
  ],
];

describe('in a whole file:', () => {
  for (const [title, text, found] of files) {
    test(title, () => {
      assert.deepEqual(findingsIn(text), found);
    });
  }
});

test('a manifesto is measured in tokens, and comments cost nothing', () => {
  const rules = Array.from(
    {length: 120},
    (_, index) => `- Rule ${index} says that every change is small, tested and explained.\n`,
  ).join('');
  const validation = '# Validation\n- c `test: npm test`\n';
  const [manifesto] = lintRules(parseRules(`# Rules\n${rules}${validation}`));
  assert.match(manifesto?.text ?? '', /^The rules are 2\d{3} tokens, .* at most 1500\./);
  assert.deepEqual(findingsIn(`# Rules\n- a\n<!--\n${rules}-->\n${validation}`), []);
});

test('no finding contains characters that are unsafe to print', () => {
  const text = lintRules(
    parseRules(
      '# Rules\n- a `\u001B]0;x\u0007foo: x\u202Ey z`\n- b `protcet\u200B: x`\n- c `forbid: \u009B31m`',
    ),
  )
    .map((lint) => lint.text)
    .join('');

  assert.doesNotMatch(text, /[\u0000-\u001F\u007F-\u009F\u200B\u202E]/);
});

test('every finding ends with advice, and its name and level are in the table', () => {
  const all = [...Object.values(items), ...Object.values(validations)]
    .flatMap(({found}) => found)
    .flatMap((item) => [
      ...lintRules(parseRules(`# Rules\n- ${item}`)),
      ...lintRules(parseRules(`# Validation\n- ${item}`)),
    ]);
  for (const {name, level, text} of all) {
    assert.equal(level, lintLevels[name]);
    assert.match(text, /^\S.*[.?]$/s);
  }
});

function testTable(table: Table, fileWith: (item: string) => string): void {
  for (const [name, {found, notFound}] of Object.entries(table)) {
    for (const item of found) {
      test(`${name}: ${short(item)}`, () => {
        assert.ok(namesIn(fileWith(item)).includes(name));
      });
    }

    for (const item of notFound) {
      test(`no ${name}: ${short(item)}`, () => {
        assert.ok(!namesIn(fileWith(item)).includes(name));
      });
    }
  }
}

function namesIn(text: string): string[] {
  return lintRules(parseRules(text)).map(({name}) => name);
}

function findingsIn(text: string): string[] {
  return lintRules(parseRules(text)).map(({line, name}) => `${line} ${name}`);
}

function short(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

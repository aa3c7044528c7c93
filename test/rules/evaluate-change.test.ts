import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type ChangeToEvaluate,
  evaluateChange,
  parseRules,
  selectRequirements,
} from '../../source/rules/index.ts';
import {
  type ChangedFile,
  failureOfJudgement,
  type Rules,
  type RuleVerdict,
} from '../../source/domain/index.ts';

const nothingElse = {addedLines: [], links: [], required: []};

/** `+ a.ts 3`, `~ a.ts 3 1`, `- a.ts 0 4`: how, path, lines added, lines removed. */
function toFiles(...lines: readonly string[]): ChangedFile[] {
  const how = {'+': 'added', '~': 'modified', '-': 'deleted'} as const;
  return lines.map((line) => {
    const [sign, path = '', added = '1', removed = '0'] = line.split(' ');
    return {
      path,
      how: how[sign as '+' | '~' | '-'],
      added: Number(added),
      removed: Number(removed),
    };
  });
}

function parseItems(...items: readonly string[]): Rules {
  const {value, problems} = parseRules(`# A\n${items.map((item) => `- ${item}\n`).join('')}`);
  assert.deepEqual(problems, []);
  return value;
}

function verdictOn(
  item: string,
  files: readonly ChangedFile[],
  more: Partial<ChangeToEvaluate> = {},
): RuleVerdict | undefined {
  return evaluateChange({
    ...nothingElse,
    change: {tree: 't', files},
    planned: ['**'],
    rules: parseItems(item),
    ...more,
  }).rules[0];
}

const directives: readonly (readonly [
  item: string,
  files: readonly string[],
  verdict: RuleVerdict['verdict'],
  detail?: string,
])[] = [
  ['Words only.', ['~ a.ts'], 'not-checkable', 'has no directive'],

  ['a `protect: src/api/**`', [], 'kept'],
  ['a `protect: src/api/**`', ['~ src/app.ts', '+ api/src/a.ts'], 'kept'],
  ['a `protect: src/api/**`', ['~ src/api/a.ts'], 'broken', 'src/api/a.ts was modified'],
  ['a `protect: src/api/**`', ['+ src/api/.hidden'], 'broken', 'src/api/.hidden was added'],
  [
    'a `protect: src/api/**`',
    ['- src/api/a/b.ts', '~ src/api/c.ts', '~ b'],
    'broken',
    'src/api/a/b.ts and 1 more was deleted',
  ],
  ['a `protect: src/api/**`', ['~ SRC/api/a.ts'], 'kept'],
  ['a `protect: src/api`', ['~ src/api/a.ts'], 'broken', 'src/api/a.ts was modified'],
  ['a `protect: docs/ä/**`', ['~ docs/a\u0308/x.md'], 'broken', 'docs/a\u0308/x.md was modified'],
  ['a `protect: src/a.ts`', ['- src/a.ts 0 9', '+ src/b.ts 9 0'], 'broken', 'src/a.ts was deleted'],
  ['a `protect: src/b.ts`', ['- src/a.ts 0 9', '+ src/b.ts 9 0'], 'broken', 'src/b.ts was added'],
  [
    'a `protect: app/(shop)/[id]/**`',
    ['~ app/(shop)/[id]/page.tsx'],
    'broken',
    'app/(shop)/[id]/page.tsx was modified',
  ],

  ['a `only: src/**, package.json`', [], 'kept'],
  ['a `only: src/**, package.json`', ['~ src/a/b.ts', '~ package.json', '- src/c.ts'], 'kept'],
  [
    'a `only: src/**, package.json`',
    ['~ src/a.ts', '~ lib/package.json'],
    'broken',
    'lib/package.json is not in src/**, package.json',
  ],
  [
    'a `only: src/**`',
    ['~ Src/a.ts', '~ b', '~ c'],
    'broken',
    'Src/a.ts and 2 more is not in src/**',
  ],
  ['a `only: src/**`', ['~ ../src/a.ts'], 'broken', '../src/a.ts is not in src/**'],

  [
    'a `forbid-path: services/*/`',
    ['+ services/web/a.ts'],
    'broken',
    'services/web/a.ts was added',
  ],
  [
    'a `forbid-path: services/*/`',
    ['~ services/web/a.ts', '- services/api/b.ts', '+ services/README.md'],
    'kept',
  ],
  [
    'a `forbid-path: services/*/`',
    ['- a.ts 0 3', '+ services/x/a.ts 3 0'],
    'broken',
    'services/x/a.ts was added',
  ],

  ['a `max-files: 2`', [], 'kept', '0 files, at most 2'],
  ['a `max-files: 2`', ['~ a', '~ b'], 'kept', '2 files, at most 2'],
  ['a `max-files: 2`', ['~ a', '- b', '+ c'], 'broken', '3 files, at most 2'],
  ['a `max-files: 1`', ['~ a'], 'kept', '1 file, at most 1'],

  ['a `max-lines: 10`', ['~ a 6 4'], 'kept', '10 lines, at most 10'],
  ['a `max-lines: 10`', ['~ a 6 4', '+ b 1'], 'broken', '11 lines, at most 10'],
  ['a `max-lines: 10`', ['- a 0 11'], 'broken', '11 lines, at most 10'],
  ['a `max-lines: 1`', ['~ a 1'], 'kept', '1 line, at most 1'],

  ['a `forbid: /x/`', ['~ a.ts'], 'kept'],
  ['a `require: npm run size`', ['~ a.ts'], 'not-checkable', '`npm run size` was not run'],
];

describe('a directive is evaluated on the change:', () => {
  for (const [item, files, verdict, detail] of directives) {
    test(`${item} with ${files.join(', ') || 'nothing'} is ${verdict}`, () => {
      assert.deepEqual(verdictOn(item, toFiles(...files)), {
        number: '1.1',
        verdict,
        ...(detail !== undefined && {detail}),
      });
    });
  }
});

test('a name with a line end in it is still inside of the folder that it is in', () => {
  for (const name of ['a\nb.ts', 'a\rb.ts', 'a\u2028b', '\u0085', '\u0000']) {
    const files: ChangedFile[] = [{path: `src/api/${name}`, how: 'modified', added: 1, removed: 0}];
    assert.equal(
      verdictOn('a `protect: src/api/**`', files)?.verdict,
      'broken',
      JSON.stringify(name),
    );
    assert.equal(verdictOn('a `only: src/**`', files)?.verdict, 'kept', JSON.stringify(name));
  }
});

test('every detail of a judgement is on one line without hidden characters, whatever files are called', () => {
  const path = `src/api/\u001B[31m\n\t\u202E${'x'.repeat(500)}`;
  const {detail = ''} =
    verdictOn('a `protect: src/api/**`', [{path, how: 'added', added: 1, removed: 0}]) ?? {};
  assert.match(detail, /^src\/api\/\\u\{1b}\[31m\\n\\t\\u\{202e}x+… was added$/);
  assert.ok(detail.length < 260);
});

test('a required command decides by its exit, and one that could not be run proves nothing', () => {
  const required = (exit: number | null, text = ''): RuleVerdict | undefined =>
    verdictOn('a `require: npm run size`', toFiles('~ a'), {
      required: [{rule: '1.1', exit, text}],
    });
  assert.deepEqual(required(0, 'all fine'), {number: '1.1', verdict: 'kept'});
  assert.deepEqual(required(1, '  120 kB, at most\n100 kB'), {
    number: '1.1',
    verdict: 'broken',
    detail: '`npm run size` exited with 1: 120 kB, at most 100 kB',
  });
  assert.deepEqual(required(127), {
    number: '1.1',
    verdict: 'broken',
    detail: '`npm run size` exited with 127',
  });
  assert.deepEqual(required(null, 'after 20 min'), {
    number: '1.1',
    verdict: 'broken',
    detail: '`npm run size` did not finish: after 20 min',
  });
  assert.equal(
    verdictOn('a `require: x`', [], {required: [{rule: '9.9', exit: 1, text: ''}]})?.verdict,
    'not-checkable',
  );
});

test('of two rules that contradict each other the later is left out, with the reason', () => {
  const rules = parseItems(
    'a `max-files: 1`',
    'b `max-files: 9`',
    'Always log.',
    'Never log. `forbid: /log/`',
    'c `require: x`',
    'd `only: src/**`',
    'e `protect: src/**`',
    'f `only: docs/**`',
  );
  const change = {tree: 't', files: toFiles('~ src/a', '~ docs/b')};
  const judgement = evaluateChange({
    ...nothingElse,
    change,
    planned: ['**'],
    rules,
    addedLines: [{path: 'src/a', line: 1, text: 'log()'}],
  });
  assert.deepEqual(judgement, {
    outside: [],
    rules: [
      {number: '1.1', verdict: 'broken', detail: '2 files, at most 1'},
      {
        number: '1.2',
        verdict: 'not-checkable',
        detail:
          'contradicts rule 1.1, which is above it and wins: `max-files: 1` and `max-files: 9`',
      },
      {number: '1.3', verdict: 'not-checkable', detail: 'has no directive'},
      {
        number: '1.4',
        verdict: 'not-checkable',
        detail:
          'contradicts rule 1.3, which is above it and wins: the same thing is asked for and forbidden',
      },
      {number: '1.5', verdict: 'not-checkable', detail: '`x` was not run'},
      {number: '1.6', verdict: 'broken', detail: 'docs/b is not in src/**'},
      {
        number: '1.7',
        verdict: 'not-checkable',
        detail:
          'contradicts rule 1.6, which is above it and wins: `only:` allows "src/**" and `protect:` closes it',
      },
      {
        number: '1.8',
        verdict: 'not-checkable',
        detail:
          'contradicts rule 1.6, which is above it and wins: no path satisfies both `only:`; to allow two places, name both in one item',
      },
    ],
  });
  assert.deepEqual(failureOfJudgement(judgement), {
    kind: 'rule',
    number: '1.1',
    detail: '2 files, at most 1',
  });
});

test('a rule that is left out leaves nobody else out', () => {
  const rules = parseItems(
    'a `protect: src/**`',
    'b `only: src/**, docs/**`',
    'c `protect: docs/**`',
  );
  const {rules: verdicts} = evaluateChange({
    ...nothingElse,
    change: {tree: 't', files: toFiles('~ docs/a')},
    planned: ['**'],
    rules,
  });
  assert.deepEqual(
    verdicts.map(({verdict}) => verdict),
    ['kept', 'not-checkable', 'broken'],
  );
});

test('the commands to run are those of rules that count', () => {
  assert.deepEqual(
    selectRequirements(
      parseItems(
        'a `require: one`',
        'Use tabs.',
        'Never use tabs. `require: two`',
        'b `require: three`',
      ),
    ),
    [
      {rule: '1.1', command: 'one'},
      {rule: '1.4', command: 'three'},
    ],
  );
});

const scope: readonly (readonly [
  planned: string,
  changed: readonly string[],
  outside: readonly string[],
])[] = [
  ['src/a.ts', ['src/a.ts'], []],
  ['src/a.ts', ['src/a.ts', 'src/b.ts'], ['src/b.ts']],
  ['src', ['src/a.ts', 'src/b/c.ts', 'src2/a.ts'], ['src2/a.ts']],
  ['src/', ['src/a.ts', 'src2'], ['src2']],
  ['src/*.ts', ['src/a.ts', 'src/b/c.ts'], ['src/b/c.ts']],
  ['docs/**', ['docs/.x/y.md', 'README.md'], ['README.md']],
  ['src/a.ts', ['SRC/a.ts', 'src/A.ts', 'src/a.ts'], ['SRC/a.ts', 'src/A.ts']],
  ['docs/ä.md', ['docs/a\u0308.md', 'docs/ä.md'], []],
  ['日本/**', ['日本/語.txt', '日/本.txt'], ['日/本.txt']],
  ['a?.ts', ['ab.ts', 'a.ts'], ['a.ts']],
  ['app/[id]/page.tsx', ['app/[id]/page.tsx', 'app/i/page.tsx'], ['app/i/page.tsx']],
  ['src/**', ['-rf', 'src/--help', '$(id)', 'src/`id`'], ['-rf', '$(id)']],
  ['src/a.ts', ['src/a.ts/../../x'], ['src/a.ts/../../x']],
  ['src/**', ['src/*', '*', 'src/{a,b}'], ['*']],
];

describe('what the plan does not name is outside:', () => {
  for (const [planned, changed, outside] of scope) {
    test(`${changed.join(', ')} where ${planned} is planned`, () => {
      const files = changed.map((path): ChangedFile => ({
        path,
        how: 'modified',
        added: 1,
        removed: 1,
      }));
      assert.deepEqual(
        evaluateChange({
          ...nothingElse,
          change: {tree: 't', files},
          planned: [planned],
          rules: parseItems('a'),
        }).outside,
        outside,
      );
    });
  }
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {type ChangeToEvaluate, evaluateChange, parseRules} from '../../source/rules/index.ts';
import {type ChangedFile, failureOfJudgement, type Judgement} from '../../source/domain/index.ts';

const {value: rules} = parseRules('# A\n- a `protect: x`');

function judge(files: readonly ChangedFile[], more: Partial<ChangeToEvaluate> = {}): Judgement {
  return evaluateChange({
    change: {tree: 't', files},
    planned: ['**'],
    rules,
    addedLines: [],
    links: [],
    required: [],
    ...more,
  });
}

function file(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  return {path, how: 'modified', added: 1, removed: 0, ...more};
}

const always: readonly (readonly [path: string, why: string])[] = [
  ['.gitmodules', 'adds other repositories'],
  ['vendor/.gitmodules', 'adds other repositories'],
  ['.GITMODULES', 'adds other repositories'],
  ['.git\u200Dmodules', 'adds other repositories'],
  ['.gitmodules.', 'adds other repositories'],
  ['GITMOD~1', 'adds other repositories'],
  ['.git/hooks/pre-commit', "belongs to git's own files"],
  ['a/.git', "belongs to git's own files"],
  ['.Git/config', "belongs to git's own files"],
  ['.git::$INDEX_ALLOCATION/x', "belongs to git's own files"],
  ['git~1/config', "belongs to git's own files"],
  ['src/a\nb.ts', 'its name has control characters'],
  ['src/\u001B]52;c;x\u0007', 'its name has control characters'],
];

describe('no plan allows:', () => {
  for (const [path, why] of always) {
    test(JSON.stringify(path), () => {
      const judgement = judge([file('ok.ts'), file(path)], {planned: ['**', path]});
      assert.deepEqual(judgement, {
        outside: [path],
        refused: [{path, why}],
        rules: [{number: '1.1', verdict: 'kept'}],
      });
      assert.deepEqual(failureOfJudgement(judgement), {
        kind: 'scope',
        paths: [path],
        refused: judgement.refused,
      });
    });
  }
});

const steering: readonly (readonly [
  path: string,
  named: readonly string[],
  notNamed: readonly string[],
])[] = [
  ['.rulesfile.md', ['.rulesfile.md'], ['**', '.*', '*.md', '.rulesfile.*']],
  [
    '.orchestra/hooks/start.sh',
    ['.orchestra/hooks/start.sh', '.orchestra/hooks', '.orchestra/hooks/**'],
    ['**', '.orchestra', '.orchestra/**', '.orchestra/*/start.sh'],
  ],
  [
    '.orchestra/project.yaml',
    ['.orchestra/project.yaml'],
    ['**', '.orchestra/', '.orchestra/*.yaml'],
  ],
];

describe('the plan must name itself:', () => {
  for (const [path, named, notNamed] of steering) {
    test(path, () => {
      for (const planned of named)
        assert.deepEqual(judge([file(path)], {planned: [planned]}).outside, [], planned);
      for (const planned of notNamed)
        assert.equal(judge([file(path)], {planned: [planned]}).refused?.[0]?.path, path, planned);
      const twin = path.toUpperCase();
      assert.equal(
        judge([file(twin)], {planned: [...named, '**']}).refused,
        undefined,
        'a plan that names one spelling was approved for the file itself',
      );
      assert.equal(judge([file(twin)], {planned: ['**']}).refused?.[0]?.path, twin);
    });
  }
});

test('naming one file of the hooks is no permission for the others', () => {
  assert.deepEqual(
    judge([file('.orchestra/hooks/a'), file('.orchestra/hooks/b')], {
      planned: ['.orchestra/hooks/a'],
    }).outside,
    ['.orchestra/hooks/b'],
  );
});

const attributes: readonly (readonly [
  name: string,
  more: Partial<ChangedFile>,
  lines: readonly string[],
  isRejected: boolean,
])[] = [
  ['line ends and binary files', {added: 2}, ['* text=auto', '*.png binary -diff -merge'], false],
  ['lines taken away', {added: 0, removed: 3}, [], false],
  ['the file taken away', {how: 'deleted', added: 0, removed: 3}, [], false],
  ['a filter', {}, ['*.js filter=evil'], true],
  ['a diff driver', {}, ['"a b" text diff=evil'], true],
  ['a merge driver', {}, ['* merge=evil'], true],
  ['a macro', {}, ['[attr]x FILTER=evil'], true],
  ['large files', {}, ['*.psd filter=lfs diff=lfs merge=lfs -text'], true],
  ['lines that nobody could see', {added: 2}, ['* text'], true],
  ['bytes that are no text', {added: 0, removed: 0}, [], true],
];

describe('attributes that name programs are refused:', () => {
  for (const [name, more, lines, isRejected] of attributes) {
    test(name, () => {
      for (const path of ['.gitattributes', 'src/.GitAttributes']) {
        const judgement = judge([file(path, more)], {
          addedLines: lines.map((text, index) => ({path, line: index + 1, text})),
        });
        assert.deepEqual(
          judgement.refused,
          isRejected ? [{path, why: 'makes git run filter, diff or merge programs'}] : undefined,
        );
        assert.deepEqual(judgement.outside, isRejected ? [path] : []);
      }
    });
  }
});

test('.gitignore, .gitkeep and .github are ordinary files', () => {
  assert.deepEqual(
    judge(
      ['.gitignore', 'a/.gitkeep', '.github/workflows/a.yml', 'git.md', '.gitlab-ci.yml'].map(
        (path) => file(path),
      ),
    ).outside,
    [],
  );
});

test('links that lead out of the worktree, or into git, are refused; others are files', () => {
  const links = [
    {path: 'a', target: '/etc/passwd', isOutside: true},
    {path: 'b', target: '../main/src', isOutside: true},
    {path: 'c', target: 'src/x', isOutside: false},
    {path: 'd', target: './.GIT/config', isOutside: false},
  ];
  const judgement = judge(
    ['a', 'b', 'c', 'd'].map((path) => file(path)),
    {links},
  );
  assert.deepEqual(judgement.outside, ['a', 'b', 'd']);
  assert.deepEqual(judgement.refused, [
    {path: 'a', why: 'is a link that leads outside the worktree'},
    {path: 'b', why: 'is a link that leads outside the worktree'},
    {path: 'd', why: "is a link into git's own files"},
  ]);
});

test('a path is named once, what is refused first', () => {
  const judgement = judge([file('z.ts'), file('.gitmodules'), file('y.ts')], {
    planned: ['y.ts'],
    links: [{path: '.gitmodules', target: '/x', isOutside: true}],
  });
  assert.deepEqual(judgement.outside, ['.gitmodules', 'z.ts']);
  assert.deepEqual(judgement.refused, [{path: '.gitmodules', why: 'adds other repositories'}]);
});

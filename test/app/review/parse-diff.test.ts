import assert from 'node:assert/strict';
import {chmodSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';
import {type DiffFile, parseDiff} from '../../../source/app/review/parse-diff.ts';
import {computeDiff} from '../../../source/git/index.ts';
import {makeRepository, type TestRepository} from '../../git/support/repository.ts';
import {fc} from '../../support/property.ts';

test('paths, letters and lines with numbers', () => {
  const text = [
    'diff --git a/src/a b.ts b/src/a b.ts',
    'index 1..2 100644',
    '--- a/src/a b.ts\t',
    '+++ b/src/a b.ts\t',
    '@@ -3,2 +3,3 @@ function x() {',
    ' same',
    '-old',
    '+new',
    '+--- not a file',
    '\\ No newline at end of file',
    '',
  ].join('\n');
  assert.deepEqual(parseDiff(text), [
    {
      path: 'src/a b.ts',
      how: 'M',
      objects: '1..2',
      notices: [],
      hunks: [
        {
          omitted: 2,
          heading: 'function x() {',
          lines: [
            {kind: 'context', text: 'same', oldLine: 3, newLine: 3},
            {kind: 'removed', text: 'old', oldLine: 4},
            {kind: 'added', text: 'new', newLine: 4},
            {kind: 'added', text: '--- not a file', newLine: 5, hasNoNewline: true},
          ],
        },
      ],
    },
  ] satisfies DiffFile[]);
});

test('a line of a file that looks like the head of a diff is a line', () => {
  const files = parseDiff(
    'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -0,0 +1,2 @@\n+diff --git a/evil b/evil\n+@@ -1 +1 @@\n',
  );
  assert.deepEqual(
    files.map(({path: file, hunks}) => [file, hunks.flatMap(({lines}) => lines).length]),
    [['x', 2]],
  );
});

test('whatever comes, it is parsed', () => {
  const row = fc.oneof(
    fc.constantFrom(
      'diff --git a/x b/x',
      'diff --git ',
      '@@ -1 +1 @@',
      '@@ -0,0 +1,9 @@',
      'index ',
      'rename from "a',
      'rename to "\\303\\"',
      '+++ "b/\\',
      '\\ No newline',
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(row), (rows) => {
      parseDiff(rows.join('\n'));
    }),
  );
});

type Case = {
  readonly name: string;
  readonly before: Readonly<Record<string, string | Buffer>>;
  readonly edit: (root: string) => void;
  readonly shown: readonly Partial<DiffFile>[];
};

const put = (root: string, file: string, text: string | Buffer): void => {
  writeFileSync(path.join(root, file), text);
};

const tenLines = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n';

const cases: readonly Case[] = [
  {
    name: 'a name with spaces, quotes, a tab and letters of other scripts',
    before: {},
    edit: (root) => {
      put(root, 'a "b"\té 漢 b', 'x\n');
    },
    shown: [{path: 'a "b"\té 漢 b', how: 'A'}],
  },
  {
    name: 'a quoted name of an empty file',
    before: {},
    edit: (root) => {
      put(root, 'a\u0001"b', '');
    },
    shown: [{path: 'a\u0001"b', how: 'A', hunks: []}],
  },
  {
    name: 'a renamed file, with a changed line',
    before: {one: tenLines},
    edit: (root) => {
      rmSync(path.join(root, 'one'));
      put(root, 'two words', `${tenLines}eleven\n`);
    },
    shown: [{path: 'two words', before: 'one', how: 'R'}],
  },
  {
    name: 'a new mode',
    before: {run: 'x\n'},
    edit: (root) => {
      chmodSync(path.join(root, 'run'), 0o755);
    },
    shown: [{path: 'run', how: 'M', notices: ['It can be run as a program now.'], hunks: []}],
  },
  {
    name: 'a file that becomes a link',
    before: {link: 'x\n'},
    edit: (root) => {
      rmSync(path.join(root, 'link'));
      symlinkSync('elsewhere', path.join(root, 'link'));
    },
    shown: [{path: 'link', how: 'M', notices: ['Its type changed.', 'A symbolic link.']}],
  },
  {
    name: 'a binary file',
    before: {picture: Buffer.from([0, 1, 2])},
    edit: (root) => {
      put(root, 'picture', Buffer.from([0, 1, 3]));
    },
    shown: [{notices: ['Not shown: a binary file, or one of more than 4 MB.'], hunks: []}],
  },
  {
    name: 'a deleted file',
    before: {'old name': 'x\n'},
    edit: (root) => {
      rmSync(path.join(root, 'old name'));
    },
    shown: [{path: 'old name', how: 'D'}],
  },
];

describe('as git writes it:', () => {
  for (const {name, before, edit, shown} of cases)
    test(name, async () => {
      await inRepository(async (repository) => {
        for (const [file, text] of Object.entries(before)) put(repository.root, file, text);
        const from = commit(repository);
        edit(repository.root);
        const to = commit(repository);
        const files = parseDiff(await computeDiff(repository.workspace, {from, to}));
        assert.deepEqual(
          files.map((file, index) => pick(file, shown[index] ?? {})),
          shown,
        );
      });
    });
});

function pick(file: DiffFile, wanted: Partial<DiffFile>): Partial<DiffFile> {
  return Object.fromEntries(Object.entries(file).filter(([key]) => Object.hasOwn(wanted, key)));
}

function commit({git, head}: TestRepository): string {
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'next');
  return head();
}

async function inRepository(act: (repository: TestRepository) => Promise<void>): Promise<void> {
  const repository = makeRepository();
  try {
    await act(repository);
  } finally {
    repository.remove();
  }
}

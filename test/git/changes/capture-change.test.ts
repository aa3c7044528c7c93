import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {
  captureChange,
  ensureWorktree,
  restoreTracked,
  touchedSince,
} from '../../../source/git/index.ts';
import {type TestRepository, withRepository} from '../support/repository.ts';

type Fixture = TestRepository & {
  readonly directory: string;
  readonly base: string;
  readonly put: (file: string, text: string) => void;
};

async function withTaskWorktree(
  files: Readonly<Record<string, string>>,
  act: (fixture: Fixture) => Promise<void>,
): Promise<void> {
  await withRepository(files, async (repository) => {
    const base = repository.head();
    const {path: directory} = await ensureWorktree(repository.workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from: base,
      mayRebuild: true,
    });
    const put = (file: string, text: string): void => {
      mkdirSync(path.dirname(path.join(directory, file)), {recursive: true});
      writeFileSync(path.join(directory, file), text);
    };
    await act({...repository, directory, base, put});
  })();
}

describe('capturing a change', () => {
  it('sees what was added, edited, deleted, made executable and turned into a link, with the lines', async () => {
    await withTaskWorktree(
      {
        'a.txt': 'one\ntwo\n',
        'gone.txt': 'x\n',
        'run.sh': 'echo\n',
        turned: 'text\n',
        'ignored/.keep': '',
      },
      async ({workspace, directory, base, put}) => {
        put('a.txt', 'one\n2\nthree');
        put('new/b.txt', '++ b\n-- a\n@@ -1 +1 @@\n');
        put('picture.bin', 'a\0b');
        rmSync(path.join(directory, 'gone.txt'));
        chmodSync(path.join(directory, 'run.sh'), 0o755);
        rmSync(path.join(directory, 'turned'));
        symlinkSync('a.txt', path.join(directory, 'turned'));
        const {change, addedLines, links, nested, unread} = await captureChange(workspace, {
          directory,
          base,
        });
        assert.deepEqual(change.files, [
          {path: 'a.txt', how: 'modified', added: 2, removed: 1},
          {path: 'gone.txt', how: 'deleted', added: 0, removed: 1},
          {path: 'new/b.txt', how: 'added', added: 3, removed: 0},
          {path: 'picture.bin', how: 'added', added: 0, removed: 0},
          {path: 'run.sh', how: 'modified', added: 0, removed: 0},
          {path: 'turned', how: 'modified', added: 1, removed: 1},
        ]);
        assert.deepEqual(addedLines, [
          {path: 'a.txt', line: 2, text: '2'},
          {path: 'a.txt', line: 3, text: 'three'},
          {path: 'new/b.txt', line: 1, text: '++ b'},
          {path: 'new/b.txt', line: 2, text: '-- a'},
          {path: 'new/b.txt', line: 3, text: '@@ -1 +1 @@'},
        ]);
        assert.deepEqual(links, [{path: 'turned', target: 'a.txt', isOutside: false}]);
        assert.deepEqual([nested, unread], [[], [{path: 'picture.bin', why: 'binary'}]]);
      },
    );
  });

  it('is not led astray by names, nor by attributes that call a source file binary', async () => {
    await withTaskWorktree({'a.txt': 'one\n'}, async ({workspace, directory, base, put}) => {
      const names = [
        '-rf',
        ':(exclude)x',
        'new\nline',
        'tab\there',
        'esc\u001B[31m',
        'ünïcode',
        '"quoted"',
        'a b ',
        'diff --git a b',
      ];
      for (const name of names) put(name, `+++ b/${name}\n`);
      put('.gitattributes', '* -diff binary\n');
      const {change, addedLines, unread} = await captureChange(workspace, {directory, base});
      assert.deepEqual(
        new Set(change.files.map((file) => file.path)),
        new Set([...names, '.gitattributes']),
      );
      assert.ok(change.files.every(({added}) => added > 0));
      assert.deepEqual(unread, []);
      assert.deepEqual(
        addedLines
          .filter(({line}) => line === 1)
          .map(({path: file, text}) => [file, text])
          .sort(),
        [
          ...names.map((name) => [name, `+++ b/${name.split('\n')[0]!}`]),
          ['.gitattributes', '* -diff binary'],
        ].sort(),
      );
    });
  });

  it('sees the work whatever an agent did to its own git', async () => {
    const attacks: Readonly<Record<string, (fixture: Fixture) => void>> = {
      'its .git file is gone': ({directory}) => {
        rmSync(path.join(directory, '.git'));
      },
      'its .git file names a repository of its own': ({directory, home, gitIn}) => {
        gitIn(home, 'init', '-q', 'evil');
        gitIn(path.join(home, 'evil'), 'config', 'core.fsmonitor', `touch ${home}/ran`);
        writeFileSync(path.join(directory, '.git'), `gitdir: ${home}/evil/.git\n`);
      },
      'it committed': ({directory, gitIn}) => {
        gitIn(directory, 'add', '-A');
        gitIn(directory, 'commit', '-qm', 'mine');
      },
      'it deleted its branch': ({directory, gitIn}) => {
        gitIn(directory, 'switch', '-q', '--detach');
        gitIn(directory, 'branch', '-D', 'orchestra/r1-t1');
      },
      'it left an index.lock': ({directory, gitIn}) => {
        writeFileSync(
          path.join(gitIn(directory, 'rev-parse', '--absolute-git-dir').trim(), 'index.lock'),
          '',
        );
      },
      'it hid a file in its index': ({directory, gitIn}) => {
        gitIn(directory, 'update-index', '--assume-unchanged', 'a.txt');
      },
      'it began a merge': ({directory, gitIn}) => {
        gitIn(directory, 'stash', '-q');
        gitIn(directory, 'switch', '-qc', 'side');
        writeFileSync(path.join(directory, 'c.txt'), 'c\n');
        gitIn(directory, 'add', '-A');
        gitIn(directory, 'commit', '-qm', 'side');
        gitIn(directory, 'switch', '-q', 'orchestra/r1-t1');
        gitIn(directory, 'merge', '-q', '--no-ff', '--no-commit', 'side');
        gitIn(directory, 'stash', 'pop', '-q');
        gitIn(directory, 'rm', '-qf', 'c.txt');
      },
    };
    for (const [name, attack] of Object.entries(attacks)) {
      await withTaskWorktree({'a.txt': 'one\n'}, async (fixture) => {
        fixture.put('a.txt', 'two\n');
        attack(fixture);
        const {change} = await captureChange(fixture.workspace, {
          directory: fixture.directory,
          base: fixture.base,
        });
        assert.deepEqual(
          change.files,
          [{path: 'a.txt', how: 'modified', added: 1, removed: 1}],
          name,
        );
      });
    }
  });

  it('names repositories made inside and does not swallow them', async () => {
    await withTaskWorktree(
      {'source/a.txt': 'one\n'},
      async ({workspace, directory, base, put, gitIn}) => {
        for (const name of ['empty', 'full', 'source']) gitIn(directory, 'init', '-q', name);
        put('full/x', 'x\n');
        gitIn(path.join(directory, 'full'), 'add', '-A');
        gitIn(path.join(directory, 'full'), 'commit', '-qm', 'x');
        put('source/a.txt', 'two\n');
        const {change, nested} = await captureChange(workspace, {directory, base});
        assert.deepEqual(
          [change.files.map((file) => file.path), nested],
          [['source/a.txt'], ['empty', 'full', 'source']],
        );
      },
    );
  });

  it('tells links that lead out, also by way of another', async () => {
    await withTaskWorktree({'deep/er/a.txt': 'one\n'}, async ({workspace, directory, base}) => {
      const links: readonly (readonly [string, string, boolean])[] = [
        ['absolute', '/etc/passwd', true],
        ['deep/up', '../deep/er', false],
        ['deep/out', '../../x', true],
        ['git', '.git/config', true],
        ['inner', 'deep/er', false],
        ['nowhere', 'not/there', false],
        ['round', 'round', true],
        ['through', 'inner/../../../x', true],
        ['within', 'inner/../er/a.txt', false],
      ];
      for (const [file, target] of links) symlinkSync(target, path.join(directory, file));
      const captured = await captureChange(workspace, {directory, base});
      assert.deepEqual(
        captured.links,
        links
          .map(([file, target, isOutside]) => ({path: file, target, isOutside}))
          .sort((one, other) => (one.path < other.path ? -1 : 1)),
      );
    });
  });

  it('says which files it did not read whole', async () => {
    await withTaskWorktree({'a.txt': 'one\n'}, async ({workspace, directory, base, put}) => {
      put('large.txt', 'line\n'.repeat(1_000_000));
      put('long.txt', `${'x'.repeat(30_000)}\nshort\n`);
      const {addedLines, unread, change} = await captureChange(workspace, {directory, base});
      assert.deepEqual(unread, [
        {path: 'large.txt', why: 'too large'},
        {path: 'long.txt', why: 'a line too long'},
      ]);
      assert.deepEqual(
        addedLines.map(({path: file, line, text}) => [file, line, text.length]),
        [
          ['long.txt', 1, 20_000],
          ['long.txt', 2, 5],
        ],
      );
      assert.deepEqual(
        change.files.map(({added}) => added),
        [0, 2],
      );
    });
  });

  it('is kept from git gc for what it was captured', async () => {
    await withTaskWorktree({'a.txt': 'one\n'}, async ({workspace, directory, base, put, git}) => {
      put('b.txt', 'two\n');
      const {change} = await captureChange(workspace, {directory, base, save: 'r1.t1.a1'});
      git('gc', '-q', '--prune=now');
      assert.equal(git('cat-file', '-t', change.tree), 'tree\n');
      assert.equal(
        git('for-each-ref', '--format=%(refname)', 'refs/orchestra/keep'),
        `refs/orchestra/keep/r1-t1-a1/${change.tree}\n`,
      );
      assert.equal(git('fsck', '--no-dangling'), '');
    });
  });

  it('leaves no name behind when somebody only looks', async () => {
    await withTaskWorktree({'a.txt': 'one\n'}, async ({workspace, directory, base, put, git}) => {
      put('b.txt', 'two\n');
      await captureChange(workspace, {directory, base});
      assert.equal(git('for-each-ref', 'refs/orchestra'), '');
    });
  });

  it('tells what a check touched, and puts back what was there', async () => {
    await withTaskWorktree(
      {'a.txt': 'one\n', 'b.txt': 'b\n'},
      async ({workspace, directory, base, put}) => {
        put('a.txt', 'two\n');
        const {
          change: {tree},
        } = await captureChange(workspace, {directory, base});
        put('a.txt', 'changed by a check\n');
        rmSync(path.join(directory, 'b.txt'));
        put('report.xml', '<x/>\n');
        const paths = await touchedSince(workspace, {directory, tree});
        assert.deepEqual(paths, ['a.txt', 'b.txt', 'report.xml']);
        assert.deepEqual(await restoreTracked(workspace, {directory, tree, paths}), [
          'a.txt',
          'b.txt',
        ]);
        assert.deepEqual(await touchedSince(workspace, {directory, tree}), ['report.xml']);
      },
    );
  });
});

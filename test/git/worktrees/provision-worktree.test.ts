import assert from 'node:assert/strict';
import path from 'node:path';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {hashTree, provisionWorktree} from '../../../source/git/index.ts';
import {type TestRepository, withWorktree} from '../support/repository.ts';

function withPlace(
  files: Readonly<Record<string, string>>,
  act: (repository: TestRepository, place: string) => Promise<void>,
): () => Promise<void> {
  return withWorktree({'readme.md': 'hello\n', ...files}, (repository, {path: place}) =>
    act(repository, place),
  );
}

const nothing = {copy: [], share: []};

describe('what git does not bring into a worktree', () => {
  it(
    'is copied when .worktreeinclude names it and git ignores it, with its mode; nothing else is',
    withPlace(
      {
        '.gitignore': '.env*\n*.local\nkeys/\nlinks\n',
        '.worktreeinclude':
          '# secrets\n.env*\n!.env.test\nkeys/**\nreadme.md\nuntracked.txt\nlinks\n',
      },
      async ({workspace, write, home, root}, place) => {
        for (const [file, text] of Object.entries({
          '.env': 'A=1\n',
          '.env.test': 'no\n',
          'deep/.env.dev': 'deep\n',
          'keys/a/b.pem': 'key\n',
          'other.local': 'no\n',
          'untracked.txt': 'no\n',
        }))
          write(file, text);
        chmodSync(path.join(root, 'keys/a/b.pem'), 0o400);
        writeFileSync(path.join(home, 'secret'), 'outside\n');
        symlinkSync(path.join(home, 'secret'), path.join(root, 'links'));
        assert.deepEqual(await provisionWorktree(workspace, place, nothing), {
          copied: 3,
          shared: [],
          notes: ['links was not copied: it is a link.'],
        });
        assert.deepEqual(
          [
            '.env',
            '.env.test',
            'deep/.env.dev',
            'keys/a/b.pem',
            'other.local',
            'untracked.txt',
            'links',
          ].map((file) => existsSync(path.join(place, file))),
          [true, false, true, true, false, false, false],
        );
        assert.equal(lstatSync(path.join(place, 'keys/a/b.pem')).mode & 0o777, 0o400);
        writeFileSync(path.join(place, '.env'), 'A=2\n');
        assert.equal((await provisionWorktree(workspace, place, nothing)).copied, 3);
        assert.equal(readFileSync(path.join(place, '.env'), 'utf8'), 'A=2\n');
      },
    ),
  );

  it(
    'is copied when the project names it, and never through a link of the worktree',
    withPlace(
      {'.gitignore': 'config/secret\n*.local\n'},
      async ({workspace, write, home, root}, place) => {
        write('config/secret', 'secret\n');
        write('a.local', 'a\n');
        mkdirSync(path.join(home, 'elsewhere'));
        symlinkSync(path.join(home, 'elsewhere'), path.join(place, 'config'));
        assert.deepEqual(
          await provisionWorktree(workspace, place, {
            copy: ['/config/secret', '*.local'],
            share: [],
          }),
          {
            copied: 1,
            shared: [],
            notes: ['config/secret was not copied: a link in the worktree leads outside.'],
          },
        );
        assert.deepEqual(readdirSync(path.join(home, 'elsewhere')), []);
        assert.equal(existsSync(path.join(root, 'a.local')), true);
      },
    ),
  );

  it(
    'is shared as a private copy: writing on either side does not reach the other',
    withPlace({'.gitignore': 'node_modules/\n'}, async ({workspace, write, root, home}, place) => {
      write('node_modules/one/index.js', 'one\n');
      write('node_modules/.bin/keep', '');
      symlinkSync('../one/index.js', path.join(root, 'node_modules/.bin/one'));
      symlinkSync(path.join(home), path.join(root, 'node_modules/out'));
      symlinkSync('../../../x', path.join(root, 'node_modules/up'));
      const {shared, notes} = await provisionWorktree(workspace, place, {
        copy: [],
        share: ['node_modules/'],
      });
      assert.deepEqual(
        [shared.map(({path: file}) => file), ['reflink', 'copy'].includes(shared[0]?.how ?? '')],
        [['node_modules'], true],
      );
      assert.equal(
        notes[0],
        '2 links in node_modules that lead out of the repository were left out: out, up.',
      );
      assert.equal(readlinkSync(path.join(place, 'node_modules/.bin/one')), '../one/index.js');
      writeFileSync(path.join(place, 'node_modules/one/index.js'), 'changed\n');
      assert.equal(readFileSync(path.join(root, 'node_modules/one/index.js'), 'utf8'), 'one\n');
      assert.deepEqual(
        await provisionWorktree(workspace, place, {copy: [], share: ['node_modules']}),
        {copied: 0, shared: [], notes: []},
      );
      assert.deepEqual(readdirSync(path.join(workspace.private, 'making')), []);
    }),
  );

  it(
    "is hard-linked only on the project's own word",
    withPlace({'.gitignore': 'store/\n'}, async ({workspace, write, root}, place) => {
      write('store/a/b', 'b\n');
      assert.deepEqual(
        (
          await provisionWorktree(workspace, place, {
            copy: [],
            share: [{path: 'store', by: 'hard-link'}],
          })
        ).shared,
        [{path: 'store', how: 'hard-link'}],
      );
      assert.equal(
        lstatSync(path.join(place, 'store/a/b')).ino,
        lstatSync(path.join(root, 'store/a/b')).ino,
      );
      assert.notEqual(
        lstatSync(path.join(place, 'store/a')).ino,
        lstatSync(path.join(root, 'store/a')).ino,
      );
    }),
  );

  it(
    'is not shared when it is tracked, a link, outside, or not there',
    withPlace(
      {'.gitignore': 'linked\n', 'source/a': 'a\n'},
      async ({workspace, home, root, write}, place) => {
        symlinkSync(home, path.join(root, 'linked'));
        write('plain/x', 'x');
        const {shared, notes} = await provisionWorktree(workspace, place, {
          copy: [],
          share: ['source/../source2', 'linked', '../private', '.git/hooks', '/etc', 'plain'],
        });
        assert.deepEqual(shared, []);
        assert.deepEqual(notes, [
          'source/../source2 is not shared: there is none in your checkout.',
          'linked is not shared: it is a link or a file, and a link would let tasks write into each other.',
          '../private is not shared: it is not a directory inside of the repository.',
          '.git/hooks is not shared: it is not a directory inside of the repository.',
          '/etc is not shared: it is not a directory inside of the repository.',
          'plain is not shared: git does not ignore it, so it is part of the work.',
        ]);
      },
    ),
  );

  it(
    'does not count as work: the hash of the worktree stays',
    withPlace(
      {'.gitignore': '.env\n', '.worktreeinclude': '.env\n'},
      async ({workspace, write, git}, place) => {
        write('.env', 'A=1\n');
        await provisionWorktree(workspace, place, nothing);
        assert.equal(await hashTree(workspace, place), git('rev-parse', 'HEAD^{tree}').trim());
      },
    ),
  );
});

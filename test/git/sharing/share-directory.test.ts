import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import {describe, it} from 'node:test';
import {
  discardPrepared,
  ensureWorktree,
  isProvisioned,
  outsideDifference,
  outsideFingerprint,
  prepareShares,
  prepareWorktrees,
  provisionWorktree,
  sweepHalfShared,
} from '../../../source/git/index.ts';
import {relocate, replacePath} from '../../../source/git/sharing/relocate.ts';
import {fingerprintSource} from '../../../source/git/sharing/prepared-shares.ts';
import {shareDirectory} from '../../../source/git/sharing/share-directory.ts';
import {makeRepository, type TestRepository} from '../support/repository.ts';
import {needs} from '../../support/needs.ts';

const owner = 'r1.t1';
const goOn = (): void => undefined;

function inRepository(
  files: Readonly<Record<string, string>>,
  test: (repository: TestRepository) => Promise<void>,
): () => Promise<void> {
  return async () => {
    const repository = makeRepository({'readme.md': 'hello\n', ...files});
    try {
      await test(repository);
    } finally {
      repository.remove();
    }
  };
}

const place = async ({workspace}: TestRepository): Promise<string> =>
  (
    await ensureWorktree(workspace, {
      owner,
      branch: 'orchestra/r1-t1',
      from: 'HEAD',
      mayRebuild: true,
    })
  ).path;

describe('dependencies that are shared', () => {
  it(
    'keep the links of workspaces and of pnpm, also those with a full path inside of the checkout',
    inRepository(
      {'.gitignore': 'node_modules/\n', 'packages/a/index.js': 'exports.a = 1;\n'},
      async (repository) => {
        const {workspace, write, root} = repository;
        write('node_modules/.pnpm/b@1.0.0/node_modules/b/index.js', 'exports.b = 2;\n');
        write('packages/a/node_modules/.keep', '');
        symlinkSync('.pnpm/b@1.0.0/node_modules/b', path.join(root, 'node_modules/b'));
        symlinkSync('../packages/a', path.join(root, 'node_modules/a'));
        symlinkSync(path.join(root, 'packages/a'), path.join(root, 'node_modules/full'));
        symlinkSync('../../../node_modules/b', path.join(root, 'packages/a/node_modules/b'));
        write(
          'node_modules/.bin/tool',
          `#!/bin/sh\nexport NODE_PATH="${root}/node_modules/.pnpm"\n`,
        );
        const worktree = await place(repository);
        const {shared, notes} = await provisionWorktree(
          workspace,
          worktree,
          {copy: [], share: ['node_modules', 'packages/a/node_modules']},
          {owner},
        );
        assert.deepEqual(
          shared.map(({path: name}) => name),
          ['node_modules', 'packages/a/node_modules'],
        );
        assert.deepEqual(
          notes.filter((note) => note.includes('left out')),
          [],
        );
        for (const [from, to] of Object.entries({
          'node_modules/a': 'packages/a',
          'node_modules/full': 'packages/a',
          'node_modules/b': 'node_modules/.pnpm/b@1.0.0/node_modules/b',
          'packages/a/node_modules/b': 'node_modules/.pnpm/b@1.0.0/node_modules/b',
        })) {
          assert.equal(realpathSync(path.join(worktree, from)), path.join(worktree, to), from);
        }

        assert.equal(
          readFileSync(path.join(worktree, 'node_modules/.bin/tool'), 'utf8'),
          `#!/bin/sh\nexport NODE_PATH="${worktree}/node_modules/.pnpm"\n`,
        );
      },
    ),
  );

  it(
    'keep the times of files, and leave out what may not be read, with a note',
    inRepository({'.gitignore': 'deps/\n'}, async (repository) => {
      const {workspace, write, root} = repository;
      write('deps/a', 'a');
      write('deps/secret', 's');
      utimesSync(path.join(root, 'deps/a'), 1000, 2000);
      chmodSync(path.join(root, 'deps/secret'), 0);
      const worktree = await place(repository);
      const {notes} = await provisionWorktree(
        workspace,
        worktree,
        {copy: [], share: ['deps']},
        {owner},
      );
      assert.equal(statSync(path.join(worktree, 'deps/a')).mtimeMs, 2_000_000);
      if (process.getuid?.() !== 0)
        assert.match(
          notes.join('\n'),
          /1 file in deps that you may not read, or that went away meanwhile, was left out: secret/,
        );
    }),
  );

  it(
    'stop before the disk is full, and leave nothing half made',
    inRepository({'.gitignore': 'deps/\n'}, async (repository) => {
      const {workspace, write} = repository;
      write('deps/a', 'a');
      const worktree = await place(repository);
      await assert.rejects(
        shareDirectory(workspace, worktree, 'deps', {freeAt: () => Promise.resolve(5e8)}),
        /Expected at least 1 GB to stay free .* while deps is shared, but there are 500 MB/,
      );
      await assert.rejects(
        shareDirectory(workspace, worktree, 'deps', {
          goOn: () => {
            throw new Error('not wanted');
          },
        }),
        /not wanted/,
      );
      assert.deepEqual(
        [
          existsSync(path.join(worktree, 'deps')),
          readdirSync(path.join(workspace.private, 'making')),
        ],
        [false, []],
      );
    }),
  );

  it('are replaced by path only where the whole path is meant', () => {
    assert.equal(
      replacePath('a=/p/x:/p/x/bin /p/x.worktrees /q/p/x2 "/p/x"', '/p/x', '/w'),
      'a=/w:/w/bin /p/x.worktrees /q/p/x2 "/w"',
    );
  });
});

describe('a virtualenv', needs('python3'), () => {
  const python = '/usr/bin/env';
  const make = (root: string): void => {
    execFileSync(python, ['python3', '-m', 'venv', '--without-pip', path.join(root, '.venv')]);
  };

  it(
    'works in the worktree, and knows nothing of the checkout any more',
    inRepository(
      {'.gitignore': '.venv/\n', 'package_a.py': 'where = __file__\n'},
      async (repository) => {
        const {workspace, root} = repository;
        make(root);
        const [library = ''] = readdirSync(path.join(root, '.venv/lib'));
        const packages = path.join(root, '.venv/lib', library, 'site-packages');
        writeFileSync(path.join(packages, 'editable.pth'), `${root}\n`);
        writeFileSync(
          path.join(root, '.venv/bin/tool'),
          `#!${root}/.venv/bin/python\nimport sys, package_a\nprint(sys.prefix)\nprint(package_a.where)\n`,
          {mode: 0o755},
        );
        const worktree = await place(repository);
        const {notes} = await provisionWorktree(
          workspace,
          worktree,
          {copy: [], share: ['.venv']},
          {owner},
        );
        assert.deepEqual(
          notes.filter((note) => note.includes('left out')),
          [],
        );
        const text = (...argv: readonly [string, ...string[]]): string[] =>
          execFileSync(argv[0], argv.slice(1), {cwd: worktree, encoding: 'utf8'})
            .trim()
            .split('\n');
        assert.deepEqual(text(path.join(worktree, '.venv/bin/tool')), [
          path.join(worktree, '.venv'),
          path.join(worktree, 'package_a.py'),
        ]);
        assert.deepEqual(
          text('/bin/sh', '-c', '. .venv/bin/activate && echo "$VIRTUAL_ENV" && command -v python'),
          [path.join(worktree, '.venv'), path.join(worktree, '.venv/bin/python')],
        );
        assert.equal(
          readFileSync(path.join(root, '.venv/bin/tool'), 'utf8').split('\n')[0],
          `#!${root}/.venv/bin/python`,
        );
      },
    ),
  );

  it(
    'is shared where only its own .gitignore ignores it, also when it was made ahead',
    inRepository({}, async (repository) => {
      const {workspace, root} = repository;
      make(root);
      writeFileSync(path.join(root, '.venv/.gitignore'), '*\n');
      writeFileSync(
        path.join(root, '.venv/bin/tool'),
        `#!${root}/.venv/bin/python\nimport sys\nprint(sys.prefix)\n`,
        {mode: 0o755},
      );
      await prepareWorktrees(workspace, [{owner, from: 'HEAD'}]);
      assert.deepEqual(
        (await prepareShares(workspace, owner, ['.venv'], goOn)).made.map(({path: name}) => name),
        ['.venv'],
      );
      const worktree = await place(repository);
      assert.deepEqual(
        (
          await provisionWorktree(workspace, worktree, {copy: [], share: ['.venv']}, {owner})
        ).shared.map(({path: name}) => name),
        ['.venv'],
      );
      assert.equal(
        execFileSync(path.join(worktree, '.venv/bin/tool'), {encoding: 'utf8'}).trim(),
        path.join(worktree, '.venv'),
      );
    }),
  );
});

describe('a script whose worktree has a long path', () => {
  it(
    'still starts its own interpreter',
    inRepository({}, ({root, home, write}) => {
      const worktree = path.join(home, 'long-name-'.repeat(15));
      for (const file of ['.venv/pyvenv.cfg', 'other']) write(file, '');
      mkdirSync(path.join(root, '.venv/bin'));
      writeFileSync(
        path.join(root, '.venv/bin/tool'),
        `#!${root}/.venv/bin/python\nimport sys\nprint(sys.executable)\n`,
        {mode: 0o755},
      );
      symlinkSync(root, worktree);
      writeFileSync(path.join(root, '.venv/bin/python'), '#!/bin/sh\necho "$0"\n', {mode: 0o755});
      const relocation = {
        directory: path.join(root, '.venv'),
        pathBound: [''],
        root,
        place: worktree,
      };
      relocate(relocation);
      const once = readFileSync(path.join(root, '.venv/bin/tool'), 'utf8');
      relocate(relocation);
      assert.equal(readFileSync(path.join(root, '.venv/bin/tool'), 'utf8'), once);
      assert.equal(
        execFileSync(path.join(root, '.venv/bin/tool'), {encoding: 'utf8'}).trim(),
        path.join(worktree, '.venv/bin/python'),
      );
      return Promise.resolve();
    }),
  );
});

describe('what is shared while the plan is read', () => {
  const share = ['node_modules'];
  const files = {'.gitignore': 'node_modules/\n.env\n'};
  const getNumber = (file: string): bigint => lstatSync(file, {bigint: true}).ino;

  it(
    'is only put in place afterwards',
    inRepository(files, async (repository) => {
      const {workspace, write} = repository;
      write('node_modules/a/index.js', 'one\n');
      await prepareWorktrees(workspace, [{owner, from: 'HEAD'}]);
      await prepareShares(workspace, owner, share, goOn);
      const [stage = ''] = readdirSync(path.join(workspace.private, 'making'));
      const made = getNumber(
        path.join(workspace.private, 'making', stage, 'node_modules/a/index.js'),
      );
      assert.deepEqual(await prepareShares(workspace, owner, share, goOn), {made: [], notes: []});
      const worktree = await place(repository);
      await provisionWorktree(workspace, worktree, {copy: [], share}, {owner});
      assert.equal(getNumber(path.join(worktree, 'node_modules/a/index.js')), made);
      assert.deepEqual(readdirSync(path.join(workspace.private, 'prepared')), []);
    }),
  );

  for (const [when, isPlaced] of [
    ['before it is put in place', false],
    ['after it was put in place and before anybody works there', true],
  ] as const) {
    it(
      `is made anew when something was installed in the checkout ${when}`,
      inRepository(files, async (repository) => {
        const {workspace, write} = repository;
        write('node_modules/a/index.js', 'one\n');
        await prepareWorktrees(workspace, [{owner, from: 'HEAD'}]);
        await prepareShares(workspace, owner, share, goOn);
        if (isPlaced) await place(repository);
        write('node_modules/b/index.js', 'two\n');
        if (!isPlaced)
          assert.equal((await prepareShares(workspace, owner, share, goOn)).made.length, 1);
        const worktree = await place(repository);
        await provisionWorktree(workspace, worktree, {copy: [], share}, {owner});
        assert.deepEqual(readdirSync(path.join(worktree, 'node_modules')), ['a', 'b']);
        assert.deepEqual(readdirSync(path.join(workspace.private, 'making')), []);
      }),
    );
  }

  it(
    'goes when the project no longer names it, and with the worktree when the plan is rejected',
    inRepository(files, async (repository) => {
      const {workspace, write} = repository;
      write('node_modules/a/index.js', 'one\n');
      await prepareWorktrees(workspace, [{owner, from: 'HEAD'}]);
      await prepareShares(workspace, owner, share, goOn);
      await prepareShares(workspace, owner, [], goOn);
      const [stage = ''] = readdirSync(path.join(workspace.private, 'making'));
      assert.equal(
        existsSync(path.join(workspace.private, 'making', stage, 'node_modules')),
        false,
      );
      await prepareShares(workspace, owner, share, goOn);
      await discardPrepared(workspace, [owner]);
      assert.deepEqual(
        [
          readdirSync(path.join(workspace.private, 'making')),
          readdirSync(path.join(workspace.private, 'prepared')),
        ],
        [[], []],
      );
    }),
  );

  it(
    'is swept when a killed daemon left half of it',
    inRepository(files, async ({workspace}) => {
      for (const name of ['share-0123456789', 'share-0123456789.probe', 'r1-t1-0123456789'])
        mkdirSync(path.join(workspace.private, 'making', name), {recursive: true});
      await sweepHalfShared(workspace, Date.now() + 60_000);
      assert.deepEqual(readdirSync(path.join(workspace.private, 'making')), ['r1-t1-0123456789']);
    }),
  );
});

describe('a print of dependencies', () => {
  const changes: readonly (readonly [string, string, (directory: string) => void, boolean])[] = [
    [
      'a package is added',
      'node_modules',
      (directory) => {
        mkdirSync(path.join(directory, 'new'));
      },
      true,
    ],
    [
      'a scoped package is added',
      'node_modules',
      (directory) => {
        mkdirSync(path.join(directory, '@scope/new'));
      },
      true,
    ],
    [
      'npm has written its lock file',
      'node_modules',
      (directory) => {
        writeFileSync(path.join(directory, '.package-lock.json'), '{"x": 1}');
      },
      true,
    ],
    [
      'a package is installed into a virtualenv',
      '.venv',
      (directory) => {
        mkdirSync(path.join(directory, 'lib/python3.11/site-packages/new'));
      },
      true,
    ],
    [
      'a package is removed',
      'node_modules',
      (directory) => {
        rmSync(path.join(directory, 'one'), {recursive: true});
      },
      true,
    ],
    [
      'a tool has written into its cache',
      'node_modules',
      (directory) => {
        writeFileSync(path.join(directory, '.cache/x'), '');
      },
      false,
    ],
    ['nothing', 'node_modules', () => undefined, false],
  ];
  for (const [what, name, change, isOther] of changes) {
    it(
      `${isOther ? 'differs' : 'is the same'} after ${what}`,
      inRepository({}, ({write, root}) => {
        for (const file of [
          'node_modules/one/index.js',
          'node_modules/@scope/a/index.js',
          'node_modules/.package-lock.json',
          'node_modules/.cache/old',
          '.venv/lib/python3.11/site-packages/a.py',
        ])
          write(file, '{}');
        const before = fingerprintSource(path.join(root, name));
        change(path.join(root, name));
        assert.equal(fingerprintSource(path.join(root, name)) !== before, isOther);
        return Promise.resolve();
      }),
    );
  }
});

describe('what the project file names later', () => {
  it(
    'reaches a worktree that somebody works in, once, and overwrites nothing',
    inRepository({'.gitignore': 'node_modules/\nvendor/\n*.local\n.env\n'}, async (repository) => {
      const {workspace, write} = repository;
      const worktree = await place(repository);
      const used = {owner, isUsed: true};
      await provisionWorktree(workspace, worktree, {copy: [], share: []}, {owner});
      for (const [file, text] of Object.entries({
        'node_modules/a.js': 'a\n',
        'vendor/b.js': 'checkout\n',
        'x.local': 'x\n',
        '.env': 'A=1\n',
      }))
        write(file, text);
      mkdirSync(path.join(worktree, 'vendor'));
      writeFileSync(path.join(worktree, 'vendor/b.js'), 'task\n');
      const all = {copy: ['*.local'], share: ['node_modules', 'vendor']};
      assert.deepEqual(
        (await provisionWorktree(workspace, worktree, all, used)).shared.map(
          ({path: name}) => name,
        ),
        ['node_modules'],
      );
      assert.deepEqual(
        [
          readFileSync(path.join(worktree, 'vendor/b.js'), 'utf8'),
          readFileSync(path.join(worktree, 'x.local'), 'utf8'),
        ],
        ['task\n', 'x\n'],
      );

      // What the task removes stays removed.
      rmSync(path.join(worktree, 'node_modules'), {recursive: true});
      rmSync(path.join(worktree, 'x.local'));
      await provisionWorktree(workspace, worktree, {...all, copy: ['*.local', '.env']}, used);
      assert.deepEqual(
        ['node_modules', 'x.local', '.env'].map((name) => existsSync(path.join(worktree, name))),
        [false, false, true],
      );

      // Entries that were taken out leave what they brought.
      await provisionWorktree(workspace, worktree, {copy: [], share: []}, used);
      assert.equal(existsSync(path.join(worktree, '.env')), true);
      write('.worktreeinclude', 'later.local\n');
      write('later.local', 'l\n');
      await provisionWorktree(workspace, worktree, {copy: [], share: []}, used);
      assert.equal(existsSync(path.join(worktree, 'later.local')), true);
    }),
  );

  it(
    'is known as ours to whoever looks from another worktree; what was changed or made there since is not',
    inRepository({'.gitignore': 'deps/\n.env\n*.log\n'}, async (repository) => {
      const {workspace, write, home} = repository;
      const worktree = await place(repository);
      await provisionWorktree(workspace, worktree, {copy: [], share: []}, {owner});
      write('deps/a', 'a');
      write('.env', 'A=1\n');
      const look = (): ReturnType<typeof outsideFingerprint> =>
        outsideFingerprint(workspace, {siblings: [worktree], home});
      const before = await look();
      const foreign = async (): Promise<string[]> =>
        outsideDifference(before, await look())
          .filter((change) => !isProvisioned(workspace, change.place, change.path))
          .map(({path: file}) => file);
      await provisionWorktree(
        workspace,
        worktree,
        {copy: ['.env'], share: ['deps']},
        {owner, isUsed: true},
      );
      assert.deepEqual(
        outsideDifference(before, await look()).map(({path: file}) => file),
        ['.env', 'deps/'],
      );
      assert.deepEqual(await foreign(), []);
      writeFileSync(path.join(worktree, '.env'), 'A=2\n');
      writeFileSync(path.join(worktree, 'made.log'), '');
      writeFileSync(path.join(worktree, 'readme.md'), 'other\n');
      assert.deepEqual(await foreign(), ['.env', 'made.log', 'readme.md']);
    }),
  );

  it(
    'is tried again until there is something to share, and never goes through a link of the task',
    inRepository({'.gitignore': 'deps/\nsub/deps/\n'}, async (repository) => {
      const {workspace, write, home} = repository;
      const worktree = await place(repository);
      await provisionWorktree(workspace, worktree, {copy: [], share: []}, {owner});
      const ask = (...share: readonly string[]): ReturnType<typeof provisionWorktree> =>
        provisionWorktree(workspace, worktree, {copy: [], share}, {owner, isUsed: true});
      assert.match((await ask('deps')).notes.join(), /there is none in your checkout/);
      write('deps/a', 'a');
      write('sub/deps/b', 'b');
      assert.equal((await ask('deps')).shared.length, 1);
      symlinkSync(home, path.join(worktree, 'sub'));
      assert.match((await ask('sub/deps')).notes.join(), /a link in the worktree leads out of it/);
      assert.equal(existsSync(path.join(home, 'deps')), false);
      assert.equal(readlinkSync(path.join(worktree, 'sub')), home);
    }),
  );
});

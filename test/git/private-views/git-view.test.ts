import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {deflateSync} from 'node:zlib';
import {inspectPath} from '../../../source/system/index.ts';
import {gitPathsFor, sandboxed, type SandboxPolicy} from '../../../source/sandbox/index.ts';
import {
  commitChange,
  ensureGitView,
  ensureWorktree,
  getViewDirectory,
  type GitView,
  removeWorktree,
  saveViewCommits,
} from '../../../source/git/index.ts';
import {bubblewrap, needs} from '../../support/needs.ts';
import {getEnvironment, makeRepository, type TestRepository} from '../support/repository.ts';

type Made = {
  readonly repository: TestRepository;
  readonly worktree: string;
  readonly view: GitView;
  readonly inView: (...argv: readonly string[]) => string;
};

/** A worktree with its view; `inView` is git as the agent has it in the sandbox. */
async function makeView(t: {readonly after: (act: () => void) => void}): Promise<Made> {
  const repository = makeRepository({'a.txt': 'first\n'});
  t.after(repository.remove);
  const {home, workspace} = repository;
  const {path: worktree} = await ensureWorktree(workspace, {
    owner: 'r1.t1',
    branch: 'orchestra/r1-t1',
    from: repository.head(),
    mayRebuild: true,
  });
  const view = await open(repository, worktree);
  const {bound, readOnly, sealed, directories} = gitPathsFor({
    commonDirectory: workspace.commonDirectory,
    worktreeAdmin: view.worktreeAdmin,
    worktree,
    branch: 'orchestra/r1-t1',
    view: view.directory,
  });
  for (const directory of directories) mkdirSync(directory, {recursive: true});
  const policy: SandboxPolicy = {
    kind: 'worktree',
    writable: [worktree],
    readOnly,
    sealed,
    bound,
    hidden: [path.join(home, 'private')],
  };
  const tools = {
    bwrap: bubblewrap(),
    uid: process.getuid!(),
    look: inspectPath,
    can: {processes: true, layers: false},
  };
  const inView = (...terms: readonly string[]): string => {
    const [file = '', ...argv] = sandboxed({argv: ['git', ...terms], cwd: worktree}, policy, tools);
    return execFileSync(file, argv, {
      cwd: '/',
      env: getEnvironment(home),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  };

  return {repository, worktree, view, inView};
}

async function open(
  {workspace}: Pick<TestRepository, 'workspace'>,
  worktree: string,
): Promise<GitView> {
  const view = await ensureGitView(workspace, {worktree, branch: 'orchestra/r1-t1', name: 'r1.t1'});
  assert.ok(view !== undefined);
  return view;
}

const save = ({repository: {workspace}, view}: Made): ReturnType<typeof saveViewCommits> =>
  saveViewCommits(workspace, {directory: view.directory, branch: 'orchestra/r1-t1'});

test(
  'what is committed in a view is in the repository only once the daemon has taken it over',
  needs('bubblewrap'),
  async (t) => {
    const made = await makeView(t);
    const {repository, worktree, inView} = made;
    writeFileSync(path.join(worktree, 'a.txt'), 'second\n');
    inView('commit', '-qam', 'by the agent');
    const tip = inView('rev-parse', 'HEAD').trim();
    assert.throws(() => repository.git('cat-file', '-e', tip));
    assert.equal(
      repository.git('rev-parse', 'orchestra/r1-t1').trim(),
      repository.head(),
      'the branch is where it was',
    );
    assert.ok((await save(made)).commits.includes(tip));
    assert.equal(repository.git('show', `${tip}:a.txt`), 'second\n');
    assert.match(repository.git('for-each-ref', 'refs/orchestra/keep'), new RegExp(tip));
    assert.equal(repository.git('fsck', '--full', '--strict', '--no-dangling'), '');
  },
);

test(
  'a view stays as the agent left it, until the daemon has moved the worktree on',
  needs('bubblewrap'),
  async (t) => {
    const made = await makeView(t);
    const {repository, worktree, inView} = made;
    writeFileSync(path.join(worktree, 'a.txt'), 'second\n');
    inView('commit', '-qam', 'by the agent');
    const tip = inView('rev-parse', 'HEAD').trim();
    await open(repository, worktree);
    assert.equal(inView('rev-parse', 'HEAD').trim(), tip);
    const base = repository.head();
    const commit = await commitChange(repository.workspace, {
      branch: 'orchestra/r1-t1',
      directory: worktree,
      parent: base,
      tree: repository.git('rev-parse', 'HEAD^{tree}').trim(),
      message: 'ours\n',
      at: 0,
    });
    await open(repository, worktree);
    assert.equal(inView('rev-parse', 'HEAD').trim(), commit);
    assert.equal(
      repository.git('show', `${tip}:a.txt`),
      'second\n',
      'what the agent had committed is kept',
    );
  },
);

for (const [how, spoil] of [
  [
    'an object that is not what it is called',
    ({view}, tip) => {
      writeFileSync(
        path.join(view.directory, 'objects', tip.slice(0, 2), tip.slice(2)),
        deflateSync(Buffer.from('commit 4\0evil')),
        {mode: 0o600, flag: 'w'},
      );
    },
  ],
  [
    'a FIFO among the objects',
    ({view}) => {
      execFileSync('mkfifo', [path.join(view.directory, 'objects', 'ab')]);
    },
  ],
  [
    'a link among the objects',
    ({view}) => {
      symlinkSync('/dev/zero', path.join(view.directory, 'objects', 'pack', 'pack-x.idx'));
    },
  ],
  [
    'a FIFO for a branch',
    ({view}) => {
      rmSync(path.join(view.directory, 'refs/r1-t1'));
      execFileSync('mkfifo', [path.join(view.directory, 'refs/r1-t1')]);
      rmSync(path.join(view.directory, 'logs'), {recursive: true});
      rmSync(path.join(view.directory, 'admin/logs'), {recursive: true, force: true});
    },
  ],
  [
    'a branch that is a link elsewhere',
    ({view}) => {
      rmSync(path.join(view.directory, 'refs/r1-t1'));
      symlinkSync('/dev/zero', path.join(view.directory, 'refs/r1-t1'));
      rmSync(path.join(view.directory, 'logs'), {recursive: true});
      rmSync(path.join(view.directory, 'admin/logs'), {recursive: true, force: true});
    },
  ],
  [
    'missing parts',
    ({view}) => {
      rmSync(path.join(view.directory, 'objects'), {recursive: true});
    },
  ],
] as const satisfies readonly (readonly [string, (made: Made, tip: string) => void])[]) {
  test(
    `nothing of a view with ${how} is taken over, and nothing waits for it`,
    needs('bubblewrap'),
    async (t) => {
      const made = await makeView(t);
      const {repository, worktree, inView} = made;
      writeFileSync(path.join(worktree, 'a.txt'), 'second\n');
      inView('commit', '-qam', 'by the agent');
      const tip = inView('rev-parse', 'HEAD').trim();
      rmSync(path.join(made.view.directory, 'objects', tip.slice(0, 2), tip.slice(2)), {
        force: how === 'an object that is not what it is called',
      });
      spoil(made, tip);
      await save(made);
      assert.throws(() => repository.git('cat-file', '-e', tip));
      assert.equal(repository.git('fsck', '--full', '--strict', '--no-dangling'), '');
    },
  );
}

test(
  'git files whose commits cannot be taken over are set aside, not thrown away',
  needs('bubblewrap'),
  async (t) => {
    const made = await makeView(t);
    const {repository, worktree, inView, view} = made;
    writeFileSync(path.join(worktree, 'a.txt'), 'second\n');
    inView('commit', '-qam', 'by the agent');
    execFileSync('mkfifo', [path.join(view.directory, 'objects', 'ab')]);
    const commit = await commitChange(repository.workspace, {
      branch: 'orchestra/r1-t1',
      directory: worktree,
      parent: repository.head(),
      tree: repository.git('rev-parse', 'HEAD^{tree}').trim(),
      message: 'ours\n',
      at: 0,
    });
    await open(repository, worktree);
    assert.equal(inView('rev-parse', 'HEAD').trim(), commit);
    assert.equal(
      readdirSync(path.join(repository.home, 'private/kept')).filter((name) =>
        /^r1-t1-git-files-[\da-f]{8}$/.test(name),
      ).length,
      1,
    );
  },
);

test(
  'a removal keeps what was committed, reset away and staged in the view',
  needs('bubblewrap'),
  async (t) => {
    const made = await makeView(t);
    const {repository, worktree, inView} = made;
    const base = repository.head();
    writeFileSync(path.join(worktree, 'a.txt'), 'reset away\n');
    inView('commit', '-qam', 'by the agent');
    inView('reset', '-q', '--hard', 'HEAD~1');
    writeFileSync(path.join(worktree, 'staged.txt'), 'staged\n');
    inView('add', 'staged.txt');
    rmSync(path.join(worktree, 'staged.txt'));
    const {backup} = await removeWorktree(repository.workspace, {
      owner: 'r1.t1',
      path: worktree,
      branch: 'orchestra/r1-t1',
      base,
    });
    assert.ok(backup !== null);
    const all = repository
      .git('log', '--format=%H', backup)
      .trim()
      .split('\n')
      .map((id) => repository.git('ls-tree', '-r', id));
    assert.ok(
      all.some((tree) => tree.includes('staged.txt')),
      'staged',
    );
    assert.ok(repository.git('log', '--format=%s', backup).includes('by the agent'), 'reset away');
    assert.equal(existsSync(getViewDirectory(repository.workspace, 'r1.t1')), false);
  },
);

test(
  'git that was at work on the host is not copied half, and objects elsewhere are found',
  needs('bubblewrap'),
  async (t) => {
    const made = await makeView(t);
    const {repository, worktree, view} = made;
    writeFileSync(path.join(view.worktreeAdmin, 'index.lock'), '');
    writeFileSync(
      path.join(repository.root, '.git/objects/info/alternates'),
      '../../elsewhere\n/absolute\n',
    );
    rmSync(view.directory, {recursive: true});
    const again = await open(repository, worktree);
    assert.equal(existsSync(path.join(again.directory, 'admin/index.lock')), false);
    assert.deepEqual(
      execFileSync('cat', [path.join(again.directory, 'info/alternates')], {encoding: 'utf8'})
        .trim()
        .split('\n'),
      ['repository', path.join(repository.root, 'elsewhere'), '/absolute'],
    );
  },
);

import assert from 'node:assert/strict';
import path from 'node:path';
import {mkdirSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {inspectRepository, openWorkspace} from '../../../source/git/index.ts';
import {defaultFiles, getEnvironment, withRepository} from '../support/repository.ts';

describe('a look at the repository before work starts', () => {
  it(
    'gives the commit and the branch',
    withRepository(defaultFiles, async ({workspace, head, git}) => {
      assert.deepEqual(await inspectRepository(workspace), {
        base: head(),
        branch: 'main',
        notes: [],
      });
      git('checkout', '-q', '-b', 'a/b');
      assert.equal((await inspectRepository(workspace)).branch, 'a/b');
    }),
  );

  it(
    'says what is not committed, unfinished, detached, sparse, shallow, in submodules or in LFS',
    withRepository(defaultFiles, async ({workspace, git, head, write, root}) => {
      const base = head();
      write('new.txt', 'new');
      write('readme.md', 'changed');
      write('.gitattributes', '*.bin filter=lfs diff=lfs merge=lfs -text\n');
      write('.gitmodules', '[submodule "x"]\n\tpath = x\n\turl = ./x\n');
      git('add', '.gitattributes');
      git('checkout', '-q', '--detach');
      writeFileSync(path.join(root, '.git', 'MERGE_HEAD'), `${base}\n`);
      writeFileSync(path.join(root, '.git', 'shallow'), `${base}\n`);
      git('config', 'core.sparseCheckout', 'true');
      const {branch, notes} = await inspectRepository(workspace);
      assert.equal(branch, null);
      assert.deepEqual(
        notes.map(
          ({words: note}) =>
            /^(?:Work starts from|A merge is in progress|No branch is checked out|Submodules are empty in worktrees|This repository uses Git LFS|Your checkout is sparse|The history is shallow)/.exec(
              note,
            )?.[0],
        ),
        [
          'Work starts from',
          'A merge is in progress',
          'No branch is checked out',
          'Submodules are empty in worktrees',
          'This repository uses Git LFS',
          'Your checkout is sparse',
          'The history is shallow',
        ],
      );
      assert.equal(
        notes[0]?.words,
        `Work starts from the commit ${base.slice(0, 10)}: 4 files that are changed or new in your checkout but not committed will be missing there. Commit what tasks need, and start again. Your files stay as they are.`,
      );
    }),
  );

  it(
    'says that commits are not signed, whoever asked for it, and nothing where nobody did or it was taken back',
    withRepository(defaultFiles, async ({workspace, git, home}) => {
      const text = async (): Promise<readonly string[]> =>
        (await inspectRepository(workspace)).notes
          .filter(({about}) => about === 'signing')
          .map(({words}) => words);
      assert.deepEqual(await text(), []);
      git('config', '--file', path.join(home, '.gitconfig'), 'commit.gpgSign', 'true');
      assert.match(
        (await text())[0] ?? '',
        /orchestra does not sign its own by default\. To sign what comes into your branch: orchestra accept RUN --sign/,
      );
      git('config', 'commit.gpgSign', 'false');
      assert.deepEqual(await text(), []);
      git('config', 'commit.gpgSign', 'yes');
      assert.equal((await text()).length, 1);
    }),
  );

  it(
    'names each thing that is unfinished with how it is given up, and a partial clone; each note says what to do',
    withRepository(defaultFiles, async ({workspace, git, head, root}) => {
      git('config', 'extensions.partialClone', 'origin');
      for (const [file, text] of [
        ['rebase-merge', 'git rebase --abort'],
        ['rebase-apply', 'git rebase --abort'],
        ['MERGE_HEAD', 'git merge --abort'],
        ['CHERRY_PICK_HEAD', 'git cherry-pick --abort'],
        ['REVERT_HEAD', 'git revert --abort'],
        ['BISECT_LOG', 'git bisect reset'],
        ['sequencer', 'git cherry-pick --abort'],
      ] as const) {
        writeFileSync(path.join(root, '.git', file), `${head()}\n`);
        const {notes} = await inspectRepository(workspace);
        assert.deepEqual(
          notes.map(({about}) => about),
          ['unfinished', 'partial'],
          file,
        );
        assert.ok(notes[0]?.words.includes(text), `${text} in ${notes[0]?.words ?? ''}`);
        for (const note of notes) assert.match(note.words, /"git |: git |Commit what/);
        rmSync(path.join(root, '.git', file));
      }
    }),
  );

  it(
    'refuses with what to do: no commit, an unborn branch, a bare repository, none at all',
    withRepository(defaultFiles, async ({workspace, git, gitIn, home, root}) => {
      git('checkout', '-q', '--orphan', 'empty');
      await assert.rejects(
        inspectRepository(workspace),
        /the branch empty has none yet\. Switch to a branch that has one/,
      );
      const open = (place: string, common: string): Promise<unknown> =>
        inspectRepository(
          openWorkspace({
            root: place,
            commonDirectory: common,
            private: path.join(home, 'private-2'),
            program: '/usr/bin/git',
            env: {...getEnvironment(home), GIT_CEILING_DIRECTORIES: home},
            now: () => 0,
          }),
        );
      const fresh = path.join(home, 'fresh');
      gitIn(home, 'init', '-q', fresh);
      await assert.rejects(
        open(fresh, path.join(fresh, '.git')),
        /this repository has none yet\. Make one: git commit --allow-empty/,
      );
      const bare = path.join(home, 'bare.git');
      gitIn(home, 'clone', '-q', '--bare', root, bare);
      await assert.rejects(open(bare, bare), /but it is bare\. Clone it/);
      const none = realpathSync(home);
      mkdirSync(path.join(none, 'none'));
      await assert.rejects(
        open(path.join(none, 'none'), path.join(none, 'none')),
        /but there is none\. Make one with "git init"/,
      );
      rmSync(path.join(none, 'none'), {recursive: true});
    }),
  );
});

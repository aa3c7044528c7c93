import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {describe, test} from 'node:test';
import {SandboxRefusal} from '../../source/sandbox/index.ts';
import {needs} from '../support/needs.ts';
import {people} from './support/people.ts';
import {createFixture, tryToWrite} from './support/fixture.ts';

for (const person of people) {
  describe(`as ${person.name}`, needs('bubblewrap'), () => {
    test('a planner writes nowhere: not its worktree, the main checkout, its home, the temporary directory', async (t) => {
      const fixture = createFixture(t, person);
      const {own, main, sibling, home, temp, git, admin, planner} = fixture;
      const files = [
        own,
        main,
        sibling,
        home,
        temp,
        '/tmp',
        '/var/tmp',
        '/dev/shm/..',
        git,
        admin,
        '/etc',
        '/run',
        '/proc/sys/kernel',
      ].map((directory) => path.join(directory, 'planted'));
      const ended = await fixture.sh(
        `cat file.txt; ${tryToWrite(...files, path.join(own, 'file.txt'))}; git status --short`,
        planner,
      );
      assert.equal(
        ended.stdout.replace('/dev/planted\n', ''),
        'first\n',
        'only its own /dev, which is memory, takes a file',
      );
      assert.deepEqual(
        files.filter((file) => existsSync(file)),
        [],
      );
      assert.equal(readFileSync(path.join(own, 'file.txt'), 'utf8'), 'first\n');
    });

    test('a read-only directory stays so inside of a writable one', async (t) => {
      const fixture = createFixture(t, person);
      const policy = {...fixture.planner, writable: [path.dirname(fixture.own), fixture.temp]};
      const ended = await fixture.sh(
        `${tryToWrite(path.join(fixture.own, 'a'), path.join(fixture.temp, 'b'))}; mv ${fixture.own} ${fixture.own}-aside`,
        policy,
      );
      assert.equal(ended.stdout, `${path.join(fixture.temp, 'b')}\n`);
      assert.deepEqual(readdirSync(path.dirname(fixture.own)), ['r1-t1', 'r1-t2']);
    });

    test('a worker writes its worktree and its temporary directory, and nothing else', async (t) => {
      const fixture = createFixture(t, person);
      const {own, main, sibling, home, temp, git, admin} = fixture;
      mkdirSync(path.join(git, 'hooks'), {recursive: true});
      const allowed = [own, temp].map((directory) => path.join(directory, 'made'));
      const forbidden = [
        ...[
          main,
          sibling,
          home,
          '/tmp',
          '/var/tmp',
          path.dirname(own),
          path.join(git, 'hooks'),
          path.join(git, 'info'),
          path.join(git, 'objects/info'),
          path.join(git, 'objects/repository'),
          path.join(git, 'refs'),
          path.join(git, 'refs/heads'),
          path.join(git, 'refs/tags'),
          path.join(git, 'worktrees'),
          path.join(git, 'worktrees/r1-t2'),
        ].map((directory) => path.join(directory, 'planted')),
        ...[
          'config',
          'HEAD',
          'packed-refs',
          'info/attributes',
          'info/exclude',
          'refs/heads/main',
        ].map((name) => path.join(git, name)),
        ...[own, sibling].map((directory) => path.join(directory, '.git')),
        path.join(main, 'file.txt'),
      ];
      // Its own git files stand in for these: what is written there is written nowhere else.
      const replaced = [
        ...['HEAD', 'commondir', 'gitdir'].map((name) => path.join(admin, name)),
        path.join(git, 'refs/heads/orchestra/r1/t2'),
        path.join(git, 'objects/pack/planted'),
      ];
      const before = [...forbidden, ...replaced].map((file) =>
        existsSync(file) ? readFileSync(file, 'utf8') : undefined,
      );
      const ended = await fixture.sh(tryToWrite(...allowed, ...forbidden));
      assert.equal(ended.stdout, `${allowed.join('\n')}\n`);
      assert.notEqual((await fixture.sh(tryToWrite(...replaced))).stdout, '');
      assert.deepEqual(
        [...forbidden, ...replaced].map((file) =>
          existsSync(file) ? readFileSync(file, 'utf8') : undefined,
        ),
        before,
      );
    });

    test("a configuration of the worktree that is made inside is nobody else's", async (t) => {
      const fixture = createFixture(t, person);
      execFileSync(
        '/usr/bin/git',
        ['-c', `safe.directory=${fixture.main}`, 'config', 'extensions.worktreeConfig', 'true'],
        {cwd: fixture.main},
      );
      person.own(fixture.main);
      const file = path.join(fixture.admin, 'config.worktree');
      const ended = await fixture.sh(
        'git config --worktree core.fsmonitor /bin/evil && git config core.fsmonitor',
      );
      assert.equal(ended.stdout, '/bin/evil\n', ended.stderr);
      assert.equal(existsSync(file), false);
    });

    test('our state is neither written nor read: the token is not there', async (t) => {
      const fixture = createFixture(t, person);
      const ended = await fixture.sh(
        `ls -A ${fixture.state}; cat ${fixture.state}/token; ${tryToWrite(path.join(fixture.state, 'token'), path.join(fixture.state, 'planted'))}`,
      );
      assert.equal(ended.stdout, '');
      assert.match(ended.stderr, /No such file/);
      assert.equal(readFileSync(path.join(fixture.state, 'token'), 'utf8'), 'the-secret-token');
      assert.deepEqual(readdirSync(fixture.state), ['token']);
    });

    test('a hidden file can not be opened, and what is writable inside of a hidden directory can', async (t) => {
      const fixture = createFixture(t, person);
      const exchange = path.join(fixture.state, 'exchange');
      mkdirSync(exchange);
      person.own(fixture.state);
      const policy = {
        ...fixture.worker,
        writable: [...fixture.worker.writable, exchange],
        hidden: [fixture.state, path.join(fixture.main, 'file.txt')],
      };
      const ended = await fixture.sh(
        `ls -A ${fixture.state}; ${tryToWrite(path.join(exchange, 'note'), path.join(fixture.state, 'planted'))}; cat ${fixture.main}/file.txt`,
        policy,
      );
      assert.equal(ended.stdout, `exchange\n${exchange}/note\n`);
      assert.match(ended.stderr, /Permission denied/);
    });

    test('git adds and commits in a linked worktree, again and again, on its own branch only', async (t) => {
      const fixture = createFixture(t, person);
      const ended = await fixture.sh(
        'echo more >> file.txt && git add . && git commit -qm second && echo x > new && git add new && git commit -qm third && git commit -q --amend -m fourth && git log --format=%s && git reflog -1 --format=%gs && git reset -q --hard HEAD~1 && git status --short',
      );
      assert.deepEqual(
        {code: ended.code, stdout: ended.stdout, stderr: ended.stderr},
        {code: 0, stdout: 'fourth\nsecond\nfirst\ncommit (amend): fourth\n', stderr: ''},
      );
      const rejected = await fixture.sh(
        'git update-ref refs/heads/main HEAD; git branch other; git switch -q -c another; git switch -q main; git config core.hooksPath /x; git update-ref refs/heads/orchestra/r1/t2 HEAD; git push -q . HEAD:refs/heads/main; git tag one; git worktree add -q /tmp/elsewhere-of-mine',
      );
      assert.equal(rejected.stdout, '');
      const git = (...argv: readonly string[]): string =>
        execFileSync('/usr/bin/git', ['-c', `safe.directory=${fixture.main}`, ...argv], {
          cwd: fixture.main,
          encoding: 'utf8',
        });
      assert.equal(
        git('for-each-ref', '--format=%(refname) %(subject)'),
        'refs/heads/main first\nrefs/heads/orchestra/r1/t1 first\nrefs/heads/orchestra/r1/t2 first\n',
      );
      assert.equal(
        git('count-objects').split(' ', 1)[0],
        '3',
        'the repository has no object more than before',
      );
      assert.equal(git('fsck', '--full', '--strict'), '');
      assert.equal(git('status', '--short'), '');
    });

    test('a detached worktree commits as well, and moves no branch', async (t) => {
      const fixture = createFixture(t, person);
      const policy = {
        ...fixture.worker,
        bound: fixture.worker.bound!.filter(({path: at}) => !at.includes('/refs/')),
      };
      const ended = await fixture.sh(
        'git checkout -q --detach && echo more >> file.txt && git commit -qam second && git log --format=%s',
        policy,
      );
      assert.equal(ended.stdout, 'second\nfirst\n', ended.stderr);
    });

    test('a link in the worktree does not lead out of it', async (t) => {
      const fixture = createFixture(t, person);
      const ended = await fixture.sh(
        `ln -s ${fixture.main} out && ln -s ${fixture.git}/config conf; ${tryToWrite(`${fixture.own}/out/planted`)}; echo x >> conf; mv .git .git.aside; rm -rf .git; ln -sfn ${fixture.temp} .git; ls -ld .git | cut -c1`,
      );
      assert.equal(ended.stdout, '-\n');
      assert.equal(existsSync(path.join(fixture.main, 'planted')), false);
    });

    test('what an agent left as a link before is refused at the next start, with words', (t) => {
      const fixture = createFixture(t, person);
      const start = (policy: Partial<typeof fixture.worker>) => (): unknown =>
        fixture.argv(['true'], {...fixture.worker, ...policy});
      symlinkSync(fixture.home, path.join(fixture.own, 'cache'));
      assert.throws(
        start({writable: [...fixture.worker.writable, path.join(fixture.own, 'cache')]}),
        new SandboxRefusal(
          `expected ${fixture.own}/cache to be ${fixture.own}/cache, got a link to ${fixture.home}. An agent that may write ${fixture.own} may have put it there: remove it.`,
        ),
      );
      symlinkSync('/nowhere', path.join(fixture.own, 'settings'));
      assert.throws(
        start({sealed: [path.join(fixture.own, 'settings')]}),
        /got a link that leads nowhere/,
      );
      rmSync(path.join(fixture.own, '.git'));
      symlinkSync(path.join(fixture.main, '.git'), path.join(fixture.own, '.git'));
      assert.throws(start({}), SandboxRefusal);
    });

    test('the way to a protected file can not be renamed, and files are still moved across it', async (t) => {
      const fixture = createFixture(t, person);
      mkdirSync(path.join(fixture.own, 'a/b'), {recursive: true});
      writeFileSync(path.join(fixture.own, 'a/b/settings'), 'ours');
      person.own(fixture.own);
      const ended = await fixture.sh(
        'mv a aside; mv a/b aside; echo x > file && ln file a/b/linked && ls a/b; cat a/b/settings',
        {
          ...fixture.worker,
          sealed: [
            ...fixture.worker.sealed!,
            path.join(fixture.own, 'a/b/settings'),
            path.join(fixture.own, 'a/b/later'),
          ],
        },
      );
      assert.equal(ended.stdout, 'later\nlinked\nsettings\nours', ended.stderr);
    });

    test('/tmp is a directory of its own where the policy names one', async (t) => {
      const fixture = createFixture(t, person);
      const ended = await fixture.sh(
        `echo x > /tmp/mine; ls -A /tmp; cat ${fixture.main}/file.txt; git status --short; echo y > ${fixture.own}/made`,
        {...fixture.worker, temporary: fixture.temp},
      );
      assert.deepEqual(
        new Set(ended.stdout.split('\n')),
        new Set(['mine', path.relative('/tmp', fixture.own).split('/')[0], '']),
      );
      assert.deepEqual(
        [
          existsSync('/tmp/mine'),
          existsSync(path.join(fixture.temp, 'mine')),
          existsSync(path.join(fixture.own, 'made')),
        ],
        [false, true, true],
      );
    });

    test('a writable path that is not there is left out, and one that is a link is its target', async (t) => {
      const fixture = createFixture(t, person);
      renameSync(fixture.temp, `${fixture.temp}-real`);
      symlinkSync(`${fixture.temp}-real`, fixture.temp);
      const ended = await fixture.sh(
        `mkdir ${fixture.home}/.agent; ${tryToWrite(path.join(fixture.temp, 'made'))}`,
        {
          ...fixture.worker,
          writable: [...fixture.worker.writable, path.join(fixture.home, '.agent')],
          hidden: [path.join(fixture.home, 'nothing')],
        },
      );
      assert.equal(ended.stdout, `${fixture.temp}/made\n`);
      assert.deepEqual(readdirSync(fixture.home), []);
    });
  });
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {chmodSync, readFileSync, writeFileSync} from 'node:fs';
import {describe, it} from 'node:test';
import {openPullRequest, type PullRequestOptions} from '../../../source/git/index.ts';
import {
  defaultFiles,
  getEnvironment,
  type TestRepository,
  withRepository,
} from '../support/repository.ts';

/** Remembers what it was asked, and the one pull request that it opened. */
const pretendGh = `#!/bin/sh
printf '%s\\n' "$@" '--' >> "$HOME/asked"
case "$1 $2" in
  'pr list') if [ -f "$HOME/opened" ]; then echo '[{"url":"https://git.example/o/r/pull/7"}]'; else echo '[]'; fi;;
  'pr create') cat > "$HOME/body"; if [ -f "$HOME/broken" ]; then echo 'not logged in' >&2; exit 4; fi; touch "$HOME/opened"; echo 'https://git.example/o/r/pull/7';;
esac
`;

async function withRemote(
  act: (
    place: TestRepository & {readonly options: PullRequestOptions; readonly remote: string},
  ) => Promise<void>,
): Promise<void> {
  await withRepository(defaultFiles, async (repository) => {
    const {home, git, gitIn} = repository;
    const remote = path.join(home, 'remote.git');
    gitIn(home, 'init', '-q', '--bare', remote);
    git('remote', 'add', 'origin', remote);
    git('branch', 'orchestra/r1');
    const gh = path.join(home, 'gh');
    writeFileSync(gh, pretendGh);
    chmodSync(gh, 0o755);
    const options = {
      branch: 'orchestra/r1',
      into: 'main',
      title: '--web\nof a title',
      body: 'What it does.\n',
      remote: 'origin',
      push: true,
      programs: {git: '/usr/bin/git', gh},
      env: getEnvironment(home),
    };
    await act({...repository, options, remote});
  })();
}

describe('opening a pull request', () => {
  it('pushes when it is told to, opens one, and finds it again', async () => {
    await withRemote(async ({workspace, options, remote, home, gitIn, head}) => {
      assert.deepEqual(await openPullRequest(workspace, options), {
        url: 'https://git.example/o/r/pull/7',
        isNew: true,
      });
      assert.deepEqual(await openPullRequest(workspace, options), {
        url: 'https://git.example/o/r/pull/7',
        isNew: false,
      });
      assert.equal(
        gitIn(remote, 'for-each-ref', '--format=%(refname) %(objectname)'),
        `refs/heads/orchestra/r1 ${head()}\n`,
      );
      const list =
        'pr\nlist\n--head=orchestra/r1\n--base=main\n--state=open\n--limit=1\n--json=url\n--\n';
      assert.equal(
        readFileSync(path.join(home, 'asked'), 'utf8'),
        `${list}pr\ncreate\n--head=orchestra/r1\n--base=main\n--title=--web of a title\n--body-file=-\n--\n${list}`,
      );
      assert.equal(readFileSync(path.join(home, 'body'), 'utf8'), 'What it does.\n');
    });
  });

  it('pushes nothing without the word, and says what failed and what to do', async () => {
    await withRemote(async ({workspace, options, remote, home, git, gitIn}) => {
      writeFileSync(path.join(home, 'broken'), '');
      const failed = await openPullRequest(workspace, {...options, push: false});
      assert.deepEqual(failed, {
        rejected:
          'gh could not open the pull request: not logged in. The branch was not pushed (git push origin orchestra/r1); "gh auth status" shows your account.',
      });
      assert.equal(gitIn(remote, 'for-each-ref'), '');
      const without = await openPullRequest(workspace, {
        ...options,
        programs: {...options.programs, gh: null},
      });
      assert.match(
        'rejected' in without ? without.rejected : '',
        /^gh is not installed\. Push the branch \(git push origin orchestra\/r1\)/,
      );
      git('remote', 'set-url', 'origin', path.join(home, 'nowhere'));
      const unreachable = await openPullRequest(workspace, options);
      assert.match(
        'rejected' in unreachable ? unreachable.rejected : '',
        /^git push failed: fatal: .*nowhere.* Repair the cause, then try again: git push origin orchestra\/r1$/,
      );
    });
  });
});

import assert from 'node:assert/strict';
import os from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {test} from 'node:test';
import {prepareRepository} from '../../../source/cli/app/repository.ts';

test('a project becomes a repository with a first commit; a home directory and a bare repository do not', async (context) => {
  const home = mkdtempSync(path.join(os.tmpdir(), 'orchestra-prepare-'));
  context.after(() => {
    rmSync(home, {recursive: true});
  });
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    GIT_AUTHOR_NAME: 'ada',
    GIT_AUTHOR_EMAIL: 'ada@x',
    GIT_COMMITTER_NAME: 'ada',
    GIT_COMMITTER_EMAIL: 'ada@x',
  };
  await assert.rejects(
    prepareRepository('no-git', {cwd: home, env}),
    /this is your home directory or the root, not one project\. Start orchestra in the directory of a project/,
  );
  assert.equal(existsSync(path.join(home, '.git')), false);

  const bare = path.join(home, 'bare.git');
  execFileSync('git', ['init', '--quiet', '--bare', bare], {env});
  await assert.rejects(
    prepareRepository('no-git', {cwd: bare, env}),
    /this is a bare repository without files\. Clone it, and start orchestra in the clone/,
  );

  const project = path.join(home, 'project');
  mkdirSync(project);
  writeFileSync(path.join(project, 'a.txt'), 'a\n');
  await prepareRepository('no-git', {cwd: project, env});
  assert.equal(
    execFileSync('git', ['show', '--stat', '--format=%s', 'HEAD'], {
      cwd: project,
      env,
      encoding: 'utf8',
    }).split('\n', 1)[0],
    'Begin',
  );
});

import assert from 'node:assert/strict';
import path from 'node:path';
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {
  ensureWorktree,
  type MadeWorktree,
  type RemovalOptions,
  removeWorktree,
} from '../../../source/git/index.ts';
import {killedCall} from '../support/killed-call.ts';
import {makeRepository, reopen, type TestRepository} from '../support/repository.ts';
import {getStage, type SweepResult} from '../worktrees/sweep.ts';

/**
 * Kills what removes a worktree at any moment of it: what was in it can be found at once, and after
 * asking again it is where it belongs.
 */
export async function sweepRemoval(kills: number, random: () => number): Promise<SweepResult> {
  const repository = makeRepository(
    Object.fromEntries(
      Array.from({length: 40}, (_, index) => [`source/file-${index}.txt`, `${index}\n`]),
    ),
  );
  const problems: string[] = [];
  const reached: Record<string, number> = {};
  let usual = 0;
  try {
    for (let kill = 0; kill <= kills; kill++) {
      const owner = `r1.t${kill + 1}`;
      const made = await ensureWorktree(repository.workspace, {
        owner,
        branch: `orchestra/r1-t${kill + 1}`,
        from: 'HEAD',
        mayRebuild: true,
      });
      const secret = `unique ${kill} ${random()}\n`;
      writeFileSync(path.join(made.path, 'new.txt'), secret);
      repository.gitIn(made.path, 'commit', '-q', '--allow-empty', '-m', 'a commit of its own');
      const commit = repository.gitIn(made.path, 'rev-parse', 'HEAD').trim();
      const options = {owner, path: made.path, branch: made.branch, base: made.commit};
      if (kill === 0) {
        usual = (await killedCall(repository, {do: 'remove', options})).ms;
        continue;
      }

      try {
        const {isDone} = await killedCall(
          repository,
          {do: 'remove', options},
          random() * usual,
          kill % 4 === 0,
        );
        usual *= isDone ? 0.9 : 1.01;
        const stage = isDone ? 'end' : getStage(repository, 'removals', owner);
        reached[stage] = (reached[stage] ?? 0) + 1;
        assert.equal(
          isFound(repository, made, secret),
          true,
          'right after the kill the content is nowhere',
        );
        if (kill % 3 === 0) await killedCall(repository, {do: 'remove', options}, random() * usual);
        await checkRemoved(repository, options, secret, commit);
      } catch (error) {
        problems.push(`kill ${kill}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }

    return {tried: kills, held: kills - problems.length, reached, problems};
  } finally {
    repository.remove();
  }
}

function isFound(
  {home, root, git}: TestRepository,
  {path: place}: MadeWorktree,
  secret: string,
): boolean {
  const trash = path.join(home, 'private', 'trash');
  const places = [
    place,
    ...(existsSync(trash) ? readdirSync(trash).map((name) => path.join(trash, name)) : []),
  ];
  if (places.some((directory) => readText(path.join(directory, 'new.txt')) === secret)) return true;
  const refs = git('for-each-ref', '--format=%(refname)', 'refs/orchestra/backup')
    .trim()
    .split('\n');
  return refs.some((ref) => {
    try {
      return (
        execFileSync('git', ['show', `${ref}:new.txt`], {
          cwd: root,
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        }) === secret
      );
    } catch {
      return false;
    }
  });
}

async function checkRemoved(
  repository: TestRepository,
  options: RemovalOptions,
  secret: string,
  commit: string,
): Promise<void> {
  const {git, home, root, workspace} = repository;
  const removed = await removeWorktree(reopen(home, root), options);
  assert.deepEqual(await removeWorktree(reopen(home, root), options), removed);
  assert.equal(git('show', `${removed.backup ?? ''}:new.txt`), secret);
  assert.equal(git('merge-base', '--is-ancestor', commit, removed.backup ?? ''), '');
  assert.equal(readFileSync(removed.patch ?? '', 'utf8').includes(secret.trim()), true);
  assert.equal(
    git('for-each-ref', '--format=%(refname)', `refs/heads/${options.branch ?? ''}`),
    '',
  );
  assert.equal(
    git('for-each-ref', '--format=%(refname)', 'refs/orchestra/backup')
      .split('\n')
      .filter((ref) => ref.startsWith(`refs/orchestra/backup/${options.owner}-`)).length,
    1,
  );
  assert.equal(git('worktree', 'list').trim().split('\n').length, 1);
  assert.deepEqual(
    [existsSync(options.path), readdirSync(path.join(workspace.private, 'trash'))],
    [false, []],
  );
  assert.deepEqual(
    readdirSync(path.join(root, '.git'), {recursive: true, encoding: 'utf8'}).filter((name) =>
      name.endsWith('.lock'),
    ),
    [],
  );
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

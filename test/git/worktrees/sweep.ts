import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {ensureWorktree, type WorktreeOptions} from '../../../source/git/index.ts';
import {killedCall} from '../support/killed-call.ts';
import {makeRepository, reopen, type TestRepository} from '../support/repository.ts';

export type SweepResult = {
  readonly tried: number;
  readonly held: number;
  /**
   * How far it had come when it was killed, by its own note; `end` when it was faster than the
   * kill.
   */
  readonly reached: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
};

/**
 * Kills what makes a worktree at any moment of it, asks again, and looks whether all is as if
 * nothing had happened.
 */
export async function sweepMaking(
  kills: number,
  random: () => number,
  files = 40,
): Promise<SweepResult> {
  const repository = makeRepository(
    Object.fromEntries(
      Array.from({length: files}, (_, index) => [
        `source/part-${index % 20}/file-${index}.txt`,
        'line\n'.repeat(index),
      ]),
    ),
  );
  const problems: string[] = [];
  const reached: Record<string, number> = {};
  try {
    repository.write('readme.md', 'not committed\n');
    repository.write('note.txt', 'new\n');
    const before = readUserState(repository);
    let {ms: usual} = await killedCall(repository, {
      do: 'ensure',
      options: toOptions(repository, 1),
    });
    for (let kill = 2; kill < kills + 2; kill++) {
      const options = toOptions(repository, kill);
      // Every fourth time its git is left alive. Every fifth time it was made ahead before, and is
      // killed while it is put in its place.
      const isAhead = kill % 5 === 0;
      if (isAhead) await killedCall(repository, {do: 'prepare', commands: [options]});
      const {isDone} = await killedCall(
        repository,
        {do: 'ensure', options},
        random() * usual * (isAhead ? 0.4 : 1),
        kill % 4 === 0,
      );
      // The machine is not always equally busy: most kills should find it at work.
      usual *= isDone && !isAhead ? 0.9 : 1.01;
      const stage = isDone ? 'end' : getStage(repository, 'worktrees', options.owner);
      reached[stage] = (reached[stage] ?? 0) + 1;
      // Recovering is killed as well, every third time.
      if (kill % 3 === 0) await killedCall(repository, {do: 'ensure', options}, random() * usual);
      try {
        const made = await ensureWorktree(reopen(repository.home, repository.root), options);
        assert.deepEqual(
          await ensureWorktree(reopen(repository.home, repository.root), options),
          made,
        );
        checkMade(repository, options, made.path, kill);
        assert.deepEqual(readUserState(repository), before);
      } catch (error) {
        problems.push(`kill ${kill}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }

    return {tried: kills, held: kills - problems.length, reached, problems};
  } finally {
    repository.remove();
  }
}

/** What the note of an owner says. */
export function getStage(
  {workspace}: TestRepository,
  kind: 'worktrees' | 'removals',
  owner: string,
): string {
  try {
    return (
      JSON.parse(
        readFileSync(path.join(workspace.private, kind, `${owner.replace('.', '-')}.json`), 'utf8'),
      ) as {readonly at: string}
    ).at;
  } catch {
    return 'nothing';
  }
}

function toOptions(repository: TestRepository, number: number): WorktreeOptions {
  return {
    owner: `r1.t${number}`,
    branch: `orchestra/r1-t${number}`,
    from: repository.head(),
    mayRebuild: true,
  };
}

function checkMade(
  {git, gitIn, root, home, workspace}: TestRepository,
  {owner, branch, from}: WorktreeOptions,
  place: string,
  count: number,
): void {
  assert.equal(place, path.join(workspace.worktrees, owner.replace('.', '-')));
  const listed = git('worktree', 'list', '--porcelain')
    .split('\n\n')
    .filter((text) => text !== '')
    .map((text) => text.split('\n'));
  assert.equal(listed.length, count + 1, 'one worktree for each owner, and the main checkout');
  assert.deepEqual(
    listed.filter((lines) => lines[0] === `worktree ${place}`),
    [[`worktree ${place}`, `HEAD ${from}`, `branch refs/heads/${branch}`, 'locked orchestra']],
  );
  assert.equal(
    listed.filter((lines) => lines.some((line) => /^prunable|initializing/.test(line))).length,
    0,
  );
  assert.equal(gitIn(place, 'status', '--porcelain'), '');
  assert.equal(gitIn(place, 'rev-parse', 'HEAD').trim(), from);
  assert.equal(
    git('for-each-ref', '--format=%(refname)', 'refs/heads')
      .split('\n')
      .filter(
        (line) =>
          line.startsWith(`refs/heads/${branch ?? ''}`) &&
          !/\d/.test(line.at(`refs/heads/${branch ?? ''}`.length) ?? ''),
      ).length,
    1,
  );
  assert.deepEqual(locksIn(path.join(root, '.git')), []);
  assert.deepEqual(readdirSync(path.join(home, 'private', 'making')), []);
  assert.equal(existsSync(path.join(place, '.git', 'index.lock')), false);
}

function locksIn(directory: string): string[] {
  return readdirSync(directory, {recursive: true, encoding: 'utf8'}).filter((name) =>
    name.endsWith('.lock'),
  );
}

function readUserState({root, git}: TestRepository): unknown {
  return [
    git('status', '--porcelain'),
    git('rev-parse', 'HEAD'),
    git('symbolic-ref', 'HEAD'),
    readFileSync(path.join(root, 'readme.md'), 'utf8'),
    readFileSync(path.join(root, '.git', 'config'), 'utf8'),
  ];
}

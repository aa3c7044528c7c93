// Thirty worktrees of a repository with 20,000 files: asked for at once of us, and one after
// another of plain git, in the same run.
import path from 'node:path';
import {existsSync, mkdirSync, rmSync, writeFileSync} from 'node:fs';
import {
  ensureWorktree,
  hashTree,
  outsideFingerprint,
  prepareWorktrees,
  readGuard,
  removeWorktree,
} from '../../source/git/index.ts';
import {makeRepository, type TestRepository} from '../../test/git/support/repository.ts';
import {getTable, median, show} from './sessions/figures.ts';

const files = 20_000;
const count = 30;

export async function benchWorktrees(): Promise<string> {
  const repository = makeRepository();
  try {
    fill(repository);
    const {workspace, git, home} = repository;
    const owners = Array.from({length: count}, (_, index) => `r1.t${index + 1}`);
    const toCommand = (
      owner: string,
    ): {owner: string; branch: string; from: string; mayRebuild: boolean} => ({
      owner,
      branch: `orchestra/${owner.replace('.', '-')}`,
      from: 'HEAD',
      mayRebuild: true,
    });
    const one = (name: string): number =>
      timeSync(() => {
        git('worktree', 'add', '-q', '-b', name, path.join(home, 'plain', name), 'HEAD');
      });

    // Both warm the disk's cache before they are timed.
    one('warm');
    git('worktree', 'remove', '--force', path.join(home, 'plain', 'warm'));
    const plain = owners.map((_, index) => one(`plain-${index}`));
    const plainRemoval = timeSync(() => {
      git('worktree', 'remove', '--force', path.join(home, 'plain', 'plain-0'));
    });
    rmSync(path.join(home, 'plain'), {recursive: true, force: true});
    git('worktree', 'prune');

    const began = performance.now();
    const made = await Promise.all(
      owners.map((owner) => ensureWorktree(workspace, toCommand(owner))),
    );
    const ours = performance.now() - began;
    const whole = made.filter(
      ({path: place}) =>
        existsSync(path.join(place, '.git')) &&
        repository.gitIn(place, 'status', '--porcelain') === '',
    ).length;
    const tree = await time(() => hashTree(workspace, made[0]!.path));
    const guard = median(await times(5, () => readGuard(workspace)));
    const outside = await time(() => outsideFingerprint(workspace, {siblings: [], home}));
    const removal = await time(() =>
      removeWorktree(workspace, {
        owner: owners[0]!,
        path: made[0]!.path,
        branch: made[0]!.branch,
        base: made[0]!.commit,
      }),
    );

    await prepareWorktrees(
      workspace,
      ['r2.t1', 'r2.t2', 'r2.t3'].map((owner) => ({owner, from: 'HEAD'})),
    );
    const adopted: number[] = [];
    for (const owner of ['r2.t1', 'r2.t2', 'r2.t3'])
      adopted.push(await time(() => ensureWorktree(workspace, toCommand(owner))));
    const sum = plain.reduce((total, ms) => total + ms, 0);
    return [
      `${files} files. ${made.length} asked for at once: ${whole} made, whole and clean.`,
      '',
      ...getTable(
        ['what', 'git worktree (ms)', 'orchestra (ms)', 'ratio'],
        [
          [`${count} worktrees`, show(sum), show(ours), `${show(sum / ours)} times as fast`],
          [
            'one that was made ahead, put in place',
            show(median(plain)),
            show(median(adopted)),
            `${show(median(plain) / median(adopted))} times as fast`,
          ],
          [
            'removal (ours keeps what is not merged)',
            show(plainRemoval),
            show(removal),
            `${show(removal / plainRemoval)} times as long`,
          ],
          ['hash of all files, nothing changed', '–', show(tree), '–'],
          ['guard', '–', show(guard), '–'],
          ['fingerprint of the main checkout', '–', show(outside), '–'],
        ],
      ),
      '',
    ].join('\n');
  } finally {
    repository.remove();
  }
}

function fill({root, git}: TestRepository): void {
  for (let index = 0; index < files; index++) {
    const directory = path.join(root, `packages/p${index % 40}/source/d${index % 400}`);
    if (index < 400) mkdirSync(directory, {recursive: true});
    writeFileSync(
      path.join(directory, `file-${index}.ts`),
      `export const value${index} = ${index};\n`.repeat(20 + (index % 60)),
    );
  }

  // Nothing of git's own goes on in the background while we count.
  git('config', 'gc.auto', '0');
  git('add', '-A');
  git('commit', '-q', '-m', 'many files');
  git('gc', '-q');
}

function timeSync(act: () => void): number {
  const began = performance.now();
  act();
  return performance.now() - began;
}

async function time(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

async function times(rounds: number, act: () => Promise<unknown>): Promise<readonly number[]> {
  const all: number[] = [];
  for (let round = 0; round < rounds; round++) all.push(await time(act));
  return all;
}

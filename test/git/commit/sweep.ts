import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {ensureWorktree} from '../../../source/git/index.ts';
import {killedStep, type Step} from '../support/killed-step.ts';
import {makeRepository, reopen} from '../support/repository.ts';
import {toSweepResult, locksIn, type SweepResult} from '../support/sweep-result.ts';
import {errorText} from '../../../source/shared/index.ts';
import {takeStep} from '../support/take-step.ts';

/**
 * Kills capture and commit at any moment, does them again, and looks whether there is exactly one
 * commit.
 */
export async function sweepCommits(kills: number, random: () => number): Promise<SweepResult> {
  const repository = makeRepository(
    Object.fromEntries(
      Array.from({length: 60}, (_, index) => [
        `part-${index % 6}/file-${index}.txt`,
        'line\n'.repeat(20),
      ]),
    ),
  );
  const problems: string[] = [];
  let midway = 0;
  try {
    const {git, gitIn, home, root} = repository;
    let parent = repository.head();
    const {path: directory} = await ensureWorktree(repository.workspace, {
      owner: 'r1.t1',
      branch: 'orchestra/r1-t1',
      from: parent,
      mayRebuild: true,
    });
    const parseStep = (number: number): Step => {
      for (let file = 0; file < 20; file++)
        writeFileSync(path.join(directory, `new-${file}.txt`), `${number}\n`.repeat(50));
      return {
        do: 'capture-and-commit',
        directory,
        options: {
          branch: 'orchestra/r1-t1',
          parent,
          message: `change ${number}\n`,
          at: 1_700_000_000_000,
        },
      };
    };
    const usual = await killedStep(repository, parseStep(0));
    parent = (usual.text as {readonly commit: string}).commit;
    for (let kill = 1; kill <= kills; kill++) {
      const step = parseStep(kill);
      const {text} = await killedStep(repository, step, random() * usual.ms * 1.05);
      if (text === undefined) midway += 1;
      if (kill % 3 === 0) await killedStep(repository, step, random() * usual.ms);
      try {
        const first = await takeStep(reopen(home, root), step);
        assert.deepEqual(
          await takeStep(reopen(home, root), step),
          first,
          'again gives the same commit',
        );
        assert.deepEqual(text ?? first, first, 'what was said before is what is there');
        const {commit} = first as {readonly commit: string};
        assert.equal(
          git('rev-list', '--count', 'main..orchestra/r1-t1').trim(),
          String(kill + 1),
          'one commit more',
        );
        assert.equal(
          git('rev-parse', 'orchestra/r1-t1', 'orchestra/r1-t1~1'),
          `${commit}\n${parent}\n`,
        );
        assert.equal(gitIn(directory, 'status', '--porcelain'), '');
        assert.deepEqual(locksIn(path.join(root, '.git')), []);
        parent = commit;
      } catch (error) {
        problems.push(`kill ${kill}: ${errorText(error)}`);
        parent = git('rev-parse', 'orchestra/r1-t1').trim();
      }
    }

    assert.equal(git('fsck', '--no-dangling'), '');
    return toSweepResult(kills, midway, problems);
  } finally {
    repository.remove();
  }
}

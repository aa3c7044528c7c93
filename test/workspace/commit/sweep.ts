import assert from 'node:assert/strict';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {ensureWorktree} from '../../../source/workspace/index.ts';
import {killedStep, type Step} from '../support/killed-step.ts';
import {makeRepository, reopen} from '../support/repository.ts';
import {locksIn, sweptOf, type Swept, wordsOf} from '../support/swept.ts';
import {takeStep} from '../support/take-step.ts';

/** Kills capture and commit at any moment, does them again, and looks whether there is exactly one commit. */
export async function sweepCommits(kills: number, random: () => number): Promise<Swept> {
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
    const stepOf = (number: number): Step => {
      for (let file = 0; file < 20; file++)
        writeFileSync(path.join(directory, `new-${file}.txt`), `${number}\n`.repeat(50));
      return {
        do: 'capture-and-commit',
        directory,
        wish: {
          branch: 'orchestra/r1-t1',
          parent,
          message: `change ${number}\n`,
          at: 1_700_000_000_000,
        },
      };
    };
    const usual = await killedStep(repository, stepOf(0));
    parent = (usual.said as {readonly commit: string}).commit;
    for (let kill = 1; kill <= kills; kill++) {
      const step = stepOf(kill);
      const {said} = await killedStep(repository, step, random() * usual.ms * 1.05);
      if (said === undefined) midway += 1;
      if (kill % 3 === 0) await killedStep(repository, step, random() * usual.ms);
      try {
        const first = await takeStep(reopen(home, root), step);
        assert.deepEqual(
          await takeStep(reopen(home, root), step),
          first,
          'again gives the same commit',
        );
        assert.deepEqual(said ?? first, first, 'what was said before is what is there');
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
        problems.push(`kill ${kill}: ${wordsOf(error)}`);
        parent = git('rev-parse', 'orchestra/r1-t1').trim();
      }
    }

    assert.equal(git('fsck', '--no-dangling'), '');
    return sweptOf(kills, midway, problems);
  } finally {
    repository.remove();
  }
}

import assert from 'node:assert/strict';
import path from 'node:path';
import {writeFileSync} from 'node:fs';
import {killedStep, type Step} from '../support/killed-step.ts';
import {makeRepository, reopen} from '../support/repository.ts';
import {toSweepResult, locksIn, type SweepResult} from '../support/sweep-result.ts';
import {errorText} from '../../../source/shared/index.ts';
import {takeStep} from '../support/take-step.ts';

const branch = 'orchestra/r1';

/**
 * Kills building and publishing a merge at any moment, does them again, and looks whether there is
 * exactly one.
 */
export async function sweepMerges(kills: number, random: () => number): Promise<SweepResult> {
  const repository = makeRepository({
    ...Object.fromEntries(
      Array.from({length: 40}, (_, index) => [`file-${index}.txt`, 'line\n'.repeat(20)]),
    ),
    '.gitignore': 'side\n',
  });
  const problems: string[] = [];
  let midway = 0;
  try {
    const {git, gitIn, home, root} = repository;
    const base = repository.head();
    const side = path.join(home, 'side');
    git('worktree', 'add', '-q', '--detach', side);
    let onto = base;
    const parseStep = (number: number): Step => {
      gitIn(side, 'checkout', '-q', '--detach', base);
      for (let file = 0; file < 10; file++)
        writeFileSync(path.join(side, `new-${number}-${file}.txt`), 'x\n'.repeat(100));
      gitIn(side, 'add', '-A');
      gitIn(side, 'commit', '-qm', `task ${number}`);
      return {
        do: 'merge-and-publish',
        branch,
        merge: {
          onto,
          commit: gitIn(side, 'rev-parse', 'HEAD').trim(),
          message: `merge ${number}\n`,
          at: 1_700_000_000_000,
        },
      };
    };
    const usual = await killedStep(repository, parseStep(0));
    onto = (usual.text as {readonly candidate: string}).candidate;
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
          'again gives the same merge',
        );
        assert.deepEqual(text ?? first, first, 'what was said before is what is there');
        const {candidate} = first as {readonly candidate: string};
        assert.equal(git('rev-parse', branch, `${branch}^1`), `${candidate}\n${onto}\n`);
        assert.equal(
          git('rev-list', '--count', '--merges', `main..${branch}`).trim(),
          String(kill + 1),
          'one merge more',
        );
        assert.deepEqual(
          [git('status', '--porcelain'), git('rev-parse', 'main').trim()],
          ['', base],
        );
        assert.deepEqual(locksIn(path.join(root, '.git')), []);
      } catch (error) {
        problems.push(`kill ${kill}: ${errorText(error)}`);
      }

      onto = git('rev-parse', branch).trim();
    }

    assert.equal(git('fsck', '--no-dangling'), '');
    return toSweepResult(kills, midway, problems);
  } finally {
    repository.remove();
  }
}

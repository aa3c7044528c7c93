import assert from 'node:assert/strict';
import path from 'node:path';
import {existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import type {AcceptWay} from '../../../source/domain/index.ts';
import {killedStep, type Step} from '../support/killed-step.ts';
import {makeRepository, reopen, type TestRepository} from '../support/repository.ts';
import {toSweepResult, locksIn, type SweepResult} from '../support/sweep-result.ts';
import {errorText} from '../../../source/shared/index.ts';
import {takeStep} from '../support/take-step.ts';
import {contentUnder, readUserState, leaveEdits, userFiles} from './user-edits.ts';

/**
 * Kills an accept into a checked-out branch at random times, repeats it, and checks that it is
 * complete and that the person's edits are untouched.
 */
export async function sweepAccepts(
  kills: number,
  random: () => number,
  way: AcceptWay = 'merge',
): Promise<SweepResult> {
  const repository = makeRepository({
    ...userFiles,
    ...Object.fromEntries(
      Array.from({length: 40}, (_, index) => [`shared/file-${index}.txt`, 'line\n'.repeat(20)]),
    ),
  });
  const as = (step: Step): Step =>
    step.do === 'accept' && way !== 'merge' ? {...step, options: {...step.options, way}} : step;
  const problems: string[] = [];
  let midway = 0;
  try {
    const {git, home, root} = repository;
    const side = path.join(home, 'side');
    git('worktree', 'add', '-q', '--detach', side);
    leaveEdits(repository);
    const before = readUserState(repository);
    const usual = await killedStep(repository, as(getRun(repository, side, 0, 'main')));
    for (let kill = 1; kill <= kills; kill++) {
      // Every fourth time the person's branch has moved, so that it has to be merged.
      const step = as(getRun(repository, side, kill, kill % 4 === 0 ? 'main~1' : 'main'));
      const from = repository.head();
      const {text} = await killedStep(repository, step, random() * usual.ms * 1.05);
      if (text === undefined) midway += 1;
      if (kill % 3 === 0) await killedStep(repository, step, random() * usual.ms);
      try {
        const first = await takeStep(reopen(home, root), step);
        assert.deepEqual(await takeStep(reopen(home, root), step), first, 'again gives the same');
        assert.deepEqual(text ?? first, first, 'what was said before is what is there');
        const {commit, how} = first as {readonly commit: string; readonly how?: string};
        const mergeKind = kill % 4 === 0 ? 'merge' : 'fast-forward';
        assert.equal(how, way === 'merge' ? mergeKind : way, JSON.stringify(first));
        assert.equal(git('rev-parse', 'main').trim(), commit);
        assert.equal(
          git('rev-list', '--first-parent', '--count', `${from}..main`).trim(),
          '1',
          'the branch went one step',
        );
        assert.deepEqual(readUserState(repository), before, "what is the person's is as before");
        assert.deepEqual(
          sharedIn(contentUnder(root)),
          sharedIn(contentUnder(checkedOut(repository, side))),
          'the files are those of the commit',
        );
        assert.deepEqual(locksIn(path.join(root, '.git')), []);
        assert.deepEqual(
          [
            existsSync(path.join(root, '.git/orchestra-home')),
            existsSync(path.join(home, 'private/home/intent.json')),
          ],
          [false, false],
        );
      } catch (error) {
        problems.push(`kill ${kill}: ${errorText(error)}`);
      }
    }

    assert.equal(git('fsck', '--no-dangling'), '');
    return toSweepResult(kills, midway, problems);
  } finally {
    repository.remove();
  }
}

/**
 * A run that edits, adds, deletes, makes executable, links, and turns a file into a directory or
 * back.
 */
function getRun({git, gitIn}: TestRepository, side: string, number: number, onto: string): Step {
  gitIn(side, 'checkout', '-q', '-f', '--detach', git('rev-parse', onto).trim());
  const put = (file: string, text: string, mode = 0o644): void => {
    rmSync(path.join(side, file), {recursive: true, force: true});
    mkdirSync(path.dirname(path.join(side, file)), {recursive: true});
    writeFileSync(path.join(side, file), text, {mode});
  };
  const committed = (): Step => {
    gitIn(side, 'add', '-A');
    gitIn(side, 'commit', '-qm', `run ${number}`);
    return {
      do: 'accept',
      options: {
        branch: 'main',
        commit: gitIn(side, 'rev-parse', 'HEAD').trim(),
        at: 1_700_000_000_000,
      },
    };
  };
  if (onto !== 'main') {
    put('shared/keep.txt', `${number}\n`);
    for (let file = 0; file < 12; file++)
      put(`shared/merged/${number}-${file}.txt`, `${number}\n`.repeat(100));
    return committed();
  }

  for (let file = 0; file < 12; file++)
    put(
      `shared/file-${(number * 7 + file) % 40}.txt`,
      `${number}\n`.repeat(200),
      file % 5 === 0 ? 0o755 : 0o644,
    );
  put(`shared/added/${number}/new.txt`, `${number}\n`);
  rmSync(path.join(side, `shared/added/${number - 1}`), {recursive: true, force: true});
  rmSync(path.join(side, 'shared/turns'), {recursive: true, force: true});
  put(number % 2 === 0 ? 'shared/turns' : 'shared/turns/deep/file.txt', `${number}\n`);
  rmSync(path.join(side, 'shared/link'), {recursive: true, force: true});
  symlinkSync(`file-${number % 40}.txt`, path.join(side, 'shared/link'));
  return committed();
}

function checkedOut({git, gitIn}: TestRepository, side: string): string {
  gitIn(side, 'checkout', '-q', '-f', '--detach', git('rev-parse', 'main').trim());
  return side;
}

function sharedIn(content: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(content).filter(
      ([file]) => file.startsWith('shared/') && file !== 'shared/new-of-mine.txt',
    ),
  );
}

import {rmSync} from 'node:fs';
import path from 'node:path';
import {type Difference, differencesOf} from '../change/differences-of.ts';
import {readRef, refOf} from '../commit/refs.ts';
import {namesIn} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {dropOwnLocks} from './drop-own-locks.ts';
import {dropHold, holdIndex} from './hold-index.ts';
import {dropIntent, type Intent, readIntent} from './intent.ts';
import {moveHomeRef} from './move-home-ref.ts';
import {dirtyPaths} from './obstacles-to.ts';
import {besideSuffix} from './put-files.ts';
import type {Place} from './run-in.ts';
import {dropStaged, stageFiles} from './stage-files.ts';
import {type PathState, stateOfPath} from './state-of-path.ts';
import {takeBack, writeAll} from './sync-checkout.ts';
import {namesOf} from './words.ts';
import {oldEntries, strangeEntries, writeIndex} from './write-index.ts';

/** Takes up a homecoming that was cut off, or says why it can't: then a person looks at the files that are named. Nothing to do gives null. Inside a turn. */
export async function finishHomecoming(
  workspace: Workspace,
  patience: number,
): Promise<{readonly refused: string} | null> {
  const found = readIntent(workspace);
  if (found === undefined) return null;
  const {since, ...intent} = found;
  const {branch, from, to, checkout} = intent;
  await dropOwnLocks(workspace, {
    branch,
    since,
    gitDirectory: checkout?.gitDirectory ?? workspace.commonDirectory,
  });
  if (checkout === null) {
    if ((await readRef(workspace, refOf(branch))) === from)
      await moveHomeRef(workspace, {
        branch,
        from,
        to,
        since,
        gitDirectory: workspace.commonDirectory,
      });
    dropIntent(workspace);
    return null;
  }

  dropHold(checkout.gitDirectory);
  const seen = await readRef(workspace, refOf(branch));
  if (intent.at === 'looking') return over(workspace, checkout);
  const held = await holdIndex(checkout, patience);
  if ('refused' in held) return held;
  try {
    const differences = await differencesOf(workspace, from, to);
    dropBeside(checkout.directory, differences);
    if (seen === to) {
      // The branch moves after the files: only the index may be behind.
      const behind = await oldEntries(workspace, checkout, differences);
      if (behind.length > 0)
        await writeIndex(
          workspace,
          checkout,
          held,
          behind.map((one) => ({path: one.path, entry: one.new})),
        );
      return over(workspace, checkout);
    }

    if (seen !== from && intent.at === 'writing')
      return await movedOn(workspace, {intent, checkout, differences});
    const states = await statesOf(workspace, checkout, intent, differences);
    if (intent.at === 'taking-back') {
      // Only what we changed: the edit that made us take it back is the person's.
      const ours = differences.filter((one) =>
        ['new', 'half'].includes(states.get(one.path) ?? ''),
      );
      await takeBack(workspace, {intent: {...intent, checkout}, since, held, differences: ours});
      return null;
    }

    const strange = await strangeEntries(workspace, checkout, differences);
    const edited = differences
      .map(({path: file}) => file)
      .filter((file) => states.get(file) === 'edited' || strange.includes(file));
    if (edited.length > 0) return {refused: wordsOf(checkout, intent, edited)};
    const staged = await stageFiles(workspace, checkout, {
      commit: to,
      paths: differences.filter((one) => one.new !== null).map(({path: file}) => file),
    });
    const result = await writeAll(workspace, {
      intent: {...intent, checkout},
      since,
      held,
      differences,
      staged,
      looks: new Map(),
    });
    return typeof result === 'string' ? null : result;
  } finally {
    held.release();
  }
}

function over(workspace: Workspace, {gitDirectory}: Place): null {
  // Before what is staged goes: the proof that the lock on the index is ours lies beside it.
  dropHold(gitDirectory);
  dropStaged(gitDirectory);
  dropIntent(workspace);
  return null;
}

/** The person moved the branch after the crash. When the files are in order for them, there is nothing left to finish. */
async function movedOn(
  workspace: Workspace,
  {
    intent,
    checkout,
    differences,
  }: {
    readonly intent: Intent;
    readonly checkout: Place;
    readonly differences: readonly Difference[];
  },
): Promise<{readonly refused: string} | null> {
  const changed = new Set(differences.map(({path: file}) => file));
  const dirty = (await dirtyPaths(workspace, checkout)).filter((file) => changed.has(file));
  if (dirty.length === 0) return over(workspace, checkout);
  return {
    refused: `Accepting into ${namesOf([intent.branch])} was cut off, and the branch has moved since then. Look at ${namesOf(dirty)} in ${namesOf([checkout.directory])}: commit what you want to keep, "git restore" the rest, then accept again.`,
  };
}

async function statesOf(
  workspace: Workspace,
  place: Place,
  {from, to}: Intent,
  differences: readonly Difference[],
): Promise<ReadonlyMap<string, PathState>> {
  const stagedOld = await stageFiles(workspace, place, {
    commit: from,
    paths: differences.filter((one) => one.old !== null).map(({path: file}) => file),
  });
  const stagedNew = await stageFiles(workspace, place, {
    commit: to,
    paths: differences.filter((one) => one.new !== null).map(({path: file}) => file),
  });
  const states = new Map<string, PathState>();
  for (const difference of differences)
    states.set(
      difference.path,
      await stateOfPath(workspace, place, {difference, stagedOld, stagedNew}),
    );
  return states;
}

function wordsOf(place: Place, {branch, from}: Intent, edited: readonly string[]): string {
  return `Accepting into ${namesOf([branch])} was cut off, and ${namesOf(edited)} in ${namesOf([place.directory])} has been edited since then. Your edits are untouched. Keep a copy of them elsewhere, put the file back ("git checkout ${from} -- FILE"), then accept again: it goes on where it was cut off.`;
}

function dropBeside(directory: string, differences: readonly Difference[]): void {
  for (const place of new Set(
    differences.map(({path: file}) => path.join(directory, path.dirname(file))),
  )) {
    for (const name of namesIn(place, {maxEntries: 1_000_000}))
      if (name.endsWith(besideSuffix)) rmSync(path.join(place, name), {force: true});
  }
}

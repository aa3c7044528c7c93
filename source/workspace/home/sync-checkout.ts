import {type Difference, differencesOf} from '../change/differences-of.ts';
import {readRef, refOf} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {type HeldIndex, holdIndex} from './hold-index.ts';
import {dropIntent, type Intent, writeIntent} from './intent.ts';
import {moveHomeRef} from './move-home-ref.ts';
import {obstaclesTo} from './obstacles-to.ts';
import {EditedMeanwhile, type Look, lookAt, putFiles} from './put-files.ts';
import type {Place} from './run-in.ts';
import {dropStaged, stageFiles} from './stage-files.ts';
import {mergeCommand, namesOf} from './words.ts';
import {writeIndex} from './write-index.ts';

export type Synced = 'moved' | 'outdated' | {readonly refused: string};

export type SyncWish = {
  readonly intent: Intent & {readonly checkout: Place};
  readonly patience: number;
};

/**
 * Moves a branch that is checked out, with the files and index entries that differ, and nothing else. The person's git is
 * kept out by its own lock meanwhile. The order is files, branch, index: whatever a crash leaves is known by the intent.
 */
export async function syncCheckout(
  workspace: Workspace,
  {intent, patience}: SyncWish,
): Promise<Synced> {
  const {from, to, checkout: place} = intent;
  const since = writeIntent(workspace, {...intent, at: 'looking'});
  const held = await holdIndex(place, patience);
  if ('refused' in held) {
    dropIntent(workspace);
    return held;
  }

  try {
    const differences = await differencesOf(workspace, from, to);
    // Looked at before git is asked: an edit is either in git's answer, or seen in the look.
    const looks = new Map(differences.map(({path}) => [path, lookAt(place.directory, path)]));
    const obstacle = await obstaclesTo(workspace, place, {to, differences});
    if (obstacle !== undefined) {
      letGo(workspace, place, held);
      return {
        refused: `Not brought home: ${obstacle}. Then accept again, or do it yourself: ${mergeCommand(place.directory, to)}`,
      };
    }

    const staged = await stageFiles(workspace, place, {
      commit: to,
      paths: differences.filter((one) => one.new !== null).map(({path}) => path),
    });
    writeIntent(workspace, {...intent, at: 'writing'}, since);
    return await writeAll(workspace, {intent, since, held, differences, staged, looks});
  } finally {
    // Whatever happened, the person's git is not kept out. What is left to do is in the intent.
    held.release();
  }
}

export type WriteWish = {
  readonly intent: Intent & {readonly checkout: Place};
  readonly since: number;
  readonly held: HeldIndex;
  readonly differences: readonly Difference[];
  readonly staged: string;
  /** How files looked when they were found free of edits; those without are as a crash left them. */
  readonly looks: ReadonlyMap<string, Look>;
};

export async function writeAll(
  workspace: Workspace,
  {intent, since, held, differences, staged, looks}: WriteWish,
): Promise<Synced> {
  const {branch, from, to, checkout: place} = intent;
  const done: Difference[] = [];
  try {
    putFiles(
      place.directory,
      staged,
      differences.map((one) => {
        const look = looks.get(one.path);
        return {
          path: one.path,
          isThere: one.new !== null,
          ...(look === undefined ? {} : {look}),
          onDone: () => done.push(one),
        };
      }),
    );
  } catch (error) {
    await takeBack(workspace, {intent, since, held, differences: done});
    if (!(error instanceof EditedMeanwhile)) throw error;
    return {
      refused: `Not brought home: you edited ${namesOf([error.path])} at this moment. Everything is as before. Accept again when you are done.`,
    };
  }

  const entries = differences.map((one) => ({path: one.path, entry: one.new}));
  let isMoved;
  try {
    isMoved = await writeIndex(
      workspace,
      place,
      held,
      entries,
      async () =>
        (await moveHomeRef(workspace, {
          branch,
          from,
          to,
          since,
          gitDirectory: place.gitDirectory,
        })) === 'moved',
    );
  } catch (error) {
    if ((await readRef(workspace, refOf(branch))) === to) throw error;
    await takeBack(workspace, {intent, since, held, differences});
    return {
      refused: `Not brought home; everything is as before. ${error instanceof Error ? error.message : String(error)}`,
    };
  }

  if (!isMoved) {
    await takeBack(workspace, {intent, since, held, differences});
    return 'outdated';
  }

  letGo(workspace, place, held);
  return 'moved';
}

/** Puts files back as they were. The index was not touched yet. */
export async function takeBack(
  workspace: Workspace,
  {intent, since, held, differences}: Omit<WriteWish, 'staged' | 'looks'>,
): Promise<void> {
  const {from, checkout: place} = intent;
  writeIntent(workspace, {...intent, at: 'taking-back'}, since);
  const staged = await stageFiles(workspace, place, {
    commit: from,
    paths: differences.filter((one) => one.old !== null).map(({path}) => path),
  });
  putFiles(
    place.directory,
    staged,
    differences.map((one) => ({path: one.path, isThere: one.old !== null})),
  );
  letGo(workspace, place, held);
}

function letGo(workspace: Workspace, {gitDirectory}: Place, held: HeldIndex): void {
  held.release();
  dropStaged(gitDirectory);
  dropIntent(workspace);
}

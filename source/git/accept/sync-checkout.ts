import {errorText} from '../../shared/index.ts';
import {computeDifferences, type Difference} from '../changes/differences.ts';
import {readRef, toBranchRef} from '../commit/refs.ts';
import type {Workspace} from '../open-workspace.ts';
import {type HeldIndex, holdIndex, writeIndex} from './checkout-index.ts';
import {
  type AcceptIntent,
  advanceUserBranch,
  dropIntent,
  formatNames,
  movePhrases,
  writeIntent,
} from './user-branch.ts';
import {findObstacle} from './obstacles.ts';
import {
  dropStaged,
  EditedMeanwhileError,
  type FileStamp,
  putFiles,
  readFileStamp,
  stageFiles,
} from './checkout-files.ts';
import type {CheckoutPaths} from '../client/plumbing.ts';

export type SyncResult = 'moved' | 'outdated' | {readonly rejected: string};

export type SyncOptions = {
  readonly intent: AcceptIntent & {readonly checkout: CheckoutPaths};
  readonly lockTimeoutMs: number;
};

/**
 * Moves a checked-out branch together with the files and index entries that differ. The index lock
 * keeps the person's git out meanwhile. The order is files, branch, index; after a crash the intent
 * on disk tells what is left to do.
 */
export async function syncCheckout(
  workspace: Workspace,
  {intent, lockTimeoutMs}: SyncOptions,
): Promise<SyncResult> {
  const {from, to, checkout: place, purpose = 'accept'} = intent;
  const phrases = movePhrases[purpose];
  const since = writeIntent(workspace, {...intent, at: 'looking'});
  const held = await holdIndex(place, lockTimeoutMs);
  if ('rejected' in held) {
    dropIntent(workspace);
    return held;
  }

  try {
    const differences = await computeDifferences(workspace, from, to);
    // Stamps are read before git's status: every edit shows in one of both.
    const looks = new Map(
      differences.map(({path}) => [path, readFileStamp(place.directory, path)]),
    );
    const obstacle = await findObstacle(workspace, place, {to, differences});
    if (obstacle !== undefined) {
      releaseCheckout(workspace, place, held);
      return {
        rejected:
          `${phrases.not}: ${obstacle}. When that is solved, ${phrases.again}, or do it ` +
          `yourself: ${phrases.yourself(place.directory, to)}`,
      };
    }

    const staged = await stageFiles(workspace, place, {
      commit: to,
      paths: differences.filter((one) => one.new !== null).map(({path}) => path),
    });
    writeIntent(workspace, {...intent, at: 'writing'}, since);
    return await writeDifferences(workspace, {intent, since, held, differences, staged, looks});
  } finally {
    // Always release the lock. The intent on disk has what is left to do.
    held.release();
  }
}

type WriteDifferencesOptions = {
  readonly intent: AcceptIntent & {readonly checkout: CheckoutPaths};
  readonly since: number;
  readonly held: HeldIndex;
  readonly differences: readonly Difference[];
  readonly staged: string;
  /** Stamps of the files when they had no edits; files without one are as a crash left them. */
  readonly looks: ReadonlyMap<string, FileStamp>;
};

export async function writeDifferences(
  workspace: Workspace,
  {intent, since, held, differences, staged, looks}: WriteDifferencesOptions,
): Promise<SyncResult> {
  const {branch, from, to, checkout: place, purpose = 'accept'} = intent;
  const phrases = movePhrases[purpose];
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
    await restoreFiles(workspace, {intent, since, held, differences: done});
    if (!(error instanceof EditedMeanwhileError)) throw error;
    return {
      rejected:
        `${phrases.not}: you edited ${formatNames([error.path])} at this moment. Nothing ` +
        `was changed. When you are done, ${phrases.again}.`,
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
        (await advanceUserBranch(workspace, {
          branch,
          from,
          to,
          since,
          gitDirectory: place.gitDirectory,
          purpose,
        })) === 'moved',
    );
  } catch (error) {
    if ((await readRef(workspace, toBranchRef(branch))) === to) throw error;
    await restoreFiles(workspace, {intent, since, held, differences});
    return {
      rejected: `${phrases.not}; nothing was changed. ${errorText(error)}`,
    };
  }

  if (!isMoved) {
    await restoreFiles(workspace, {intent, since, held, differences});
    return 'outdated';
  }

  releaseCheckout(workspace, place, held);
  return 'moved';
}

/** Restores the old files. The index was not changed yet. */
export async function restoreFiles(
  workspace: Workspace,
  {intent, since, held, differences}: Omit<WriteDifferencesOptions, 'staged' | 'looks'>,
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
  releaseCheckout(workspace, place, held);
}

function releaseCheckout(
  workspace: Workspace,
  {gitDirectory}: CheckoutPaths,
  held: HeldIndex,
): void {
  held.release();
  dropStaged(gitDirectory);
  dropIntent(workspace);
}

import {errorText, ledgerEntries} from '../../shared/index.ts';
import {getBranchPrefix} from '../../project-config/index.ts';
import {
  isRunActive,
  isTaskId,
  runIdIn,
  selectRun,
  selectTasksToPrepare,
  selectWorktree,
  selectWorktreeOwner,
  type TaskId,
  type WorktreeOwner,
} from '../../domain/index.ts';
import {
  discardPrepared,
  ensureWorktree,
  preparedOwners,
  prepareShares,
  prepareWorktrees,
  readRemovedTip,
  removeWorktree as remove,
} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {pauseFor} from '../engine/pacing.ts';
import {readSetupFingerprint} from './task-place.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  RepositoryAccess,
  RepositoryGuards,
  StateReader,
} from '../daemon-context.ts';
import {provision} from './shared-folders.ts';
import {dropAgentState} from '../launch/agent-state.ts';

type WorktreeContext = StateReader & Pick<RepositoryAccess, 'workspace'> & DaemonLog;

/** Creates the worktree of a task on its own branch, or that of a planner or of merges on none. */
export function makeWorktree(
  context: StateReader & Pick<RepositoryAccess, 'workspace'> & RepositoryGuards & DaemonLog,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'make-worktree') return;
    const {owner, from} = effect;
    const workspace = context.workspace();
    const isLivedIn = ledgerEntries(context.state().sessions).some(
      (session) => selectWorktreeOwner(session) === owner,
    );
    const made = await ensureWorktree(workspace, {
      owner,
      branch: selectBranch(context, owner),
      from,
      mayRebuild: !isLivedIn,
    });
    await provision(context, owner, made.path, {isUsed: isLivedIn});
    await context.guards.extend(runIdIn(owner));
    await report({
      type: 'worktree-made',
      owner,
      path: made.path,
      branch: made.branch,
      commit: made.commit,
      tree: made.tree,
      ...(await readSetupFingerprint(context, made.commit)),
    });
  };
}

/**
 * Creates worktrees and shared directories while the person reads the plan. Nothing depends on
 * them: `make-worktree` creates what is not ready. What the current plan does not need is
 * discarded.
 */
export function prepareAhead(context: WorktreeContext): EffectHandler {
  return async (effect, _report, signal) => {
    if (effect.do !== 'prepare-worktrees') return;
    const {owners, from} = effect;
    const workspace = context.workspace();
    await sweepPrepared(context);
    await prepareWorktrees(
      workspace,
      owners.map((owner) => ({owner, from})),
    ).catch((error: unknown) => {
      context.log(`worktrees of ${effect.run} could not be prepared: ${errorText(error)}`);
    });
    const logged = new Set<string>();
    while (!signal.aborted) {
      await shareAhead(context, owners, signal, logged);
      await pauseFor(checkMs, signal);
    }

    await sweepPrepared(context);
  };
}

/** How often the checkout and the project file are checked for something new to share. */
const checkMs = 2000;

async function shareAhead(
  context: WorktreeContext,
  owners: readonly WorktreeOwner[],
  signal: AbortSignal,
  logged: Set<string>,
): Promise<void> {
  for (const owner of owners) {
    // After the approval a running copy is finished; `make-worktree` does the rest.
    if (signal.aborted) return;
    const throwIfUnneeded = (): void => {
      if (signal.aborted && !isComing(context, owner)) signal.throwIfAborted();
    };
    const notes = await prepareShares(
      context.workspace(),
      owner,
      context.state().project.share ?? [],
      throwIfUnneeded,
    ).then(
      (prepared) => prepared.notes,
      (error: unknown) =>
        signal.aborted ? [] : [`shared directories could not be prepared: ${errorText(error)}`],
    );
    for (const line of notes.map((note) => `${owner}: ${note}`).filter((one) => !logged.has(one))) {
      logged.add(line);
      context.log(line);
    }
  }
}

/** Whether its plan is approved and its worktree is not created yet. */
function isComing({state}: StateReader, owner: WorktreeOwner): boolean {
  const run = selectRun(state(), runIdIn(owner));
  return (
    run?.stage.at === 'working' &&
    run.tasks.some(({id}) => id === owner) &&
    selectWorktree(run, owner) === undefined
  );
}

/**
 * Discards unused worktrees that were prepared for a plan that was rejected, changed or discarded.
 */
export async function sweepPrepared(
  context: StateReader & Pick<RepositoryAccess, 'workspace'>,
): Promise<void> {
  const workspace = context.workspace();
  const prepared = preparedOwners(workspace).filter(isTaskId);
  const isWanted = (owner: TaskId): boolean => {
    const run = selectRun(context.state(), runIdIn(owner));
    // A parked run keeps its worktrees: it may be resumed.
    if (run?.stage.at !== 'reviewing' || !isRunActive(run))
      return (
        run !== undefined &&
        run.stage.at !== 'discarded' &&
        run.stage.at !== 'accepted' &&
        run.stage.at !== 'planning'
      );
    return selectTasksToPrepare(context.state(), run).includes(owner);
  };
  await discardPrepared(
    workspace,
    prepared.filter((owner) => !isWanted(owner)),
  );
}

function selectBranch({state}: StateReader, owner: WorktreeOwner): string | null {
  return isTaskId(owner) ? `${getBranchPrefix(state().project)}/${owner.replace('.', '-')}` : null;
}

/** Removes a worktree. Unmerged work is backed up as a ref and a patch first. */
export function removeWorktreeEffect(
  context: StateReader & Pick<RepositoryAccess, 'workspace'> & DaemonDirectory & DaemonLog,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'remove-worktree') return;
    const {owner} = effect;
    const run = selectRun(context.state(), runIdIn(owner));
    const worktree = run === undefined ? undefined : selectWorktree(run, owner);
    if (run === undefined || worktree === undefined) throw new Error(`${owner} has no worktree`);
    const {path, branch, commit} = worktree;
    const {backup, how} = await remove(context.workspace(), {
      owner,
      path,
      branch,
      base: commit,
      ...(run.stage.at === 'accepted' ? {mergedInto: run.head ?? run.stage.commit} : {}),
    });
    const tip = readRemovedTip(context.workspace(), owner);
    dropAgentState(context, owner);
    for (const line of how) context.log(`${owner}: ${line}`);
    await report({
      type: 'worktree-removed',
      owner,
      kept: backup,
      ...(tip === null ? {} : {tip}),
    });
  };
}

import {ledgerEntries} from '../../shared/index.ts';
import {getBranchPrefix} from '../../project-config/index.ts';
import {isLive, runIdIn, selectWorktreeOwner} from '../../domain/index.ts';
import {resolveBase, restoreWorktree, undoAccept} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {refreshOutside} from '../launch/outside.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  RepositoryAccess,
  RepositoryGuards,
  SessionFiles,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {provision} from './shared-folders.ts';
import {readSetupFingerprint} from './task-place.ts';

/** Moves the person's branch back to where it was before an accept, at their command. */
export function undoAcceptEffect(
  context: StateReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    DaemonClock &
    UserAccount,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'undo-accept') return;
    const {run, branch, from, to} = effect;
    const undone = await undoAccept(context.workspace(), {branch, from, to});
    await refreshOutside(context);
    await report(
      'rejected' in undone
        ? {type: 'undo-refused', what: run, why: undone.rejected}
        : {type: 'accept-undone', run, into: branch, commit: to},
    );
  };
}

/** Makes the worktree of a discarded task again, from the ref that its removal left. */
export function restoreWorktreeEffect(
  context: StateReader & Pick<RepositoryAccess, 'workspace'> & RepositoryGuards & DaemonLog,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'restore-worktree') return;
    const {owner, base, tip, kept} = effect;
    const isUsed = ledgerEntries(context.state().sessions).some(
      (session) => isLive(session) && selectWorktreeOwner(session) === owner,
    );
    if (isUsed) throw new Error(`a process still works in the worktree of ${owner}`);
    const workspace = context.workspace();
    const made = await restoreWorktree(workspace, {
      owner,
      branch: `${getBranchPrefix(context.state().project)}/${owner.replace('.', '-')}`,
      tip,
      kept,
    });
    await provision(context, owner, made.path, {isUsed: false});
    await context.guards.extend(runIdIn(owner));
    const {commit, tree} = await resolveBase(workspace, base);
    await report({
      type: 'worktree-made',
      owner,
      path: made.path,
      branch: made.branch,
      commit,
      tree,
      ...(await readSetupFingerprint(context, commit)),
    });
  };
}

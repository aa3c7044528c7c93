/**
 * Git operations on a repository: worktrees, captured changes, commits, merges, accepting a run
 * into the person's branch, and removal with a backup.
 *
 * Not here: whether to retry; what a rule means; text from agents; sessions.
 */
export {
  acceptIntoBranch,
  type AcceptIntoBranchOptions,
  type AcceptResult,
  recoverAccept,
} from './accept/accept-into-branch.ts';
export {type Landing, makeLanding, planLanding} from './accept/landing.ts';
export {
  openPullRequest,
  type PullRequest,
  type PullRequestOptions,
} from './accept/open-pull-request.ts';
export {readSigning, signLanding, signsByDefault} from './accept/signing.ts';
export {findBranchNameProblem, findContaining, readBranch} from './accept/user-branch.ts';
export {
  captureChange,
  type Captured,
  type CaptureOptions,
  type ChangedLink,
  inspectChange,
  type Inspected,
  listChangedFiles,
  restoreTracked,
  touchedSince,
} from './changes/capture-change.ts';
export {computeDiff, TamperedObjects} from './changes/differences.ts';
export {
  createGit,
  type Git,
  type GitCall,
  GitFailure,
  type GitIdentity,
} from './client/create-git.ts';
export {commitChange, type CommitOptions} from './commit/commit-change.ts';
export {commitSnapshot, type SnapshotOptions} from './commit/commit-snapshot.ts';
export {
  type CommitText,
  composeCommitMessage,
  composeLandingText,
  type LandingText,
} from './commit/commit-messages.ts';
export {backUpObject, releaseBackup} from './commit/refs.ts';
export {
  type Branches,
  changedOutside,
  type MovedRef,
  movedBranches,
  type Outside,
  type OutsideChange,
  outsideDifference,
  outsideFingerprint,
  readBranches,
} from './guard/outside.ts';
export {type GitGuard, readGuard, tamperedPaths} from './guard/read-guard.ts';
export {
  buildMerge,
  type BuiltMerge,
  type Conflict,
  type MergeOptions,
  saveCandidate,
} from './merge/build-merge.ts';
export {type Forecast, forecastConflicts, type Work} from './merge/forecast-conflicts.ts';
export {checkoutCandidate, type RenewalOptions, renewWorktree} from './merge/renew-worktree.ts';
export {
  findMovedRunBranch,
  publishMerge,
  type PublishOptions,
  restoreBranch,
  type RunBranchMove,
} from './merge/run-branch.ts';
export {
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
  worktreesBeside,
} from './open-workspace.ts';
export {
  dropGitView,
  ensureGitView,
  getViewDirectory,
  type GitView,
  gitViewNames,
  type ViewOptions,
} from './private-views/git-view.ts';
export {saveViewCommits, type ViewCommits} from './private-views/save-view-commits.ts';
export {
  type Backup,
  gcReport,
  type GcReport,
  type GcWorktree,
  listBackups,
} from './removal/gc-report.ts';
export {
  deleteTree,
  type LeftoverPath,
  listLeftovers,
  sweepHalfShared,
  sweepLeftovers,
  sweepUnfinished,
} from './removal/leftovers.ts';
export {
  type Dropped,
  formatRestoreSteps,
  readRemovedTip,
  readRestoreSteps,
  type RemovalOptions,
} from './removal/removal.ts';
export {type Removed, removeWorktree} from './removal/remove-worktree.ts';
export {restoreWorktree, type RestoreOptions} from './removal/restore-worktree.ts';
export {undoAccept, type UndoAcceptOptions} from './accept/undo-accept.ts';
export {detectDependencies, type FoundDependencies} from './sharing/dependencies.ts';
export {measureSharing, type ShareCost} from './sharing/measure-sharing.ts';
export {fingerprintSource, prepareShares} from './sharing/prepared-shares.ts';
export {findShareObstacle, getSharePath, type SharedDirectory} from './sharing/share-directory.ts';
export {checkDisk, type DiskAnswer, type DiskLimits} from './worktrees/check-disk.ts';
export {
  discardPrepared,
  ensureWorktree,
  resolveBase,
  type MadeWorktree,
  preparedOwners,
  prepareWorktrees,
  type WorktreeOptions,
} from './worktrees/ensure-worktree.ts';
export {changedSince, findAdmin, hashTree, readHeadCommit} from './worktrees/get-tree.ts';
export {inspectRepository, type RepositoryInspection} from './worktrees/inspect-repository.ts';
export {narrowWorktrees} from './worktrees/permissions.ts';
export {freeBranch} from './worktrees/place-worktree.ts';
export {resolveStart, type Start} from './worktrees/resolve-start.ts';
export {
  allocatePortBlock,
  freePortBlock,
  isPortBlockFree,
  type PortBlock,
  portVariables,
} from './worktrees/port-block.ts';
export {
  isProvisioned,
  lacksProvisions,
  type ProvisionOptions,
  type ProvisionResult,
  type Provisions,
  provisionWorktree,
} from './worktrees/provision-worktree.ts';
export {
  createSetupFileFilter,
  fingerprintSetupFiles,
  type SetupFiles,
} from './worktrees/setup-reads.ts';

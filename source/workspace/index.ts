/**
 * Git and what stands in a repository: worktrees, captured changes, commits, merges, the way home, and removal that keeps.
 *
 * Not here: whether to try again; what a rule means; words of agents; processes that a person can watch.
 */
export type {Git, GitCall, GitIdentity} from './git/create-git.ts';
export {GitFailure} from './git/git-failure.ts';
export type {Workspace, WorkspaceOptions} from './open-workspace.ts';
export {openWorkspace} from './open-workspace.ts';

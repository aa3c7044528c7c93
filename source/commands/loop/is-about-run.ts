import {runOf, type Event, type RunId, type State} from '../../domain/index.ts';

/** Whether an event tells of a run: of itself, its tasks, its worktrees, its sessions. */
export function isAboutRun(event: Event, state: State, run: RunId): boolean {
  const {
    run: named,
    task,
    owner,
    session,
    on,
  } = event as {
    readonly run?: string;
    readonly task?: string;
    readonly owner?: string;
    readonly session?: string;
    readonly on?: string;
  };
  if ([named, task, owner, on].some((id) => id === run || id?.startsWith(`${run}.`) === true))
    return true;
  return session !== undefined && runOf(state, run)?.sessions.some((id) => id === session) === true;
}

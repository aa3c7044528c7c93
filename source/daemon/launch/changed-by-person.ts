import {
  runIdOfSession,
  runOf,
  sessionOf,
  taskIdOfSession,
  type Session,
  type Worktree,
} from '../../domain/index.ts';
import {changedSince, treeOf} from '../../workspace/index.ts';
import type {Workshop} from '../workshop.ts';

/** What the worktree holds when a person takes its task over: the agent that goes on afterwards is told what they changed. */
export async function noteTakeover(
  workshop: Workshop,
  {id}: Session,
  {path}: Worktree,
): Promise<void> {
  try {
    workshop.store.writeNote(id, 'takeover', {tree: await treeOf(workshop.workspace(), path)});
  } catch (error) {
    // A person who takes over is not kept waiting by it; the agent then reads the whole change.
    workshop.log(
      `${id}: what its worktree holds could not be noted: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Paths that changed since a person took the task over, after the agent was at it last. Nothing when that is not known. */
export async function changedByPerson(
  workshop: Workshop,
  session: Session,
  {path}: Worktree,
): Promise<readonly string[] | undefined> {
  const state = workshop.state();
  const run = runIdOfSession(session);
  const ids = (run === undefined ? undefined : runOf(state, run))?.sessions ?? [];
  const earlier = ids
    .slice(0, ids.indexOf(session.id))
    .flatMap((id) => sessionOf(state, id) ?? [])
    .filter((other) => taskIdOfSession(other) === taskIdOfSession(session));
  const since = earlier
    .slice(earlier.findLastIndex(({purpose}) => purpose.for === 'attempt') + 1)
    .find(({purpose}) => purpose.for === 'takeover');
  const {tree} = (
    since === undefined ? {} : (workshop.store.noteOf(since.id, 'takeover') ?? {})
  ) as {readonly tree?: unknown};
  if (typeof tree !== 'string' || !/^[0-9a-f]{40,64}$/.test(tree)) return undefined;
  try {
    return await changedSince(workshop.workspace(), path, tree);
  } catch {
    return undefined;
  }
}

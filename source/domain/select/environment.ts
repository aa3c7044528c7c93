import type {SessionId, WorktreeOwner} from '../ids.ts';
import type {Run, RunEnvironment} from '../run.ts';
import {defaultPorts, type Project, type State} from '../state.ts';
import {workedFor} from '../session.ts';
import {selectSession, selectWorktree} from './find.ts';
import {isCutShort} from './sessions.ts';

/** The ports of one worktree; undefined if they would exceed the highest port number. */
export function selectPortBlock(
  {ports = defaultPorts}: Pick<Project, 'ports'>,
  run: Run,
  owner: WorktreeOwner,
): {readonly first: number; readonly last: number} | undefined {
  const first = ports.from + toBlockIndex(run, owner) * ports.perTask;
  return first + ports.perTask > 65_536 ? undefined : {first, last: first + ports.perTask - 1};
}

/**
 * Blocks are numbered across runs and tasks and then reused: tasks that ended long ago no longer
 * need theirs.
 */
function toBlockIndex(run: Run, owner: WorktreeOwner): number {
  const task = run.tasks.findIndex(({id}) => id === owner);
  return (
    ((Number(run.id.slice(1)) - 1) * tasksPerRun + (task === -1 ? 0 : task + 1)) %
    (blocks * tasksPerRun)
  );
}

const tasksPerRun = 20;
const blocks = 20;

/** Sorted names of variables that were added, changed or removed. */
export function findChangedVariables(
  before: RunEnvironment['variables'],
  after: RunEnvironment['variables'],
): readonly string[] {
  const [old, now] = [before, after].map(
    (variables) => new Map(variables.map(({name, hash}) => [name, hash])),
  ) as [Map<string, string>, Map<string, string>];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((name) => old.get(name) !== now.get(name))
    .sort();
}

/**
 * Whether the setup command has yet to pass in this worktree for its current manifests and lock
 * files. Checks wait for it.
 */
export function needsSetup({project: {setup}}: State, run: Run, owner: WorktreeOwner): boolean {
  const worktree = selectWorktree(run, owner);
  if (setup === undefined || worktree === undefined) return false;
  return worktree.setUp?.command !== setup || worktree.setUp.reads !== worktree.reads;
}

/**
 * State of a setup session; `failed` with its exit status, or with the time limit that it exceeded.
 */
type SetupStatus =
  | {readonly at: 'running' | 'passed' | 'cut-short'}
  | {readonly at: 'failed'; readonly code: number | null; readonly limit?: number};

export function selectSetupStatus(state: State, run: Run, id: SessionId, at: number): SetupStatus {
  const session = selectSession(state, id);
  const limit = run.budget.attemptWallClock;
  if (session !== undefined && limit !== undefined && workedFor(session, at) >= limit)
    return {at: 'failed', code: null, limit};
  if (isCutShort(state, id)) return {at: 'cut-short'};
  if (session?.life.at !== 'exited') return {at: 'running'};
  return session.life.code === 0 ? {at: 'passed'} : {at: 'failed', code: session.life.code};
}

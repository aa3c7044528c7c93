import type {WorktreeOwner} from '../ids.ts';
import type {Run} from '../run.ts';
import {usualPorts, type Project} from '../state.ts';

/** The ports of one worktree; nothing when they would lie beyond the last port there is. */
export function portBlockFor(
  {ports = usualPorts}: Pick<Project, 'ports'>,
  run: Run,
  owner: WorktreeOwner,
): {readonly first: number; readonly last: number} | undefined {
  const first = ports.from + placeInPorts(run, owner) * ports.perTask;
  return first + ports.perTask > 65_536 ? undefined : {first, last: first + ports.perTask - 1};
}

/** Blocks follow each other over runs and tasks, and come round again: what is long over needs none. */
function placeInPorts(run: Run, owner: WorktreeOwner): number {
  const task = run.tasks.findIndex(({id}) => id === owner);
  return (
    ((Number(run.id.slice(1)) - 1) * tasksPerRun + (task === -1 ? 0 : task + 1)) %
    (blocks * tasksPerRun)
  );
}

const tasksPerRun = 20;
const blocks = 20;

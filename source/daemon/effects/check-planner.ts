import {selectLastPlanner, selectOpenPlanner, selectRun, type RunId} from '../../domain/index.ts';
import type {Conductor} from '../engine/conductor.ts';
import {readHandIn} from '../tools/reporting-tools.ts';
import type {DaemonClock, RepositoryAccess, SessionFiles, StateReader} from '../daemon-context.ts';
import {compareTree} from './read-plan.ts';

/**
 * Before an approval, for a planner that stays open in its own interface beside its plan: its
 * worktree must be unchanged still, and the plan must be the last one that it handed in.
 */
export async function checkOpenPlanner(
  context: StateReader & RepositoryAccess & SessionFiles & DaemonClock,
  conductor: Pick<Conductor, 'submit'>,
  id: RunId,
): Promise<void> {
  const run = selectRun(context.state(), id);
  if (run?.stage.at !== 'reviewing' || run.tasks.length > 0) return;
  if (selectLastPlanner(context.state(), run) === undefined) return;
  const compared = await compareTree(context, run);
  if ('wrote' in compared) {
    await conductor.submit({type: 'report', at: context.now(), saw: compared.wrote});
    throw new Error(
      `the planner of ${id} changed files after it handed in its plan, so the plan does not count: ${compared.wrote.paths.join(', ')}`,
    );
  }

  const planner = selectOpenPlanner(context.state(), run);
  if (planner === undefined) return;
  const {number = 0} = readHandIn(context, planner.id);
  if (number > (planner.handIns ?? 0))
    throw new Error(
      'the planner has handed in another plan; it is shown when the planner has answered. Read it before you approve',
    );
}

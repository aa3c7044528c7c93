import {
  checksOf,
  sessionOf,
  type CheckResult,
  type SessionId,
  type TaskId,
} from '../../domain/index.ts';
import {restoreTracked, touchedSince} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import type {Workshop} from '../workshop.ts';
import {failureOf} from './check-failure.ts';
import {endLeftovers} from './end-leftovers.ts';
import {mergePlaceOf, placeOfTask} from './task-of-effect.ts';

/** The shell could not run it: that says nothing about the change. */
const brokenCodes: ReadonlySet<number | null> = new Set([126, 127]);

/** What a check showed. Whatever it changed in tracked files is told and taken back. */
export function readCheck(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'read-check') return;
    const {task, on, check, session} = effect;
    const {attempt, result} = await resultOf(
      workshop,
      {task, on, check, session},
      outcomeOf(workshop, session),
    );
    await report({type: 'check-finished', task, attempt, on, result});
  };
}

/** How a check that ended by itself ended. */
export function outcomeOf(
  {state}: Pick<Workshop, 'state'>,
  session: SessionId,
): CheckResult['outcome'] {
  const ended = sessionOf(state(), session)?.life;
  const code = ended?.at === 'exited' ? ended.code : null;
  if (code === 0) return 'passed';
  return brokenCodes.has(code) ? 'broken' : 'failed';
}

export async function resultOf(
  workshop: Workshop,
  {
    task: id,
    on,
    check: name,
    session,
  }: {
    readonly task: TaskId;
    readonly on: 'change' | 'merge';
    readonly check: string;
    readonly session: SessionId;
  },
  outcome: CheckResult['outcome'],
): Promise<{readonly attempt: number; readonly result: CheckResult}> {
  const {run, task, worktree} = placeOfTask(workshop, id);
  const check = checksOf(run).find((one) => one.name === name);
  const ran = sessionOf(workshop.state(), session);
  if (check === undefined || ran === undefined) throw new Error(`${id} has no check ${name}`);
  if (outcome !== 'timed-out') await endLeftovers(workshop, ran);
  const directory = on === 'merge' ? mergePlaceOf(run).path : worktree.path;
  const tree = treeOf(task, on);
  const touched =
    tree === undefined || outcome === 'timed-out'
      ? []
      : await touchedSince(workshop.workspace(), {directory, tree});
  if (tree !== undefined && touched.length > 0)
    await restoreTracked(workshop.workspace(), {directory, tree, paths: touched});
  return {
    attempt: task.attempts.length,
    result: {check, outcome, touched, ...failureOf(workshop, session, directory, outcome)},
  };
}

/** What the check was run on. */
function treeOf(
  task: ReturnType<typeof placeOfTask>['task'],
  on: 'change' | 'merge',
): string | undefined {
  if (on === 'merge')
    return task.stage.at === 'merging' && task.stage.step.at === 'checking'
      ? task.stage.step.candidate
      : undefined;
  const step = task.attempts.at(-1)?.step;
  return step?.at === 'checking' ? step.change.tree : undefined;
}

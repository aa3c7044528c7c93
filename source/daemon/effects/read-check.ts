import {
  type CheckResult,
  selectChecks,
  selectInteractiveWorker,
  selectSession,
  type SessionId,
  type TaskId,
} from '../../domain/index.ts';
import type {
  DaemonDirectory,
  DaemonLog,
  KernelAccess,
  RepositoryAccess,
  SecretValues,
  SessionFiles,
  StateReader,
} from '../daemon-context.ts';
import {restoreTracked, touchedSince} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {isAgentAtWork} from '../sessions/agent-signals.ts';
import {endLeftovers} from './leftovers.ts';
import {readFailure} from './read-failure.ts';
import {selectMergeWorktree, selectTaskPlace} from './task-place.ts';

type CheckContext = StateReader &
  SessionFiles &
  DaemonDirectory &
  RepositoryAccess &
  SecretValues &
  KernelAccess &
  DaemonLog;

/** Exit codes of a shell that could not run the command, which says nothing about the change. */
const brokenCodes: ReadonlySet<number | null> = new Set([126, 127]);

/**
 * Reads the result of a check. Its changes to tracked files are reported and restored, unless an
 * agent that a person has written to works there again.
 */
export function readCheck(context: CheckContext): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'read-check') return;
    const {task, on, check, session} = effect;
    const {attempt, result} = await readCheckResult(
      context,
      {task, on, check, session},
      selectCheckOutcome(context, session),
    );
    await report({type: 'check-finished', task, attempt, on, result});
  };
}

/** The outcome of a check that was not timed out. */
export function selectCheckOutcome(
  {state}: StateReader,
  session: SessionId,
): CheckResult['outcome'] {
  const ended = selectSession(state(), session)?.life;
  const code = ended?.at === 'exited' ? ended.code : null;
  if (code === 0) return 'passed';
  return brokenCodes.has(code) ? 'broken' : 'failed';
}

export async function readCheckResult(
  context: CheckContext,
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
  const {run, task, worktree} = selectTaskPlace(context, id);
  const check = selectChecks(run).find((one) => one.name === name);
  const ran = selectSession(context.state(), session);
  if (check === undefined || ran === undefined) throw new Error(`${id} has no check ${name}`);
  if (outcome !== 'timed-out') await endLeftovers(context, ran);
  const directory = on === 'merge' ? selectMergeWorktree(run).path : worktree.path;
  // Before tracked files are restored: a report may be one of them.
  const failure = readFailure(context, {session, check: name, directory}, outcome);
  const tree =
    on === 'change' && isAgentAtWork(context, id) ? undefined : selectCheckedTree(task, on);
  const touched =
    tree === undefined || outcome === 'timed-out'
      ? []
      : await touchedSince(context.workspace(), {directory, tree, ...selectBackup(context, task)});
  if (tree !== undefined && touched.length > 0)
    await restoreTracked(context.workspace(), {directory, tree, paths: touched});
  return {
    attempt: task.attempts.length,
    result: {check, outcome, touched, ...failure},
  };
}

/**
 * What an open agent may have written beside the check is backed up with the tree of the attempt,
 * before it is restored.
 */
function selectBackup(
  {state}: StateReader,
  {id, attempts}: ReturnType<typeof selectTaskPlace>['task'],
): {readonly save?: string} {
  return selectInteractiveWorker(state(), id) === undefined
    ? {}
    : {save: `${id}.a${attempts.length}`};
}

/** The tree that the check ran on. */
function selectCheckedTree(
  task: ReturnType<typeof selectTaskPlace>['task'],
  on: 'change' | 'merge',
): string | undefined {
  if (on === 'merge')
    return task.stage.at === 'merging' && task.stage.step.at === 'checking'
      ? task.stage.step.candidate
      : undefined;
  const step = task.attempts.at(-1)?.step;
  return step?.at === 'checking' ? step.change.tree : undefined;
}

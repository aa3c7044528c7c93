import {getBranchPrefix} from '../../project-config/index.ts';
import {type Run, type RunStage, selectOpenRuns, selectRun} from '../../domain/index.ts';
import {
  acceptIntoBranch,
  composeLandingText,
  findBranchNameProblem,
  findContaining,
  releaseBackup,
} from '../../git/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {refreshOutside} from '../launch/outside.ts';
import {sandboxFor} from '../launch/sandbox-launch.ts';
import {hookEnvironment} from '../launch/environment.ts';
import {runHook} from '../monitors/hooks.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  RepositoryAccess,
  RunVariables,
  SessionFiles,
  SessionLaunching,
  StateReader,
  UserAccount,
} from '../daemon-context.ts';
import {reportMoved} from './integrate.ts';
import {selectOwnBranch} from './task-place.ts';

/** Brings the run's result into the person's branch, at their command. */
export function acceptEffect(
  context: StateReader &
    SessionFiles &
    RepositoryAccess &
    DaemonDirectory &
    Pick<SessionLaunching, 'sandbox' | 'hookMark'> &
    RunVariables &
    DaemonClock &
    UserAccount,
): EffectHandler {
  return async (effect, report) => {
    if (effect.do !== 'bring-home') return;
    const {run: id, commit: ours} = effect;
    const run = selectRun(context.state(), id);
    if (run?.stage.at !== 'accepting') throw new Error(`${id} was not accepted`);
    const {stage} = run;
    const refuse = async (why: string): Promise<void> => {
      await report({type: 'accept-refused', run: id, why});
    };
    // Commits that somebody added after the last merge would be left out silently.
    if (await reportMoved(context, run, ours, report)) return;
    const branch = stage.into ?? stage.ground.branch;
    if (branch === null) {
      const found = await findContaining(
        context.workspace(),
        ours,
        getBranchPrefix(context.state().project),
      );
      if (found === undefined) await refuse(formatDetached(run));
      else
        await report({
          type: 'run-accepted',
          run: id,
          commit: found.commit,
          already: true,
          ...(found.branch === null ? {} : {into: found.branch}),
        });
      return;
    }

    const nameProblem =
      stage.into === undefined
        ? undefined
        : await findBranchNameProblem(
            context.workspace(),
            stage.into,
            getBranchPrefix(context.state().project),
          );
    if (nameProblem !== undefined) {
      await refuse(nameProblem);
      return;
    }

    const hook = await runHook(
      'before-accept',
      {run: id, commit: ours, branch},
      {...context, env: hookEnvironment(context, id)},
    );
    if (hook !== undefined && !hook.isOk) {
      await refuse(`the hook before-accept refused: ${hook.text}`);
      return;
    }

    const accepted = await acceptIntoBranch(context.workspace(), {
      branch,
      commit: ours,
      at: stage.approval.at,
      text: composeLandingText(run),
      isWholeTree: (await sandboxFor(context)).use !== true,
      ...toAcceptOptions(stage),
    });
    await refreshOutside(context);
    if ('rejected' in accepted) {
      await refuse(accepted.rejected);
      return;
    }

    // The merges are in the person's branch now, so they need no ref that protects them from `git
    // gc`.
    if (selectOpenRuns(context.state()).length === 1)
      await releaseBackup(context.workspace(), 'merges');
    const {way, into, signed} = stage;
    await report({
      type: 'run-accepted',
      run: id,
      commit: accepted.commit,
      ...(way === undefined ? {} : {way}),
      ...(into === undefined ? {} : {into}),
      ...(signed === undefined ? {} : {signed: true}),
      ...(accepted.from === undefined ? {} : {from: accepted.from}),
    });
  };
}

/** A branch that the person named and that does not exist is created from the run's base. */
function toAcceptOptions({
  way,
  into,
  signed,
  ground,
}: Extract<RunStage, {readonly at: 'accepting'}>): Pick<
  Parameters<typeof acceptIntoBranch>[1],
  'way' | 'signed' | 'start'
> {
  return {
    ...(way === undefined ? {} : {way}),
    ...(signed === undefined ? {} : {signed}),
    ...(into === undefined ? {} : {start: ground.base}),
  };
}

function formatDetached(run: Run): string {
  return (
    `you were on no branch when ${run.id} started (HEAD was detached), so it has no target ` +
    `branch. Name one, which is created if it is missing: orchestra accept ${run.id} ` +
    `--into NAME. Or merge it yourself (git merge ${selectOwnBranch(run)}), then accept ` +
    'again'
  );
}

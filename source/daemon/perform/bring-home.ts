import {branchPrefixOf} from '../../documents/index.ts';
import {openRunsOf, runOf, type Run, type RunStage} from '../../domain/index.ts';
import {
  bringHome,
  findContaining,
  landingTextOf,
  releaseKept,
  wrongBranchName,
} from '../../workspace/index.ts';
import type {Perform} from '../conductor.ts';
import {renewSurroundings} from '../launch/outside.ts';
import {sandboxFor} from '../launch/sandbox-launch.ts';
import {hookEnvironment} from '../launch/run-environment.ts';
import {runHook} from '../run-hook.ts';
import type {Workshop} from '../workshop.ts';
import {reportMoved} from './integrate.ts';
import {ownBranchOf} from './task-of-effect.ts';

/** Into the person's own branch, at their word. */
export function goHome(workshop: Workshop): Perform {
  return async (effect, report) => {
    if (effect.do !== 'bring-home') return;
    const {run: id, commit: ours} = effect;
    const run = runOf(workshop.state(), id);
    if (run?.stage.at !== 'accepting') throw new Error(`${id} was not accepted`);
    const {stage} = run;
    const refuse = async (why: string): Promise<void> => {
      await report({type: 'accept-refused', run: id, why});
    };
    // What somebody committed there after the last merge would be left behind unseen.
    if (await reportMoved(workshop, run, ours, report)) return;
    const branch = stage.into ?? stage.ground.branch;
    if (branch === null) {
      const there = await findContaining(
        workshop.workspace(),
        ours,
        branchPrefixOf(workshop.state().project),
      );
      if (there === undefined) await refuse(withoutBranch(run));
      else
        await report({
          type: 'run-accepted',
          run: id,
          commit: there.commit,
          already: true,
          ...(there.branch === null ? {} : {into: there.branch}),
        });
      return;
    }

    const wrong =
      stage.into === undefined
        ? undefined
        : await wrongBranchName(
            workshop.workspace(),
            stage.into,
            branchPrefixOf(workshop.state().project),
          );
    if (wrong !== undefined) {
      await refuse(wrong);
      return;
    }

    const hook = await runHook(
      'before-accept',
      {run: id, commit: ours, branch},
      {...workshop, env: hookEnvironment(workshop, id)},
    );
    if (hook !== undefined && !hook.isOk) {
      await refuse(`the hook before-accept says no: ${hook.words}`);
      return;
    }

    const home = await bringHome(workshop.workspace(), {
      branch,
      commit: ours,
      at: stage.approval.at,
      text: landingTextOf(run),
      isWholeTree: (await sandboxFor(workshop)).use !== true,
      ...optionsOf(stage),
    });
    await renewSurroundings(workshop);
    if ('refused' in home) {
      await refuse(home.refused);
      return;
    }

    // What was kept so that `git gc` does not take it is in the person's branch now.
    if (openRunsOf(workshop.state()).length === 1)
      await releaseKept(workshop.workspace(), 'merges');
    const {way, into, signed} = stage;
    await report({
      type: 'run-accepted',
      run: id,
      commit: home.commit,
      ...(way === undefined ? {} : {way}),
      ...(into === undefined ? {} : {into}),
      ...(signed === undefined ? {} : {signed: true}),
    });
  };
}

/** A branch that a person names is made where it is not there, from where the run began. */
function optionsOf({
  way,
  into,
  signed,
  ground,
}: Extract<RunStage, {readonly at: 'accepting'}>): Pick<
  Parameters<typeof bringHome>[1],
  'way' | 'signed' | 'start'
> {
  return {
    ...(way === undefined ? {} : {way}),
    ...(signed === undefined ? {} : {signed}),
    ...(into === undefined ? {} : {start: ground.base}),
  };
}

function withoutBranch(run: Run): string {
  return `you were on no branch when ${run.id} began (HEAD was detached), so nobody knows where it should go. Name a branch, which is made if it is not there: orchestra accept ${run.id} --into NAME. Or merge it yourself (git merge ${ownBranchOf(run)}), then accept again: it is found where you put it`;
}

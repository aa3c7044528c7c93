import {
  acceptIntoBranch,
  buildMerge,
  captureChange,
  commitChange,
  publishMerge,
  undoAccept,
  type Workspace,
} from '../../../source/git/index.ts';
import type {Step} from './killed-step.ts';

/** What a daemon does again after a crash: the whole step, from what it wrote down. */
export async function takeStep(workspace: Workspace, step: Step): Promise<object> {
  if (step.do === 'accept') return acceptIntoBranch(workspace, step.options);
  if (step.do === 'undo') return undoAccept(workspace, step.options);
  if (step.do === 'capture-and-commit') {
    const {
      change: {tree},
    } = await captureChange(workspace, {
      directory: step.directory,
      base: step.options.parent,
      save: 'r1.t1.a1',
    });
    return {
      commit: await commitChange(workspace, {...step.options, tree, directory: step.directory}),
    };
  }

  const built = await buildMerge(workspace, step.merge);
  if ('conflicts' in built) return built;
  return {
    ...built,
    outcome: await publishMerge(workspace, {
      branch: step.branch,
      candidate: built.candidate,
      onto: step.merge.onto,
    }),
  };
}

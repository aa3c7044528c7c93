import {isReady, type Run} from '../../domain/index.ts';
import {openPullRequest, type PullRequest} from '../../workspace/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';
import {branchOf} from './follow-run.ts';
import {openOwnWorkspace} from './open-own-workspace.ts';

/** Pushes the branch of a run that is ready, and has gh open a pull request for it. */
export async function propose(
  run: Run,
  here: Here,
  surroundings: Pick<Surroundings, 'env'>,
): Promise<PullRequest> {
  if (!isReady(run))
    throw new Impossible(
      `${run.id} is not ready; it is ${run.stage.at}. See: orchestra status ${run.id}`,
    );
  const {workspace, env, git, gh} = openOwnWorkspace(here, surroundings);
  const into = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (into === null)
    throw new Impossible(
      `you were on no branch when ${run.id} began, so there is none that a pull request could go into`,
    );
  return openPullRequest(workspace, {
    branch: branchOf(run),
    into,
    title: run.request.objective,
    body: `Run ${run.id}: ${run.tasks.map(({planned}) => planned.title).join('; ')}.\n`,
    remote: 'origin',
    push: true,
    programs: {git, gh},
    env,
  });
}

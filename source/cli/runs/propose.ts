import {isReady, type Run} from '../../domain/index.ts';
import {openPullRequest, type PullRequest} from '../../git/index.ts';
import {type RepoPaths, UsageError} from '../repo-paths.ts';
import type {CliContext} from '../cli-context.ts';
import {runBranch} from './print-run-progress.ts';
import {openOwnWorkspace} from './open-own-workspace.ts';

/** Pushes the branch of a finished run and opens a pull request with gh. */
export async function propose(
  run: Run,
  repoPaths: RepoPaths,
  cli: Pick<CliContext, 'env'>,
): Promise<PullRequest> {
  if (!isReady(run))
    throw new UsageError(
      `${run.id} is not ready; it is ${run.stage.at}. See: orchestra status ${run.id}`,
    );
  const {workspace, env, git, gh} = openOwnWorkspace(repoPaths, cli);
  const into = 'ground' in run.stage ? run.stage.ground.branch : null;
  if (into === null)
    throw new UsageError(
      `you were on no branch when ${run.id} started, so a pull request has no target branch`,
    );
  return openPullRequest(workspace, {
    branch: runBranch(run),
    into,
    title: run.request.objective,
    body: `Run ${run.id}: ${run.tasks.map(({planned}) => planned.title).join('; ')}.\n`,
    remote: 'origin',
    push: true,
    programs: {git, gh},
    env,
  });
}

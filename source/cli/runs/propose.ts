import path from 'node:path';
import {isReady, type Run} from '../../domain/index.ts';
import {openPullRequest, openWorkspace, type PullRequest, type Workspace} from '../../git/index.ts';
import {type RepoPaths, UsageError} from '../repo-paths.ts';
import {type CliContext, variablesIn} from '../cli-context.ts';
import {runBranch} from './print-run-progress.ts';
import {findProgram} from '../../system/index.ts';

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

export type OwnWorkspace = {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string>>;
  readonly git: string;
  readonly gh: string | null;
};

/** Opens the repository in this process, for work that needs the person's terminal. */
export function openOwnWorkspace(
  {root, commonDirectory, stateDirectory}: RepoPaths,
  cli: Pick<CliContext, 'env'>,
): OwnWorkspace {
  const env = variablesIn(cli);
  const search = {path: env['PATH'] ?? '', outside: root};
  const git = findProgram('git', search).file;
  if (git === undefined) throw new UsageError('git is not on PATH; install it');
  return {
    workspace: openWorkspace({
      root,
      commonDirectory,
      private: path.join(stateDirectory, 'workspace'),
      program: git,
      env,
      now: Date.now,
    }),
    env,
    git,
    gh: findProgram('gh', search).file ?? null,
  };
}

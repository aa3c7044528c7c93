import path from 'node:path';
import {findProgram} from '../../system/index.ts';
import {openWorkspace, type Workspace} from '../../git/index.ts';
import {type RepoPaths, UsageError} from '../repo-paths.ts';
import {type CliContext, variablesIn} from '../cli-context.ts';

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

import path from 'node:path';
import {findProgram} from '../../machine/index.ts';
import {openWorkspace, type Workspace} from '../../workspace/index.ts';
import {Impossible, type Here} from '../here.ts';
import type {Surroundings} from '../surroundings.ts';

export type OwnWorkspace = {
  readonly workspace: Workspace;
  readonly env: Readonly<Record<string, string>>;
  readonly git: string;
  readonly gh: string | null;
};

/** The repository in the hands of the command itself, for what has to happen in the person's terminal. */
export function openOwnWorkspace(
  {root, commonDirectory, stateDirectory}: Here,
  {env: given}: Pick<Surroundings, 'env'>,
): OwnWorkspace {
  const env = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const search = {path: env['PATH'] ?? '', outside: root};
  const git = findProgram('git', search).file;
  if (git === undefined) throw new Impossible('git is not on PATH; install it');
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

import type {GitCall} from '../git/create-git.ts';
import type {Workspace} from '../open-workspace.ts';

export type Place = {readonly directory: string; readonly gitDirectory: string};

/** Git in a checkout, by name and not by looking for it. */
export function runIn(
  workspace: Workspace,
  {directory, gitDirectory}: Place,
  argv: readonly string[],
  call: GitCall = {},
): Promise<string> {
  return workspace.git(
    directory,
    ['--git-dir', gitDirectory, '--work-tree', directory, ...argv],
    call,
  );
}

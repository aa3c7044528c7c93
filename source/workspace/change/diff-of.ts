import type {Workspace} from '../open-workspace.ts';
import {aside} from './aside.ts';
import {differencesOf, largeFile} from './differences-of.ts';
import {verifyDifferences} from './verify-objects.ts';

export type DiffWish = {
  readonly from: string;
  readonly to: string;
  readonly paths?: readonly string[];
};

/** The patch between two commits or trees, as git applies it; no program of the repository's choice has a say in it. */
export async function diffOf(
  workspace: Workspace,
  {from, to, paths = []}: DiffWish,
): Promise<string> {
  await verifyDifferences(workspace, await differencesOf(workspace, from, to));
  return aside(
    workspace,
    [
      '--literal-pathspecs',
      '-c',
      `core.bigFileThreshold=${largeFile}`,
      'diff-tree',
      '-r',
      '-p',
      '-M',
      '--full-index',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      `${from}^{tree}`,
      `${to}^{tree}`,
      ...(paths.length === 0 ? [] : ['--', ...paths]),
    ],
    {isRead: true},
  );
}

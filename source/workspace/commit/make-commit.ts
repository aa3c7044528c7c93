import type {Workspace} from '../open-workspace.ts';
import {aside} from '../change/aside.ts';
import {identityOf} from './identity-of.ts';

export type CommitParts = {readonly parents: readonly string[]; readonly tree: string; readonly message: string; readonly at: number};

/** The same parts make the same commit, however often. */
export async function makeCommit(workspace: Workspace, {parents, tree, message, at}: CommitParts): Promise<string> {
  const argv = ['-c', 'i18n.commitEncoding=UTF-8', 'commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-'];
  return (await aside(workspace, argv, {input: message, identity: await identityOf(workspace, at)})).trim();
}

import {mkdirSync} from 'node:fs';
import path from 'node:path';
import type {GitCall} from '../git/create-git.ts';
import type {Workspace} from '../open-workspace.ts';

/**
 * Git on objects alone, beside every checkout: an empty place is its working tree and its index. No attributes file is
 * seen, so none can call a source file binary, hide it from a diff or name a merge driver.
 */
export function aside(
  workspace: Workspace,
  argv: readonly string[],
  call: GitCall = {},
): Promise<string> {
  const place = path.join(workspace.private, 'aside');
  mkdirSync(place, {recursive: true, mode: 0o700});
  return workspace.git(
    place,
    ['--git-dir', workspace.commonDirectory, '--work-tree', place, ...argv],
    {index: path.join(place, 'no-index'), ...call},
  );
}

/** For what is separated by NUL: names may hold anything else. */
export function partsOf(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

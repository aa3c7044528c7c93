import path from 'node:path';
import {existsSync} from 'node:fs';

/** Files and directories that git keeps in its directory while an operation is unfinished. */
const operationFiles: readonly (readonly [file: string, operation: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['BISECT_LOG', 'bisect'],
  ['sequencer', 'cherry-pick'],
];

/**
 * The operation (`rebase`, `merge` …) that a checkout is in the middle of, by its git directory.
 */
export function findUnfinishedOperation(gitDirectory: string): string | undefined {
  return operationFiles.find(([file]) => existsSync(path.join(gitDirectory, file)))?.[1];
}

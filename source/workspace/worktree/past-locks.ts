import {lstatSync, rmSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {sanitizeText} from '../../base/index.ts';
import {GitFailure} from '../git/git-failure.ts';
import type {Workspace} from '../open-workspace.ts';
import {liveGitIn, nameOf} from './live-git.ts';

const patience = {tries: 100, pause: 100};
/** The kernel counts a start in ticks and the boot in whole seconds. */
const slack = 2000;

/**
 * Calls git, and once more when a lock file is in the way. A lock that came after `since` (our unfinished intent) and
 * that no living git can hold is our own, left by a crash: it goes. Any other is waited for, and then its holder named.
 */
export async function pastLocks<T>(
  workspace: Workspace,
  since: number | undefined,
  act: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      const lock = lockIn(error);
      if (lock === undefined) throw error;
      const stat = lstatSync(lock, {throwIfNoEntry: false});
      if (stat === undefined && attempt < patience.tries) continue;
      if (stat === undefined) throw error;
      const holders = liveGitIn([
        workspace.root,
        workspace.commonDirectory,
        workspace.worktrees,
      ]).filter(({startedAt}) => startedAt <= stat.mtimeMs + slack);
      if (holders.length === 0 && since !== undefined && stat.mtimeMs >= since - 1) {
        rmSync(lock, {force: true});
        continue;
      }

      if (attempt >= patience.tries)
        throw new Error(wordsOf(lock, holders.length === 0 ? undefined : nameOf(holders)), {
          cause: error,
        });
      await pass(patience.pause);
    }
  }
}

function lockIn(error: unknown): string | undefined {
  if (!(error instanceof GitFailure)) return undefined;
  return /'(?<lock>[^'\n]+\.lock)': File exists/.exec(error.stderr)?.groups?.['lock'];
}

function wordsOf(lock: string, holder: string | undefined): string {
  const seconds = (patience.tries * patience.pause) / 1000;
  const who =
    holder === undefined
      ? 'No git process is seen that holds it: if none runs (in a container, on another machine), remove the file'
      : `It may belong to ${holder}: wait for it or end it`;
  return `Expected ${sanitizeText(lock)} to go away, but it is still there after ${seconds} s. ${who}, then go on.`;
}

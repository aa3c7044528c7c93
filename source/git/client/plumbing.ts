import path from 'node:path';
import {lstatSync, rmSync, lutimesSync, statSync, mkdirSync} from 'node:fs';
import {setTimeout as pass} from 'node:timers/promises';
import {randomBytes} from 'node:crypto';
import {sanitizeText} from '../../shared/index.ts';
import {type GitCall, GitFailure} from './create-git.ts';
import type {Workspace} from '../open-workspace.ts';
import {formatProcesses, liveGitIn, lockWait} from '../worktrees/live-git.ts';
import {copyRegularFile, type FileRefusal} from '../../files/index.ts';
import {listNamesThroughLinks} from '../worktrees/records.ts';

/**
 * Tolerance for process start times: the kernel counts starts in ticks and the boot in whole
 * seconds.
 */
const clockSlackMs = 2000;

/**
 * Runs `act` again while a lock file blocks git. A lock that is younger than `since` (our
 * unfinished intent) and that no running git can hold was left by a crash of ours and is removed.
 * Other locks are waited for; the error then names the holder.
 */
export async function retryPastLocks<T>(
  workspace: Workspace,
  since: number | undefined,
  act: () => Promise<T>,
): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await act();
    } catch (error) {
      const lock = parseLock(error);
      if (lock === undefined) throw error;
      const stat = lstatSync(lock, {throwIfNoEntry: false});
      if (stat === undefined && attempt < lockWait.tries) continue;
      if (stat === undefined) throw error;
      const holders = liveGitIn([
        workspace.root,
        workspace.commonDirectory,
        workspace.worktrees,
      ]).filter(({startedAt}) => startedAt <= stat.mtimeMs + clockSlackMs);
      if (holders.length === 0 && since !== undefined && stat.mtimeMs >= since - 1) {
        rmSync(lock, {force: true});
        continue;
      }

      if (attempt >= lockWait.tries)
        throw new Error(
          formatHeldLock(lock, holders.length === 0 ? undefined : formatProcesses(holders)),
          {
            cause: error,
          },
        );
      await pass(lockWait.pauseMs);
    }
  }
}

function parseLock(error: unknown): string | undefined {
  if (!(error instanceof GitFailure)) return undefined;
  return /'(?<lock>[^'\n]+\.lock)': File exists/.exec(error.stderr)?.groups?.['lock'];
}

function formatHeldLock(lock: string, holder: string | undefined): string {
  const seconds = (lockWait.tries * lockWait.pauseMs) / 1000;
  const who =
    holder === undefined
      ? 'No git process seems to hold it: if none runs (in a container, on another machine), remove the file'
      : `It may belong to ${holder}: wait for it or end it`;
  return `Expected ${sanitizeText(lock)} to go away, but it is still there after ${seconds} s. ${who}, then resume.`;
}

/** Git's own limit for an index. */
const maxIndexBytes = 4 * 1024 ** 3;

/** Copies an index with its time (see `copyIndexTime`). Throws when there is none. */
export function copyIndex(from: string, to: string): void {
  const result = tryCopyIndex(from, to);
  if (result.at === 'refused') throw new Error(`${from} ${result.message}`);
}

/** Like `copyIndex`, for an index that an agent may have replaced by another kind of file. */
export function tryCopyIndex(from: string, to: string): {readonly at: 'copied'} | FileRefusal {
  const result = copyRegularFile(from, to, {maxBytes: maxIndexBytes});
  if (result.at === 'copied') copyIndexTime(from, to);
  return result;
}

/**
 * Keeps the index's time on a copy. Git rereads a file only when its time is not older than the
 * index's ("racy git"): a copy with a later time would hide a change of the same size within that
 * second.
 */
export function copyIndexTime(from: string, to: string): void {
  const second = Math.floor(statSync(from).mtimeMs / 1000);
  lutimesSync(to, second, second);
}

const dayMs = 24 * 60 * 60 * 1000;

/** Runs `act` with a temporary index file. `sweepUnfinished` removes those that a crash left. */
export async function withTemporaryIndex<T>(
  workspace: Workspace,
  act: (index: string) => Promise<T>,
): Promise<T> {
  const place = path.join(workspace.private, 'indexes');
  mkdirSync(place, {recursive: true, mode: 0o700});
  sweepIndexes(place, workspace.now() - dayMs);
  const index = path.join(place, randomBytes(8).toString('hex'));
  try {
    return await act(index);
  } finally {
    rmSync(index, {force: true});
    rmSync(`${index}.lock`, {force: true});
  }
}

function sweepIndexes(place: string, before: number): void {
  for (const name of listNamesThroughLinks(place)) {
    const file = path.join(place, name);
    if ((statSync(file, {throwIfNoEntry: false})?.mtimeMs ?? before) < before)
      rmSync(file, {force: true});
  }
}

/**
 * Runs git on the object store only, with an empty directory as working tree and index. No
 * attributes file is visible, so none can mark a source file as binary, hide it from a diff or name
 * a merge driver.
 */
export function runOnObjects(
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

/** Splits NUL-separated output: a path may contain any other character. */
export function splitByNul(text: string): string[] {
  return text.split('\0').filter((part) => part !== '');
}

export type CheckoutPaths = {readonly directory: string; readonly gitDirectory: string};

/**
 * Runs git in a checkout with explicit `--git-dir` and `--work-tree`: git does not search for the
 * repository.
 */
export function runInCheckout(
  workspace: Workspace,
  {directory, gitDirectory}: CheckoutPaths,
  argv: readonly string[],
  call: GitCall = {},
): Promise<string> {
  return workspace.git(
    directory,
    ['--git-dir', gitDirectory, '--work-tree', directory, ...argv],
    call,
  );
}

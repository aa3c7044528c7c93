import {spawn} from 'node:child_process';
import {readFileSync} from 'node:fs';
import type {Socket} from 'node:net';
import {GitFailure, type Workspace} from '../../../source/git/index.ts';
import {eventually} from '../../support/eventually.ts';

export type LockHolder = {
  readonly pid: number;
  /** Ends it, and waits until nobody sees it any more. */ readonly end: () => Promise<void>;
};

/**
 * A git that waits for its input: it stands in for one that is at work and may hold a lock. A test
 * that fails does not wait for it: it ends with its input.
 */
export async function startHolder(directory: string): Promise<LockHolder> {
  const child = spawn('/usr/bin/git', ['cat-file', '--batch'], {
    argv0: 'git',
    cwd: directory,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const closed = new Promise((resolve) => child.once('close', resolve));
  const pid = child.pid ?? 0;
  child.unref();
  (child.stdin as Socket).unref();
  await eventually(
    'the holder is a git to whoever looks',
    () => getCommand(pid) === 'git cat-file --batch',
  );
  return {
    pid,
    end: async () => {
      child.ref();
      child.stdin.end();
      await closed;
    },
  };
}

/**
 * What the kernel says that a process runs. Right after it was started that is nothing: a program
 * gets its words after whoever started it was told.
 */
export function getCommand(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
}

/** A workspace that counts how often its git met a lock that was there. */
export function countingLocks(workspace: Workspace): {
  readonly workspace: Workspace;
  readonly met: () => number;
} {
  let met = 0;
  const git: Workspace['git'] = async (...call) => {
    try {
      return await workspace.git(...call);
    } catch (error) {
      if (error instanceof GitFailure && error.stderr.includes(".lock': File exists")) met += 1;
      throw error;
    }
  };
  return {workspace: {...workspace, git}, met: () => met};
}

import {existsSync, realpathSync} from 'node:fs';
import path from 'node:path';
import {agentWorktreeIn} from '../domain/index.ts';

/**
 * The nearest directory upwards that has a `.git`. Found without git: it is known before any program is run. Inside of an
 * agent's worktree it is that worktree, whatever the agent has made of `.git` in there.
 */
export function findCheckout(from: string): string | undefined {
  return agentWorktreeIn(realPathOf(from))?.worktree ?? nearestCheckout(from);
}

/** By `.git` alone. */
export function nearestCheckout(from: string): string | undefined {
  if (existsSync(path.join(from, '.git'))) return from;
  const parent = path.dirname(from);
  return parent === from ? undefined : nearestCheckout(parent);
}

/** As it is written where it is not there. */
export function realPathOf(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return file;
  }
}

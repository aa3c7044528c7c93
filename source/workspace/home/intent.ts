import {rmSync, statSync} from 'node:fs';
import path from 'node:path';
import {tryReadText} from '../../files/index.ts';
import type {Workspace} from '../open-workspace.ts';
import {writeWhole} from '../worktree/write-whole.ts';

/** What is about to be done to a person's branch, on the disk before anything of it is done. */
export type Intent = {
  readonly branch: string;
  readonly from: string;
  readonly to: string;
  /** Nothing was written yet; files are being brought to `to`; or back to `from`, because the branch moved meanwhile. */
  readonly at: 'looking' | 'writing' | 'taking-back';
  readonly checkout: {readonly directory: string; readonly gitDirectory: string} | null;
};

export function readIntent(workspace: Workspace): (Intent & {readonly since: number}) | undefined {
  const file = fileOf(workspace);
  try {
    // Ours, and written whole: what can't be read was not written by us.
    const intent = JSON.parse(tryReadText(file, {maxBytes: 1024 * 1024}) ?? '') as Intent & {
      readonly since?: number;
    };
    return {...intent, since: intent.since ?? statSync(file).mtimeMs};
  } catch {
    return undefined;
  }
}

/** Gives when it began, which stays the same while it is taken up again: locks younger than that may be ours. */
export function writeIntent(workspace: Workspace, intent: Intent, since?: number): number {
  const {branch, from, to, at, checkout} = intent;
  writeWhole(fileOf(workspace), `${JSON.stringify({branch, from, to, at, checkout, since})}\n`);
  return since ?? statSync(fileOf(workspace)).mtimeMs;
}

export function dropIntent(workspace: Workspace): void {
  rmSync(fileOf(workspace), {force: true});
}

function fileOf(workspace: Workspace): string {
  return path.join(workspace.private, 'home', 'intent.json');
}

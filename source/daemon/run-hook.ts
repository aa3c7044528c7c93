import {accessSync, constants, lstatSync} from 'node:fs';
import path from 'node:path';
import {agentWorktreeIn} from '../domain/index.ts';
import {realPathOf} from '../settings/index.ts';
import {runTold, type ToldEnd} from './run-told.ts';

/** `before-…` can say no; the others are told and cannot change anything. */
export type HookName =
  'after-plan' | 'before-work' | 'after-attempt' | 'after-validate' | 'before-accept' | 'on-need';

export type HookEnd = ToldEnd;

export type HookOptions = {
  /** The person's own checkout: what an agent puts into its worktree is not run. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hookMark: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

const usualMs = 60_000;

/** Runs `.orchestra/hooks/<name>` with a JSON on its standard input. Nothing when there is none. */
export async function runHook(
  name: HookName,
  data: object,
  {root, env, hookMark, signal, timeoutMs = usualMs}: HookOptions,
): Promise<HookEnd | undefined> {
  const file = path.join(root, '.orchestra', 'hooks', name);
  if (!isRunnable(file)) return undefined;
  return runTold([file], {
    told: {hook: name, ...data},
    what: `the hook ${name}`,
    cwd: root,
    env,
    mark: hookMark,
    timeoutMs,
    ...(signal === undefined ? {} : {signal}),
  });
}

/** A file of the person's own that nobody else may write: no agent either, through a link on the way to it. */
function isRunnable(file: string): boolean {
  try {
    const facts = lstatSync(file);
    accessSync(file, constants.X_OK);
    return (
      facts.isFile() &&
      (facts.mode & 0o022) === 0 &&
      agentWorktreeIn(realPathOf(file)) === undefined
    );
  } catch {
    return false;
  }
}

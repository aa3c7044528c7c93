import {randomBytes} from 'node:crypto';
import {mkdirSync, rmSync} from 'node:fs';
import path from 'node:path';
import {cookieName, runProbe, stopTree, type ProbeOutcome} from '../../machine/index.ts';
import {dropGitView, gitViewNames} from '../../workspace/index.ts';
import type {Run, Worktree} from '../../domain/index.ts';
import {namesIn} from '../names-in.ts';
import type {Workshop} from '../workshop.ts';
import {dropCaches} from './caches.ts';
import {exchangeDirectoryOf} from './exchange.ts';
import {networkDirectoryOf} from './network-launch.ts';
import {inRun} from './run-environment.ts';
import {confine, noOwnPlaces} from './sandbox-launch.ts';
import {environmentOf} from './task-launch.ts';

export type ConfinedCommand = {
  readonly run: Run;
  readonly worktree: Worktree;
  /** A line for the shell. */
  readonly command: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

const maxOutput = 1024 * 1024;

/** Never the same twice: what one command wrote must not be found by the next, also not when the daemon was killed in between. */
const namePattern = /-running-[\w.]+-[\da-f]{16}$/;

/**
 * Runs one command on what an agent has written and gives its end, as a check is run: in the sandbox, with a mark that makes it
 * and all that comes of it known as no person's, with the environment's allow-list, and with nothing left of it afterwards.
 */
export async function runConfined(
  workshop: Workshop,
  {run, worktree, command, timeoutMs, signal}: ConfinedCommand,
): Promise<ProbeOutcome> {
  const name = `${workshop.store.name}-running-${worktree.owner}-${randomBytes(8).toString('hex')}`;
  mkdirSync(exchangeDirectoryOf(workshop, name), {recursive: true, mode: 0o700});
  try {
    const own = inRun(workshop, run);
    const plain = {
      argv: ['/bin/sh', '-c', `${command}\nexit $?`],
      cwd: worktree.path,
      env: environmentOf(own, run, worktree),
    };
    const {
      argv: [file = '', ...argv],
      cwd,
      env,
    } = await confine(own, plain, {name, kind: 'check', worktree, own: noOwnPlaces});
    return await runProbe(file, argv, {
      cwd,
      env: {...env, [cookieName]: name},
      timeoutMs,
      mostBytes: maxOutput,
      signal,
    });
  } finally {
    await removeTraces(workshop, name);
  }
}

/** What a daemon before this one was running when it was killed: ended, and everything of it removed. */
export async function endInterrupted(workshop: Workshop): Promise<void> {
  const {stateDirectory, store} = workshop;
  const places = [
    ...['exchange', 'caches', 'confined'].flatMap((part) =>
      namesIn(path.join(stateDirectory, part)),
    ),
    ...gitViewNames(workspaceOf(workshop)),
  ];
  for (const name of new Set(
    places.filter((each) => each.startsWith(`${store.name}-`) && namePattern.test(each)),
  ))
    await removeTraces(workshop, name);
}

async function removeTraces(workshop: Workshop, name: string): Promise<void> {
  const exchange = exchangeDirectoryOf(workshop, name);
  await stopTree({id: 's0', cookie: name}, workshop.kernel, {directory: exchange});
  for (const directory of [exchange, networkDirectoryOf(workshop, {name, session: undefined})])
    rmSync(directory, {recursive: true, force: true});
  dropGitView(workspaceOf(workshop), name);
  await dropCaches(workshop.stateDirectory, name);
}

/** Without opening the repository. */
function workspaceOf({stateDirectory}: Pick<Workshop, 'stateDirectory'>): {
  readonly private: string;
} {
  return {private: path.join(stateDirectory, 'workspace')};
}

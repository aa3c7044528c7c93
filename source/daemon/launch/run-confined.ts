import path from 'node:path';
import {randomBytes} from 'node:crypto';
import {mkdirSync, rmSync} from 'node:fs';
import {cookieName, type ProbeOutcome, runProbe, stopTree} from '../../system/index.ts';
import {dropGitView, gitViewNames} from '../../git/index.ts';
import type {Run, Worktree} from '../../domain/index.ts';
import {listOwnNames} from '../directories.ts';
import type {
  DaemonDirectory,
  KernelAccess,
  LaunchContext,
  SessionFiles,
} from '../daemon-context.ts';
import {createEndsCollector, type OutputLimits} from '../sessions/output-ends.ts';
import {dropCaches} from './caches.ts';
import {getExchangeDirectory} from './exchange.ts';
import {getNetworkDirectory} from './network-launch.ts';
import {withRunEnvironment} from './environment.ts';
import {confine, noAgentPlaces} from './sandbox-launch.ts';
import {buildTaskEnvironment} from './task-launch.ts';

export type ConfinedCommand = {
  readonly run: Run;
  readonly worktree: Worktree;
  /** A shell command line. */
  readonly command: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
};

export type ConfinedOutcome = ProbeOutcome & {
  /** What it printed on both streams, in order: the beginning and the end of a long output. */
  readonly output: string;
};

const outputLimits: OutputLimits = {headBytes: 2 * 1024 * 1024, tailBytes: 2 * 1024 * 1024};

/**
 * Names are unique, so that a command never finds files of an earlier one, even after the daemon
 * was killed.
 */
const namePattern = /-running-[\w.]+-[\da-f]{16}$/;

/**
 * Runs one command on what an agent has written, like a check: in the sandbox, with a cookie so
 * that neither it nor its children count as a person, with allowed variables only, and with nothing
 * left afterwards.
 */
export async function runConfined(
  context: LaunchContext,
  {run, worktree, command, timeoutMs, signal}: ConfinedCommand,
): Promise<ConfinedOutcome> {
  const name = `${context.store.name}-running-${worktree.owner}-${randomBytes(8).toString('hex')}`;
  mkdirSync(getExchangeDirectory(context, name), {recursive: true, mode: 0o700});
  try {
    const own = withRunEnvironment(context, run);
    const plain = {
      // One stream: the order of two pipes is lost.
      argv: ['/bin/sh', '-c', `exec 2>&1; ${command}\nexit $?`],
      cwd: worktree.path,
      env: buildTaskEnvironment(own, run, worktree),
    };
    const {
      argv: [file = '', ...argv],
      cwd,
      env,
    } = await confine(own, plain, {name, kind: 'check', worktree, own: noAgentPlaces});
    const ends = createEndsCollector(outputLimits);
    const outcome = await runProbe(file, argv, {
      cwd,
      env: {...env, [cookieName]: name},
      timeoutMs,
      maxBytes: 0,
      onOutput: ends.add,
      signal,
    });
    return {...outcome, output: ends.toText()};
  } finally {
    await removeTraces(context, name);
  }
}

/** Ends commands that an earlier daemon was running when it was killed, and removes their files. */
export async function endInterrupted(
  context: SessionFiles & DaemonDirectory & Pick<KernelAccess, 'kernel'>,
): Promise<void> {
  const {stateDirectory, store} = context;
  const places = [
    ...['exchange', 'caches', 'confined'].flatMap((part) =>
      listOwnNames(path.join(stateDirectory, part)),
    ),
    ...gitViewNames(getWorkspace(context)),
  ];
  for (const name of new Set(
    places.filter((each) => each.startsWith(`${store.name}-`) && namePattern.test(each)),
  ))
    await removeTraces(context, name);
}

async function removeTraces(
  context: SessionFiles & DaemonDirectory & Pick<KernelAccess, 'kernel'>,
  name: string,
): Promise<void> {
  const exchange = getExchangeDirectory(context, name);
  await stopTree({id: 's0', cookie: name}, context.kernel, {directory: exchange});
  for (const directory of [exchange, getNetworkDirectory(context, {name, session: undefined})])
    rmSync(directory, {recursive: true, force: true});
  dropGitView(getWorkspace(context), name);
  await dropCaches(context.stateDirectory, name);
}

/** The path alone, without opening the repository. */
function getWorkspace({stateDirectory}: DaemonDirectory): {
  readonly private: string;
} {
  return {private: path.join(stateDirectory, 'workspace')};
}

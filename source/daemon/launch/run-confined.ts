import {mkdirSync, rmSync} from 'node:fs';
import {cookieName, runProbe, stopTree, type ProbeOutcome} from '../../machine/index.ts';
import {dropGitView} from '../../workspace/index.ts';
import type {Run, Worktree} from '../../domain/index.ts';
import type {Workshop} from '../workshop.ts';
import {dropCaches} from './caches.ts';
import {exchangeDirectoryOf} from './exchange.ts';
import {networkDirectoryOf} from './network-launch.ts';
import {confine, noOwnPlaces} from './sandbox-launch.ts';
import {environmentOf} from './task-launch.ts';

export type ConfinedCommand = {
  readonly run: Run;
  readonly worktree: Worktree;
  /** A line for the shell. */
  readonly command: string;
  readonly timeoutMs: number;
};

const maxOutput = 1024 * 1024;

/**
 * Runs one command on what an agent has written and gives its end, as a check is run: in the sandbox, with a mark that makes it
 * and all that comes of it known as no person's, with the environment's allow-list, and with nothing left of it afterwards.
 */
export async function runConfined(workshop: Workshop, {run, worktree, command, timeoutMs}: ConfinedCommand): Promise<ProbeOutcome> {
  const {store, stateDirectory, kernel} = workshop;
  const name = `${store.name}-running-${worktree.owner}`;
  const exchange = exchangeDirectoryOf(workshop, name);
  mkdirSync(exchange, {recursive: true, mode: 0o700});
  try {
    const plain = {argv: ['/bin/sh', '-c', `${command}\nexit $?`], cwd: worktree.path, env: environmentOf(workshop, run, worktree.owner)};
    const {argv: [file = '', ...argv], cwd, env} = await confine(workshop, plain, {name, kind: 'check', worktree, own: noOwnPlaces});
    return await runProbe(file, argv, {cwd, env: {...env, [cookieName]: name}, timeoutMs, mostBytes: maxOutput});
  } finally {
    await stopTree({id: 's0', cookie: name}, kernel, {directory: exchange});
    rmSync(exchange, {recursive: true, force: true});
    rmSync(networkDirectoryOf(workshop, {name, session: undefined}), {recursive: true, force: true});
    dropGitView(workshop.workspace(), name);
    await dropCaches(stateDirectory, name);
  }
}

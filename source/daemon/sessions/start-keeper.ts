import path from 'node:path';
import {spawn} from 'node:child_process';
import {closeSync, openSync, existsSync, statSync} from 'node:fs';
import {tryReadText} from '../../files/index.ts';
import {selectSession, type SessionId} from '../../domain/index.ts';
import type {KeeperLink} from '../../keeper/index.ts';
import {sessionFiles} from '../../protocol/index.ts';
import {describeLaunch, ownLaunch} from '../launch/describe-launch.ts';
import {connectToKeeper} from './keeper-link.ts';
import {pauseFor} from '../engine/pacing.ts';
import {provisionBefore} from '../effects/shared-folders.ts';
import type {DaemonClock, LaunchContext, SessionFiles} from '../daemon-context.ts';

/**
 * The keeper's own environment; its program gets another. One malloc arena suffices for one thread,
 * and free memory goes back: 0.3 MB less.
 */
const keeperEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: String(128 * 1024),
  MALLOC_TOP_PAD_: String(16 * 1024),
};

/** A keeper starts within 0.1 s; a machine that swaps may take long. */
const maxStartMs = 120_000;

/**
 * Starts a keeper detached, so that it outlives the daemon. Its only argument is its directory.
 * Rejects with its last output if it ends before `isReady`.
 */
export async function startKeeper(
  program: readonly string[],
  directory: string,
  isReady: () => boolean,
  signal: AbortSignal,
): Promise<void> {
  const [file, ...argv] = program;
  if (file === undefined) throw new Error('expected the program of the keeper, got nothing');
  const log = path.join(directory, 'keeper.log');
  const fd = openSync(log, 'a', 0o600);
  const child = spawn(file, [...argv, directory], {
    detached: true,
    stdio: ['ignore', fd, fd],
    cwd: '/',
    env: keeperEnvironment,
  });
  closeSync(fd);
  child.unref();
  let end: string | undefined;
  child.once('exit', (code, by) => {
    end = by ?? `exit ${code ?? ''}`;
  });
  child.once('error', (error) => {
    end = error.message;
  });
  for (const late = performance.now() + maxStartMs; !isReady();) {
    if (end !== undefined)
      throw new Error(`its keeper did not start: ${end}. ${readLastLine(log)}`.trim());
    signal.throwIfAborted();
    if (performance.now() > late) {
      child.kill('SIGKILL');
      throw new Error(
        `its keeper did not answer within ${maxStartMs / 1000} s of its start. ` +
          `${readLastLine(log)} Check the load of the machine, then resume.`,
      );
    }

    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function readLastLine(log: string): string {
  return (tryReadText(log, {maxBytes: 1024 * 1024}) ?? '').trim().split('\n').slice(-3).join(' ');
}

/** How much of a session's output is kept: its beginning and its end. */
const logLimits = {head: 4 * 1024 * 1024, tail: 60 * 1024 * 1024};

/** How long to wait for a keeper that an earlier daemon has started a moment ago. */
const maxKeeperStartMs = 3000;

/** Makes sure that the session has a keeper that listens; its program does not run yet. */
export async function ensureKeeper(
  context: LaunchContext,
  id: SessionId,
  signal: AbortSignal,
): Promise<void> {
  const {store, keeperProgram, randomToken} = context;
  const session = selectSession(context.state(), id);
  if (session === undefined) return;
  const directory = store.directoryOf(id);
  if (store.launchOf(id) === undefined) {
    await provisionBefore(context, session);
    const {argv, cwd, env} =
      ownLaunch(context, session) ?? (await describeLaunch(context, session));
    const {size} = context.getEnvironment(id);
    store.prepare(id, {argv, cwd, env, ...size, token: randomToken(), log: logLimits});
  } else {
    // The launch file is never rewritten: its environment is the client's, and a keeper may have
    // read it.
    const link = await awaitKeeper(context, id, signal);
    link?.close();
    if (link !== undefined) return;
    store.clear(id);
  }

  await startKeeper(
    keeperProgram,
    directory,
    () => existsSync(path.join(directory, sessionFiles.meta)),
    signal,
  );
}

/** Connects to a keeper that may not listen yet. Undefined if none does in time. */
export async function awaitKeeper(
  context: SessionFiles & DaemonClock,
  id: SessionId,
  signal: AbortSignal,
): Promise<KeeperLink | undefined> {
  const file = path.join(context.store.directoryOf(id), sessionFiles.launch);
  for (;;) {
    const link = await connectToKeeper(context, id);
    if (link !== undefined || !existsSync(file)) return link;
    signal.throwIfAborted();
    const age = context.now() - statSync(file).mtimeMs;
    if (age < 0 || age > maxKeeperStartMs) return undefined;
    await pauseFor(20, signal);
  }
}

import path from 'node:path';
import {rmSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {stopTree} from '../../system/index.ts';
import {sessionFiles} from '../../protocol/index.ts';
import type {EffectHandler} from '../engine/conductor.ts';
import {selectRoots} from '../sessions/session-report.ts';
import type {
  DaemonClock,
  DaemonDirectory,
  DaemonLog,
  RunVariables,
  UserAccount,
  KernelAccess,
  SessionFiles,
  SessionVariables,
  StateReader,
} from '../daemon-context.ts';
import {selectSession} from '../../domain/index.ts';
import {awaitKeeper} from '../sessions/start-keeper.ts';
import {forgetSecrets} from '../launch/exchange.ts';
import {connectToKeeper, isKeeperAlive, releaseKeeper} from '../sessions/keeper-link.ts';
import {reportEnd} from './run-session.ts';

/** How long the keeper may take to record the exit status of a stopped program. */
const recordMs = 5000;

/**
 * Ends a session and all its processes, including those that left it with setsid or nohup. The
 * result is verified, and no process is touched that is not provably the session's.
 */
export function stopSession(
  context: StateReader &
    SessionFiles &
    DaemonDirectory &
    Pick<SessionVariables, 'releaseEnvironment'> &
    DaemonClock &
    KernelAccess &
    DaemonLog &
    Pick<RunVariables, 'env'> &
    Pick<UserAccount, 'home'>,
): EffectHandler {
  return async (effect, report, signal) => {
    if (effect.do !== 'stop-session') return;
    const {session: id} = effect;
    const {store} = context;
    const session = selectSession(context.state(), id);
    const link =
      session?.life.at === 'asked'
        ? await awaitKeeper(context, id, signal)
        : await connectToKeeper(context, id);
    try {
      if (link?.welcome.phase === 'ready') {
        // Its program never ran, so the keeper has nothing to keep.
        await releaseKeeper(context, id, link);
        await report(
          {type: 'session-lost', session: id, why: 'it was stopped before it ran'},
          false,
        );
        forgetSecrets(context, id);
        return;
      }

      const [root] = session === undefined ? [] : selectRoots(context, [session]);
      const stopped =
        root === undefined
          ? undefined
          : await stopTree(root, context.kernel, {directory: store.directoryOf(id)});
      // Finished even if the daemon is asked to stop meanwhile: otherwise the keeper would wait for
      // the next daemon.
      if (stopped !== undefined && 'unknown' in stopped)
        throw new Error(`${id} cannot be stopped: ${stopped.unknown}`);
      if (stopped !== undefined && stopped.value.survivors.length > 0)
        throw new Error(
          `${stopped.value.survivors.length} processes of ${id} could not be stopped`,
        );
      if (store.exitOf(id) === undefined && (await isKeeperAlive(context, id)))
        await Promise.race([
          waitUntil(() => store.exitOf(id) !== undefined),
          ...(link === undefined ? [] : [link.ended]),
        ]);
      // A daemon that was killed while it wrote the launch file has left a temporary file.
      rmSync(path.join(store.directoryOf(id), `${sessionFiles.launch}.tmp`), {force: true});
      await reportEnd(context, id, report, true);
      await releaseKeeper(context, id, link);
    } finally {
      link?.close();
    }
  };
}

async function waitUntil(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + recordMs; performance.now() < end && !isSo();)
    await delay(10);
}

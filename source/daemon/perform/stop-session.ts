import {rmSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {stopTree} from '../../machine/index.ts';
import {sessionFiles} from '../../protocol/index.ts';
import type {Perform} from '../conductor.ts';
import {rootsOf} from '../session-report.ts';
import type {Workshop} from '../workshop.ts';
import {sessionOf} from '../../domain/index.ts';
import {awaitKeeper} from '../ensure-keeper.ts';
import {forgetSecrets} from '../forget-secrets.ts';
import {isKeeperAlive, meetKeeper} from '../meet-keeper.ts';
import {releaseKeeper} from '../release-keeper.ts';
import {reportEnd} from './run-session.ts';

/** How long the exit status of what was stopped may take to be written down. */
const recordMs = 5000;

/**
 * Ends a session and everything that came of it, also what left it by setsid or nohup; verified, and nothing that is
 * not provably its own is touched.
 */
export function stopSession(workshop: Workshop): Perform {
  return async (effect, report, signal) => {
    if (effect.do !== 'stop-session') return;
    const {session: id} = effect;
    const {store} = workshop;
    const session = sessionOf(workshop.state(), id);
    const link =
      session?.life.at === 'asked'
        ? await awaitKeeper(workshop, id, signal)
        : await meetKeeper(workshop, id);
    try {
      if (link?.welcome.phase === 'ready') {
        // Its program never ran; the keeper holds nothing.
        await releaseKeeper(workshop, id, link);
        await report(
          {type: 'session-lost', session: id, why: 'it was stopped before it ran'},
          false,
        );
        forgetSecrets(workshop, id);
        return;
      }

      const [root] = session === undefined ? [] : rootsOf(workshop, [session]);
      const stopped =
        root === undefined
          ? undefined
          : await stopTree(root, workshop.kernel, {directory: store.directoryOf(id)});
      // What was stopped is told to its end, also when the daemon is asked to end meanwhile: its keeper would be left waiting for the next one.
      if (stopped !== undefined && 'unknown' in stopped)
        throw new Error(`${id} cannot be stopped: ${stopped.unknown}`);
      if (stopped !== undefined && stopped.value.survivors.length > 0)
        throw new Error(
          `${stopped.value.survivors.length} processes of ${id} could not be stopped`,
        );
      if (store.exitOf(id) === undefined && (await isKeeperAlive(workshop, id)))
        await Promise.race([
          waitFor(() => store.exitOf(id) !== undefined),
          ...(link === undefined ? [] : [link.ended]),
        ]);
      // A daemon that was killed while it wrote down what to run has left the half of it, and nobody will write it again.
      rmSync(path.join(store.directoryOf(id), `${sessionFiles.launch}.tmp`), {force: true});
      await reportEnd(workshop, id, report, true);
      await releaseKeeper(workshop, id, link);
    } finally {
      link?.close();
    }
  };
}

async function waitFor(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + recordMs; performance.now() < end && !isSo();)
    await delay(10);
}

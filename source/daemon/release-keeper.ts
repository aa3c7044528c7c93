import {isLive, sessionOf, type SessionId} from '../domain/index.ts';
import type {KeeperLink} from '../keeper/index.ts';
import {signalProcess} from '../machine/index.ts';
import {isKeeperAlive, keeperOf, meetKeeper} from './meet-keeper.ts';
import type {Workshop} from './workshop.ts';

/** The end of the session is written down, so its keeper may go. One that died without a word has left its socket behind. */
export async function releaseKeeper(
  workshop: Workshop,
  session: SessionId,
  link: KeeperLink | undefined,
): Promise<void> {
  if (link !== undefined)
    await Promise.race([link.ask({type: 'release'}).catch(() => undefined), link.ended]);
  link?.close();
  const keeper = keeperOf(workshop.store.metaOf(session));
  // It goes at this word, too: it has nothing left to keep.
  if (link === undefined && keeper !== undefined)
    await signalProcess({identity: keeper}, 'SIGTERM', workshop.kernel);
  if (!(await isKeeperAlive(workshop, session))) workshop.store.removeSocket(session);
}

/** A daemon that was killed between the end of a session and the end of its keeper has left the keeper waiting. */
export async function releaseForgotten(workshop: Workshop): Promise<void> {
  for (const id of workshop.store.withSocket()) {
    const session = sessionOf(workshop.state(), id);
    if (session === undefined || isLive(session)) continue;
    await releaseKeeper(workshop, id, await meetKeeper(workshop, id).catch(() => undefined));
  }
}

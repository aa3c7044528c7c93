import {existsSync, statSync} from 'node:fs';
import path from 'node:path';
import {sessionOf, type SessionId} from '../domain/index.ts';
import type {KeeperLink} from '../keeper/index.ts';
import {sessionFiles} from '../protocol/index.ts';
import {describeLaunch} from './launch/describe-launch.ts';
import {ownLaunch} from './launch/own-launch.ts';
import {meetKeeper} from './meet-keeper.ts';
import {pauseFor} from './pause-for.ts';
import {furnishBefore} from './perform/furnish.ts';
import {startKeeper} from './start-keeper.ts';
import type {Workshop} from './workshop.ts';

/** The output of a session that is kept: its beginning, and its end. */
const log = {head: 4 * 1024 * 1024, tail: 60 * 1024 * 1024};

/** A keeper that a daemon before us started may still be on its way; so long it is waited for. */
const onItsWayMs = 3000;

/** Afterwards the session has a keeper that listens; its program does not run yet. */
export async function ensureKeeper(
  workshop: Workshop,
  id: SessionId,
  signal: AbortSignal,
): Promise<void> {
  const {store, keeperProgram, randomToken} = workshop;
  const session = sessionOf(workshop.state(), id);
  if (session === undefined) return;
  const directory = store.directoryOf(id);
  if (store.launchOf(id) === undefined) {
    await furnishBefore(workshop, session);
    const {argv, cwd, env} =
      ownLaunch(workshop, session) ?? (await describeLaunch(workshop, session));
    const {size} = workshop.surroundingsOf(id);
    store.prepare(id, {argv, cwd, env, ...size, token: randomToken(), log});
  } else {
    // What was prepared stays as it is: the environment in it is the client's, and a keeper may have read it.
    const link = await awaitKeeper(workshop, id, signal);
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

/** A conversation with a keeper that was started a moment ago and may not listen yet; nothing when none comes. */
export async function awaitKeeper(
  workshop: Workshop,
  id: SessionId,
  signal: AbortSignal,
): Promise<KeeperLink | undefined> {
  const file = path.join(workshop.store.directoryOf(id), sessionFiles.launch);
  for (;;) {
    const link = await meetKeeper(workshop, id);
    if (link !== undefined || !existsSync(file)) return link;
    signal.throwIfAborted();
    const age = workshop.now() - statSync(file).mtimeMs;
    if (age < 0 || age > onItsWayMs) return undefined;
    await pauseFor(20, signal);
  }
}

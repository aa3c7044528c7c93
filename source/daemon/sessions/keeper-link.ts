import {
  isSameProcessKey,
  type Kernel,
  type ProcessKey,
  readProcess,
  signalProcess,
} from '../../system/index.ts';
import {connectKeeper, isKeeperGone, type KeeperLink} from '../../keeper/index.ts';
import type {KeeperReply, Meta} from '../../protocol/index.ts';
import {isLive, selectSession, type SessionId} from '../../domain/index.ts';
import type {KernelAccess, SessionFiles, StateReader} from '../daemon-context.ts';

/** Connects to the keeper of a session; undefined if nobody listens. */
export async function connectToKeeper(
  {store}: SessionFiles,
  session: SessionId,
  news: (reply: KeeperReply) => void = () => undefined,
): Promise<KeeperLink | undefined> {
  const launch = store.launchOf(session);
  if (launch === undefined) return undefined;
  try {
    return await connectKeeper(launch, {news});
  } catch (error) {
    if (isKeeperGone(error)) return undefined;
    throw error;
  }
}

/**
 * Whether the keeper's process still runs. A missing socket does not prove its end: somebody may
 * have removed the file.
 */
export async function isKeeperAlive(
  {store, kernel}: SessionFiles & Pick<KernelAccess, 'kernel'>,
  session: SessionId,
): Promise<boolean> {
  return isMetaAlive(store.metaOf(session), kernel);
}

/** Whether the process that wrote this record still runs. */
export async function isMetaAlive(meta: Meta | undefined, kernel: Kernel): Promise<boolean> {
  const identity = toKeeperIdentity(meta);
  if (identity === undefined) return false;
  const found = await readProcess(identity.pid, kernel);
  return (
    'value' in found &&
    found.value !== undefined &&
    found.value.state !== 'Z' &&
    isSameProcessKey(found.value.identity, identity)
  );
}

/** The keeper's process; undefined if it cannot be told from a later process with the same pid. */
export function toKeeperIdentity(meta: Meta | undefined): ProcessKey | undefined {
  if (meta === undefined || meta.startTime === null || meta.bootId === null) return undefined;
  return {pid: meta.pid, startTime: meta.startTime, bootId: meta.bootId};
}

/**
 * Ends the keeper of a session whose end is journaled. A keeper that died has left its socket,
 * which is removed.
 */
export async function releaseKeeper(
  context: SessionFiles & Pick<KernelAccess, 'kernel'>,
  session: SessionId,
  link: KeeperLink | undefined,
): Promise<void> {
  if (link !== undefined)
    await Promise.race([link.ask({type: 'release'}).catch(() => undefined), link.ended]);
  link?.close();
  const keeper = toKeeperIdentity(context.store.metaOf(session));
  // SIGTERM has the same effect as `release`: this keeper has nothing left to keep.
  if (link === undefined && keeper !== undefined)
    await signalProcess({identity: keeper}, 'SIGTERM', context.kernel);
  if (!(await isKeeperAlive(context, session))) context.store.removeSocket(session);
}

/**
 * Ends keepers that still wait because the daemon was killed between the end of a session and that
 * of its keeper.
 */
export async function releaseForgotten(
  context: StateReader & SessionFiles & Pick<KernelAccess, 'kernel'>,
): Promise<void> {
  for (const id of context.store.withSocket()) {
    const session = selectSession(context.state(), id);
    if (session === undefined || isLive(session)) continue;
    await releaseKeeper(context, id, await connectToKeeper(context, id).catch(() => undefined));
  }
}

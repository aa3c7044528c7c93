import {isSameProcess, readProcess, type Kernel, type ProcessIdentity} from '../machine/index.ts';
import {connectKeeper, type KeeperLink} from '../keeper/index.ts';
import type {KeeperReply, Meta} from '../protocol/index.ts';
import type {SessionId} from '../domain/index.ts';
import type {Workshop} from './workshop.ts';

/** A conversation with the session's keeper; nothing if nobody listens. */
export async function meetKeeper(
  {store}: Workshop,
  session: SessionId,
  news: (reply: KeeperReply) => void = () => undefined,
): Promise<KeeperLink | undefined> {
  const launch = store.launchOf(session);
  if (launch === undefined) return undefined;
  try {
    return await connectKeeper(launch, {news});
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
    throw error;
  }
}

/** Whether the very process that said it keeps the session is still there. That nobody listens does not prove its death: somebody may have removed the socket. */
export async function isKeeperAlive(
  {store, kernel}: Workshop,
  session: SessionId,
): Promise<boolean> {
  return isThere(store.metaOf(session), kernel);
}

/** Whether the very process that wrote this is still there. */
export async function isThere(meta: Meta | undefined, kernel: Kernel): Promise<boolean> {
  const identity = keeperOf(meta);
  if (identity === undefined) return false;
  const found = await readProcess(identity.pid, kernel);
  return (
    'value' in found &&
    found.value !== undefined &&
    found.value.state !== 'Z' &&
    isSameProcess(found.value.identity, identity)
  );
}

/** Who keeps the session, if the system tells it apart from a later process with its number. */
export function keeperOf(meta: Meta | undefined): ProcessIdentity | undefined {
  if (meta === undefined || meta.startTime === null || meta.bootId === null) return undefined;
  return {pid: meta.pid, startTime: meta.startTime, bootId: meta.bootId};
}

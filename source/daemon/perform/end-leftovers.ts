import type {Session} from '../../domain/index.ts';
import {stopTree} from '../../machine/index.ts';
import type {Workshop} from '../workshop.ts';

/** What a session left running when its program ended is ended before its worktree is looked at: it could still write. */
export async function endLeftovers({store, kernel, log}: Workshop, {id}: Session): Promise<void> {
  const stopped = await stopTree({id, cookie: store.cookieOf(id)}, kernel, {
    directory: store.directoryOf(id),
  });
  if ('unknown' in stopped) return;
  const {signals, survivors} = stopped.value;
  if (signals.length > 0)
    log(
      `${id}: ended ${new Set(signals.map(({identity}) => identity.pid)).size} processes that it had left`,
    );
  if (survivors.length > 0)
    throw new Error(`${survivors.length} processes that ${id} left could not be ended`);
}

import {rmSync} from 'node:fs';
import {entriesOf} from '../base/index.ts';
import {isLive, type Session, type SessionId} from '../domain/index.ts';
import {exchangeOf} from './launch/exchange.ts';
import type {Workshop} from './workshop.ts';

type Keeping = Pick<Workshop, 'state' | 'store' | 'stateDirectory' | 'log' | 'releaseSurroundings'>;

/** The program runs: its keeper needs the environment no more, and nobody starts it a second time. */
export function forgetEnvironment({store, log, releaseSurroundings}: Keeping, id: SessionId): void {
  releaseSurroundings(id);
  try {
    store.forgetEnvironment(id);
  } catch (error) {
    // On a full disk it stays until the session ends, or the next daemon starts.
    log(
      `${id}: its environment is still on disk: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The session has ended: the key to its tools opens nothing any more, and what the tools' servers were given is of no use. */
export function forgetSecrets(workshop: Keeping, id: SessionId): void {
  forgetEnvironment(workshop, id);
  const {tools} = exchangeOf(workshop, id);
  for (const file of [tools, `${tools}.new`]) rmSync(file, {force: true});
  workshop.store.removeNote(id, 'tools-key');
}

/** What daemons before this one kept: of every session that runs or has ended, and of directories that no journal of ours knows. */
export async function forgetOld(workshop: Keeping, signal: AbortSignal): Promise<void> {
  const act = (session: Session): void => {
    if (!isLive(session)) forgetSecrets(workshop, session.id);
    else if (session.life.at === 'running') forgetEnvironment(workshop, session.id);
  };

  for (const session of entriesOf(workshop.state().sessions)) {
    if (signal.aborted) return;
    act(session);
    await new Promise((resolve) => setImmediate(resolve));
  }

  workshop.store.forgetStrangers();
}

import {sha256Of} from '../base/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {isSessionId} from '../domain/index.ts';
import {connectKeeper, type KeeperLink, type KeeperListeners} from '../keeper/index.ts';
import type {Size} from '../protocol/index.ts';
import type {Checkpoint} from '../terminal/index.ts';
import {Impossible} from './here.ts';

/** What it takes to talk to a session's keeper, or to read what it left. */
export type Ticket = {
  readonly socket: string;
  readonly token: string;
  readonly directory: string;
  readonly isLive: boolean;
  /** Its screen for a terminal of the size that was asked for; an older daemon does not draw. */
  readonly screen?: Checkpoint;
  /** Why nobody reads what is typed into it unless it asks, and what can be done instead. */
  readonly unread?: string;
};

export async function askTicket(
  daemon: DaemonConnection,
  session: string,
  {size, read}: {readonly size?: Size; readonly read?: boolean} = {},
): Promise<Ticket> {
  if (!isSessionId(session))
    throw new Impossible(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return (await daemon.ask({
    about: 'ticket',
    session,
    ...(size !== undefined && {size}),
    ...(read === true && {read}),
  })) as Ticket;
}

/** Of several who are attached, one answers what the program asks its terminal: whoever has this name. Another user cannot guess it and take it first. */
export function answersLockOf({token}: Ticket): string {
  return `\0orchestra-answers-${sha256Of(token).slice(0, 32)}`;
}

/** A conversation with the keeper itself. That it can't be had is told in a sentence. */
export async function useTicket(
  session: string,
  ticket: Ticket,
  listeners: KeeperListeners,
): Promise<KeeperLink> {
  try {
    return await connectKeeper(ticket, listeners);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    const instead = `its output so far: orchestra logs ${session}`;
    if (code === 'mute')
      throw new Impossible(
        `the keeper of ${session} does not answer: it is stopped (SIGSTOP) or hangs; ${instead}`,
      );
    if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'gone')
      throw new Impossible(`${session} has no keeper any more (${code}); ${instead}`);
    throw error;
  }
}

import {errorCode, toSha256} from '../shared/index.ts';
import type {DaemonConnection} from '../client/index.ts';
import {isSessionId} from '../domain/index.ts';
import {
  connectKeeper,
  isKeeperGone,
  type KeeperLink,
  type KeeperListeners,
} from '../keeper/index.ts';
import type {TerminalSize} from '../protocol/index.ts';
import type {Checkpoint} from '../terminal/index.ts';
import {UsageError} from './repo-paths.ts';

/** Access to a session's keeper, or to the files that it left. */
export type Ticket = {
  readonly socket: string;
  readonly token: string;
  readonly directory: string;
  readonly isLive: boolean;
  /** Its screen for a terminal of the requested size; older daemons do not draw it. */
  readonly screen?: Checkpoint;
  /** Why typed keys are only read while it asks, and what to do instead. */
  readonly unread?: string;
};

export async function askTicket(
  daemon: DaemonConnection,
  session: string,
  {size, read}: {readonly size?: TerminalSize; readonly read?: boolean} = {},
): Promise<Ticket> {
  if (!isSessionId(session))
    throw new UsageError(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return (await daemon.ask({
    about: 'ticket',
    session,
    ...(size !== undefined && {size}),
    ...(read === true && {read}),
  })) as Ticket;
}

/**
 * The lock for answering terminal queries, so that only one of several attached clients does. Other
 * users cannot guess the name.
 */
export function answersLockName({token}: Ticket): string {
  return `\0orchestra-answers-${toSha256(token).slice(0, 32)}`;
}

/** Connects to the keeper; a failure becomes a usage error. */
export async function connectByTicket(
  session: string,
  ticket: Ticket,
  listeners: KeeperListeners,
): Promise<KeeperLink> {
  try {
    return await connectKeeper(ticket, listeners);
  } catch (error) {
    const code = errorCode(error);
    const instead = `its output so far: orchestra logs ${session}`;
    if (code === 'mute')
      throw new UsageError(
        `the keeper of ${session} does not answer: it is stopped (SIGSTOP) or hangs; ${instead}`,
      );
    if (isKeeperGone(error))
      throw new UsageError(`${session} has no keeper (${String(code)}); ${instead}`);
    throw error;
  }
}

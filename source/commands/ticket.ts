import type {DaemonConnection} from '../client/index.ts';
import {isSessionId} from '../domain/index.ts';
import {Impossible} from './here.ts';

/** What it takes to talk to a session's keeper, or to read what it left. */
export type Ticket = {readonly socket: string; readonly token: string; readonly directory: string; readonly isLive: boolean};

export async function askTicket(daemon: DaemonConnection, session: string): Promise<Ticket> {
  if (!isSessionId(session)) throw new Impossible(`expected a session such as s7, got ${JSON.stringify(session)}`);
  return (await daemon.ask({about: 'ticket', session})) as Ticket;
}

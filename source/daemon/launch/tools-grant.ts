import {minuteOf} from '../../base/index.ts';
import type {AgentRole, SessionId} from '../../domain/index.ts';
import {writeWhole} from '../../files/index.ts';
import type {Workshop} from '../workshop.ts';
import {exchangeOf} from './exchange.ts';

/** What else stands in the file: servers of the project, and what their answers may have. */
export type GrantExtras = {
  readonly servers?: Readonly<Record<string, unknown>>;
  readonly capTokens?: number;
};

/** How long a call waits for a person or a command before it says so: less than agents wait for a tool. */
export function toolWaitMs(env: Readonly<Record<string, string>>): number {
  return 0.75 * minuteOf(env);
}

/** Writes how an agent calls its tools, with a key that is its session's alone, and gives the path. Its exchange is there already. */
export function writeToolsGrant(
  workshop: Workshop,
  session: SessionId,
  role: AgentRole,
  {servers = {}, ...more}: GrantExtras = {},
): string {
  const {tools, below} = exchangeOf(workshop, session);
  const grant = {
    socket: workshop.agentsSocket,
    token: ensureToolsKey(workshop, session),
    session,
    role,
    waitMs: toolWaitMs(workshop.env),
    servers,
    ...more,
  };
  writeWhole(tools, JSON.stringify(grant), {below});
  return tools;
}

/** The same one after a crash: what was started before knows it. */
function ensureToolsKey({store, randomToken}: Workshop, session: SessionId): string {
  const kept = toolsKeyOf(store, session);
  if (kept !== undefined) return kept;
  const token = randomToken();
  store.writeNote(session, 'tools-key', {token});
  return token;
}

export function toolsKeyOf(store: Workshop['store'], session: SessionId): string | undefined {
  const {token} = (store.noteOf(session, 'tools-key') ?? {}) as {readonly token?: unknown};
  return typeof token === 'string' && token !== '' ? token : undefined;
}

import {errorText} from '../shared/index.ts';
import {randomUUID} from 'node:crypto';
import {setTimeout as delay} from 'node:timers/promises';
import {connectDaemon, type DaemonConnection, RequestRejectedError} from '../client/index.ts';
import type {AgentRole} from '../domain/index.ts';
import type {ToolAnswer} from '../protocol/index.ts';

export type ToolCallOptions = {
  readonly tool: string;
  readonly input: unknown;
  readonly build: string;
  /** Aborted when the agent cancels the call. */
  readonly signal?: AbortSignal;
  /** How long the call can wait for a person. Absent: the daemon's own limit. */
  readonly waitMs?: number;
  /** How long to wait for a daemon that is not running. @default 60000 */
  readonly patienceMs?: number;
};

/**
 * Sends a tool call to the daemon on a connection of its own; closing it cancels the call. If the
 * daemon restarts, the call is sent again with the same id, so that the daemon carries it out only
 * once.
 */
export async function callTool(
  grant: ToolsGrant,
  {tool, input, build, signal, waitMs, patienceMs = 60_000}: ToolCallOptions,
): Promise<ToolAnswer> {
  const question = {
    about: 'tool',
    tool,
    input,
    call: randomUUID(),
    ...(waitMs !== undefined && {waitMs}),
  } as const;
  let waited = 0;
  for (let tries = 0; ; tries += 1) {
    signal?.throwIfAborted();
    const asked = await askOnce(grant, question, build, signal);
    if (asked.at === 'answered') return asked.answer;
    if (asked.at === 'lost') waited = 0;
    if (waited >= patienceMs)
      return {
        text: `orchestra does not answer (${asked.why}). Continue without it; try again later.`,
        isError: true,
      };
    const pauseMs = Math.min(1000, 50 * 2 ** Math.min(tries, 5));
    waited += pauseMs;
    await delay(pauseMs, undefined, signal === undefined ? {} : {signal});
  }
}

type Asked =
  | {readonly at: 'answered'; readonly answer: ToolAnswer}
  | {readonly at: 'absent' | 'lost'; readonly why: string};

async function askOnce(
  {socket, token}: ToolsGrant,
  question: Parameters<DaemonConnection['ask']>[0],
  build: string,
  signal: AbortSignal | undefined,
): Promise<Asked> {
  let connection: DaemonConnection | undefined;
  const close = (): void => connection?.close();
  try {
    connection = await connectDaemon({socket, token, build});
    signal?.throwIfAborted();
    signal?.addEventListener('abort', close, {once: true});
    return {at: 'answered', answer: parseAnswer(await connection.ask(question))};
  } catch (error) {
    signal?.throwIfAborted();
    const why = errorText(error);
    if (error instanceof RequestRejectedError)
      return {at: 'answered', answer: {text: why, isError: true}};
    return {at: connection === undefined ? 'absent' : 'lost', why};
  } finally {
    signal?.removeEventListener('abort', close);
    close();
  }
}

function parseAnswer(value: unknown): ToolAnswer {
  const {text, isError} = (value ?? {}) as {readonly text?: unknown; readonly isError?: unknown};
  return {
    text: typeof text === 'string' ? text : JSON.stringify(value ?? null),
    ...(isError === true && {isError}),
  };
}

/**
 * The file that the daemon writes for an agent's session: which socket to call, with which token
 * and role.
 */
export type ToolsGrant = {
  readonly socket: string;
  readonly token: string;
  readonly session: string;
  readonly role?: AgentRole;
  /** How long a question to a person waits before the agent must ask again. */
  readonly waitMs: number;
  /** Limit of one answer of another server. */
  readonly capTokens: number;
  readonly servers: Readonly<Record<string, ServerAddress>>;
};

export type ServerAddress =
  | {readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>}
  | {readonly url: string};

/** Never throws: returns a problem for a file that is not a grant. */
export function parseGrant(
  text: string,
): {readonly value: ToolsGrant} | {readonly problem: string} {
  const file = parseFields(text);
  const {socket, token, session, role, waitMs, capTokens, servers} = file;
  const missing = Object.entries({socket, token, session}).find(
    ([, value]) => typeof value !== 'string' || value === '',
  )?.[0];
  if (missing !== undefined)
    return {
      problem: `expected "${missing}" in it, got none; it is written when orchestra starts an agent`,
    };
  return {
    value: {
      socket: String(socket),
      token: String(token),
      session: String(session),
      ...((role === 'planner' || role === 'worker') && {role}),
      waitMs: amountOr(waitMs, 600_000),
      capTokens: amountOr(capTokens, 2000),
      servers: Object.fromEntries(
        Object.entries(asFields(servers)).flatMap(([name, address]) => {
          const read = parseAddress(asFields(address));
          return read === undefined ? [] : [[name, read] as const];
        }),
      ),
    },
  };
}

function parseAddress({command, env, url}: Fields): ServerAddress | undefined {
  if (typeof url === 'string') return {url};
  if (
    !Array.isArray(command) ||
    command.length === 0 ||
    !command.every((part) => typeof part === 'string')
  )
    return undefined;
  return {
    command: command,
    env: Object.fromEntries(
      Object.entries(asFields(env)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parseFields(text: string): Fields {
  try {
    return asFields(JSON.parse(text));
  } catch {
    return {};
  }
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function amountOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise;
}

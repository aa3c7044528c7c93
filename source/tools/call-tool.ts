import {randomUUID} from 'node:crypto';
import {setTimeout as pause} from 'node:timers/promises';
import {type DaemonConnection, Refused, connectDaemon} from '../client/index.ts';
import type {ToolsGrant} from './read-grant.ts';

export type ToolAnswer = {readonly text: string; readonly isError?: boolean};

export type ToolCall = {
  readonly tool: string;
  readonly input: unknown;
  readonly build: string;
  /** Nobody waits for the answer any more. */
  readonly signal?: AbortSignal;
  /** How long it can wait for a person. Absent: as long as any caller can. */
  readonly waitMs?: number;
  /** How long a daemon that is not there is waited for. @default 60000 */
  readonly patienceMs?: number;
};

/**
 * Asks the daemon, on a connection of the call's own: to close it is to cancel. A daemon that restarts is waited for and asked
 * again, by the same name: one call is carried out once, a command typed once.
 */
export async function callTool(
  grant: ToolsGrant,
  {tool, input, build, signal, waitMs, patienceMs = 60_000}: ToolCall,
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
        text: `orchestra does not answer (${asked.why}). Go on without it; try again later.`,
        isError: true,
      };
    const delay = Math.min(1000, 50 * 2 ** Math.min(tries, 5));
    waited += delay;
    await pause(delay, undefined, signal === undefined ? {} : {signal});
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
  const leave = (): void => connection?.close();
  try {
    connection = await connectDaemon({socket, token, build});
    signal?.throwIfAborted();
    signal?.addEventListener('abort', leave, {once: true});
    return {at: 'answered', answer: answerOf(await connection.ask(question))};
  } catch (error) {
    signal?.throwIfAborted();
    const why = error instanceof Error ? error.message : String(error);
    if (error instanceof Refused) return {at: 'answered', answer: {text: why, isError: true}};
    return {at: connection === undefined ? 'absent' : 'lost', why};
  } finally {
    signal?.removeEventListener('abort', leave);
    leave();
  }
}

function answerOf(value: unknown): ToolAnswer {
  const {text, isError} = (value ?? {}) as {readonly text?: unknown; readonly isError?: unknown};
  return {
    text: typeof text === 'string' ? text : JSON.stringify(value ?? null),
    ...(isError === true && {isError}),
  };
}

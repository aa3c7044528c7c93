import process from 'node:process';
import type {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';
import type {ServerNotification} from '@modelcontextprotocol/sdk/types.js';

/**
 * Serves until the client is gone. The SDK does not notice the end of standard input, so it is
 * watched here.
 */
export async function untilClosed(
  server: McpServer['server'],
  transport: Transport,
): Promise<void> {
  const closed = Promise.withResolvers<undefined>();
  const onEnd = (): void => {
    closed.resolve(undefined);
  };
  server.onclose = onEnd;
  process.stdin.once('end', onEnd);
  process.stdin.once('close', onEnd);
  try {
    await server.connect(transport);
    await closed.promise;
  } finally {
    process.stdin.off('end', onEnd);
    process.stdin.off('close', onEnd);
    await server.close();
  }
}

type ProgressOptions = {
  /** Undefined if the caller wants no progress notifications. */
  readonly token: string | number | undefined;
  readonly message: string;
  readonly notify: (notification: ServerNotification) => Promise<void>;
  /** @default 10000 */
  readonly everyMs?: number;
};

/** Notifies the agent that its call is still running, so that the call does not time out. */
export async function progressWhile<Value>(
  {token, message, notify, everyMs = 10_000}: ProgressOptions,
  waiting: Promise<Value>,
): Promise<Value> {
  if (token === undefined) return waiting;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    notify({
      method: 'notifications/progress',
      params: {progressToken: token, progress, message},
    }).catch(() => undefined);
  }, everyMs);
  return waiting.finally(() => {
    clearInterval(timer);
  });
}

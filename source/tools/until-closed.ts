import process from 'node:process';
import type {McpServer} from '@modelcontextprotocol/sdk/server/mcp.js';
import type {Transport} from '@modelcontextprotocol/sdk/shared/transport.js';

/** Serves until the other side is gone: the package does not look whether its standard input has ended. */
export async function untilClosed(
  server: McpServer['server'],
  transport: Transport,
): Promise<void> {
  const closed = Promise.withResolvers<undefined>();
  const leave = (): void => {
    closed.resolve(undefined);
  };
  server.onclose = leave;
  process.stdin.once('end', leave);
  process.stdin.once('close', leave);
  try {
    await server.connect(transport);
    await closed.promise;
  } finally {
    process.stdin.off('end', leave);
    process.stdin.off('close', leave);
    await server.close();
  }
}

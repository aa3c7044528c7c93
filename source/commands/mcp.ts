import path from 'node:path';
import {readGrant, serveExternal, serveTools} from '../tools/index.ts';
import {readGrantFile} from './read-grant-file.ts';
import type {ExitCode, Surroundings} from './surroundings.ts';
import {version} from './version.ts';

export type McpOptions = {readonly tools?: string; readonly server?: string};

/** The server of tools for one agent's session, on the standard streams, until the agent closes them. */
export async function mcp(
  {tools, server}: McpOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const {file, grant} = readGrantFile(tools, surroundings, readGrant);
  if (server === undefined) {
    await serveTools({grant, build: version});
    return 0;
  }

  const address = Object.hasOwn(grant.servers, server) ? grant.servers[server] : undefined;
  if (address === undefined) {
    surroundings.err(
      `orchestra: ${grant.session} was not given the server "${server}". It has: ${Object.keys(grant.servers).join(', ') || 'none'}. A plan names them in the "tools" of a task.\n`,
    );
    return 2;
  }

  await serveExternal({
    name: server,
    address,
    capTokens: grant.capTokens,
    build: version,
    directory: path.join(path.dirname(file), 'results'),
    warn: (words) => {
      surroundings.err(`${words}\n`);
    },
  });
  return 0;
}

import type {AgentRole} from '../domain/index.ts';

/** What an agent's session may ask, where, and as whom: the file that the daemon writes for it. */
export type ToolsGrant = {
  readonly socket: string;
  readonly token: string;
  readonly session: string;
  readonly role?: AgentRole;
  /** How long a question to a person waits before it is to be asked again. */
  readonly waitMs: number;
  /** What one answer of somebody else's server may have. */
  readonly capTokens: number;
  readonly servers: Readonly<Record<string, ServerAddress>>;
};

export type ServerAddress =
  | {readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>}
  | {readonly url: string};

/** Never throws: a file that is not what was expected is a sentence. */
export function readGrant(text: string): {readonly value: ToolsGrant} | {readonly problem: string} {
  const file = parse(text);
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
      waitMs: countOf(waitMs, 600_000),
      capTokens: countOf(capTokens, 2000),
      servers: Object.fromEntries(
        Object.entries(recordOf(servers)).flatMap(([name, address]) => {
          const read = addressOf(recordOf(address));
          return read === undefined ? [] : [[name, read] as const];
        }),
      ),
    },
  };
}

function addressOf({command, env, url}: Fields): ServerAddress | undefined {
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
      Object.entries(recordOf(env)).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string',
      ),
    ),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function parse(text: string): Fields {
  try {
    return recordOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function recordOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function countOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : otherwise;
}

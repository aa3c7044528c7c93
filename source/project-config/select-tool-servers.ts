import type {Project} from '../domain/index.ts';
import {isSecretName} from '../secrets/index.ts';

/** How a session reaches a tool server. */
export type ToolServerAddress =
  | {readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>}
  | {readonly url: string};

/**
 * The declared tool servers with these names, each with the values of its environment variables.
 * Unknown names are left out.
 */
export function selectToolServers(
  {tools = []}: Pick<Project, 'tools'>,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, ToolServerAddress> {
  const wanted = tools.filter(({name}) => names.includes(name));
  return Object.fromEntries(
    wanted.flatMap(({name, command, url, environment = []}): [string, ToolServerAddress][] => {
      if (url !== undefined) return [[name, {url}]];
      return command === undefined
        ? []
        : [[name, {command, env: selectVariables(environment, env)}]];
    }),
  );
}

/** As for agents: a name may end in `*`, and a secret must be named in full. */
function selectVariables(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const isNamed = (key: string): boolean =>
    names.some(
      (name) =>
        name === key ||
        (name.endsWith('*') && key.startsWith(name.slice(0, -1)) && !isSecretName(key)),
    );
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && isNamed(entry[0]),
    ),
  );
}

import type {Project} from '../../domain/index.ts';
import {isSecretName} from '../secrets/secrets-of.ts';

/** How a server of tools is reached: written down for the one session that has it. */
export type ToolServerAddress =
  | {readonly command: readonly string[]; readonly env: Readonly<Record<string, string>>}
  | {readonly url: string};

/** The servers of these names that the project declares, with the values of the variables that each may see. A name that is not declared is left out. */
export function toolServersFor(
  {tools = []}: Pick<Project, 'tools'>,
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Record<string, ToolServerAddress> {
  const wanted = tools.filter(({name}) => names.includes(name));
  return Object.fromEntries(
    wanted.flatMap(({name, command, url, environment = []}): [string, ToolServerAddress][] => {
      if (url !== undefined) return [[name, {url}]];
      return command === undefined ? [] : [[name, {command, env: valuesOf(environment, env)}]];
    }),
  );
}

/** As for agents: a name may end in `*`, and a secret must be named whole. */
function valuesOf(
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

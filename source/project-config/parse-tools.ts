import type {Project, ToolServer} from '../domain/index.ts';
import {shortName} from '../shared/index.ts';
import {environmentTexts} from './allowed-values.ts';
import {parseEntries, parseMappingFields, pathInto, type ReportProblem} from './fields.ts';
import {parseWithSchema} from './parse-with-schema.ts';
import {parseTexts, programSchema, urlSchema} from './schemas.ts';
import {describeYaml, type YamlEntry, type YamlMapping} from '../syntax/index.ts';
import {isSecretName} from '../secrets/index.ts';

/** The valid tool servers, in the order of the file. */
export function parseTools(mapping: YamlMapping, report: ReportProblem): ToolServer[] {
  const servers = parseEntries(mapping, 'tools', report).flatMap(
    (entry) => parseServer(entry, report) ?? [],
  );
  if (servers.length > maxServers)
    report(
      mapping.entries[0]?.line ?? 1,
      `tools: expected at most ${maxServers}, got ${servers.length}. Leave some out. ` +
        `Until then the first ${maxServers} count.`,
    );
  return servers.slice(0, maxServers);
}

const maxServers = 20;

function parseServer(
  {key: name, line, value}: YamlEntry,
  report: ReportProblem,
): ToolServer | undefined {
  const path = pathInto('tools', name);
  const faults: number[] = [];
  const reject: ReportProblem = (at, text) => {
    faults.push(at);
    report(at, `${text} Until then the server is left out.`);
  };

  if (!shortName.test(name))
    reject(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
  else if (name === 'orchestra')
    reject(line, `${path}: is the server of orchestra itself. Choose another name.`);
  if (value.is !== 'mapping') {
    reject(
      line,
      `${path}: expected fields with "command:" or "url:", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields = parseMappingFields(
    value,
    path,
    {known: ['command', 'environment', 'url']},
    report,
  );
  const [commandField, urlField, environmentField] = [
    fields.get('command'),
    fields.get('url'),
    fields.get('environment'),
  ];
  if ((commandField === undefined) === (urlField === undefined))
    reject(
      line,
      `${path}: expected either "command:" or "url:", got ` +
        `${commandField === undefined ? 'neither' : 'both'}. Name the program that serves ` +
        'it, or its address.',
    );
  if (urlField !== undefined && environmentField !== undefined)
    reject(
      environmentField.line,
      `${path}.environment: has no use with "url:", because it starts no program. Leave it out.`,
    );
  const command =
    commandField && parseWithSchema(commandSchema, commandField, `${path}.command`, reject);
  const url = urlField && parseWithSchema(urlSchema, urlField, `${path}.url`, reject);
  const environment =
    environmentField &&
    parseTexts(environmentField, `${path}.environment`, environmentTexts, report);
  if (faults.length > 0) return undefined;
  return {
    name,
    ...(command !== undefined && {command}),
    ...(environment !== undefined && {environment}),
    ...(url !== undefined && {url}),
  };
}

const commandSchema = programSchema('[npx, -y, some-server]').refine(
  ([program]) => program !== '',
  {
    error: 'expected a program as the first one, got nothing. Name it.',
  },
);

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

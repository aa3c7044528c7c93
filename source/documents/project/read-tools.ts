import type {ToolServer} from '../../domain/index.ts';
import {environmentTexts} from './project-texts.ts';
import {mostArguments, readArgument} from './read-agent-arguments.ts';
import {type Report, pathInto, readEntries, readFields} from './read-fields.ts';
import {readTexts} from './read-texts.ts';
import {type YamlEntry, type YamlMapping, type YamlValue, describeYaml} from './yaml-value.ts';

/** The servers of tools that can be reached as they are written, in the order of the file. */
export function readTools(mapping: YamlMapping, report: Report): ToolServer[] {
  const servers = readEntries(mapping, 'tools', report).flatMap(
    (entry) => readServer(entry, report) ?? [],
  );
  if (servers.length > mostServers)
    report(
      mapping.entries[0]?.line ?? 1,
      `tools: expected at most ${mostServers}, got ${servers.length}. Leave some out. Until then the first ${mostServers} count.`,
    );
  return servers.slice(0, mostServers);
}

const mostServers = 20;
const serverName = /^[a-z0-9][a-z0-9-]{0,39}$/;

function readServer({key: name, line, value}: YamlEntry, report: Report): ToolServer | undefined {
  const path = pathInto('tools', name);
  const faults: number[] = [];
  const refuse: Report = (at, text) => {
    faults.push(at);
    report(at, `${text} Until then the server is left out.`);
  };

  if (!serverName.test(name))
    refuse(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
  else if (name === 'orchestra')
    refuse(line, `${path}: is our own, and every agent has it. Give this one another name.`);
  if (value.is !== 'mapping') {
    refuse(
      line,
      `${path}: expected fields with "command:" or "url:", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields = readFields(value, path, {known: ['command', 'environment', 'url']}, report);
  const [commandField, urlField, environmentField] = [
    fields.get('command'),
    fields.get('url'),
    fields.get('environment'),
  ];
  if ((commandField === undefined) === (urlField === undefined))
    refuse(
      line,
      `${path}: expected either "command:" or "url:", got ${commandField === undefined ? 'neither' : 'both'}. Name the program that serves it, or its address.`,
    );
  if (urlField !== undefined && environmentField !== undefined)
    refuse(
      environmentField.line,
      `${path}.environment: has no use with "url:", because no program is started. Leave it out.`,
    );
  const command = commandField && readProgram(commandField, `${path}.command`, refuse);
  const url = urlField && readUrl(urlField, `${path}.url`, refuse);
  const environment =
    environmentField &&
    readTexts(environmentField, `${path}.environment`, environmentTexts, report);
  if (faults.length > 0) return undefined;
  return {
    name,
    ...(command !== undefined && {command}),
    ...(environment !== undefined && {environment}),
    ...(url !== undefined && {url}),
  };
}

function readProgram(
  value: YamlValue,
  path: string,
  refuse: Report,
): readonly string[] | undefined {
  if (value.is !== 'list' || value.items.length === 0 || value.items.length > mostArguments) {
    refuse(
      value.line,
      `${path}: expected a program and its arguments, as a list like [npx, -y, some-server], at most ${mostArguments}, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const argv = value.items.flatMap(
    (item, index) => readArgument(item, `${path}[${index}]`, refuse) ?? [],
  );
  if (argv[0] === '')
    refuse(value.line, `${path}: expected a program as the first one, got nothing. Name it.`);
  return argv;
}

function readUrl(value: YamlValue, path: string, refuse: Report): string | undefined {
  const url = value.is === 'text' && value.text.length <= 500 ? URL.parse(value.text) : null;
  if (url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url.href;
  refuse(
    value.line,
    `${path}: expected an address like https://host/mcp, without a name and a password in it, got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

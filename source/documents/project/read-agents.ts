import type {DeclaredAgent} from '../../domain/index.ts';
import {excerpt} from '../excerpt.ts';
import {
  type CommandName,
  type PromptWay,
  commandNames,
  promptWays,
  readArguments,
} from './read-agent-arguments.ts';
import {modelName} from './project-words.ts';
import {type Report, pathInto, readEntries, readFields} from './read-fields.ts';
import {readLogPattern} from './read-log-pattern.ts';
import {readWord} from './read-values.ts';
import {type YamlEntry, type YamlMapping, type YamlValue, describeYaml} from './yaml-value.ts';

/** The agents that can be started as they are written, in the order of the file. */
export function readAgents(mapping: YamlMapping, report: Report): DeclaredAgent[] {
  return readEntries(mapping, 'agents', report).flatMap((entry) => readAgent(entry, report) ?? []);
}

const patternNames = ['ready', 'question', 'conversation', 'gaveUp', 'unavailable'] as const;
type Fields = ReadonlyMap<CommandName | 'prompt' | 'model' | 'patterns', YamlValue>;

const agentName = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Half an agent is none: it would be started in a way that nobody meant. */
function readAgent({key: name, line, value}: YamlEntry, report: Report): DeclaredAgent | undefined {
  const path = pathInto('agents', name);
  const faults: number[] = [];
  const refuse: Report = (at, text) => {
    faults.push(at);
    report(at, `${text} Until then the agent is left out.`);
  };

  if (!agentName.test(name))
    refuse(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
  else if (name === 'playbook') refuse(line, `${path}: is built in. Give this one another name.`);
  if (value.is !== 'mapping') {
    refuse(
      line,
      `${path}: expected fields with "plan:", "work:" and "prompt:", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields: Fields = readFields(
    value,
    path,
    {known: [...commandNames, 'prompt', 'model', 'patterns']},
    report,
  );
  for (const required of ['plan', 'work', 'prompt'] as const)
    if (!fields.has(required)) refuse(line, `${path}.${required}: is missing. Add it.`);
  const agent = agentOf(name, path, fields, refuse);
  return faults.length === 0 ? agent : undefined;
}

function agentOf(name: string, path: string, fields: Fields, refuse: Report): DeclaredAgent {
  const prompt = readPromptWay(fields.get('prompt'), `${path}.prompt`, refuse);
  const commandOf = (field: CommandName): readonly string[] | undefined => {
    const value = fields.get(field);
    return value && readArguments(value, {path: `${path}.${field}`, field, prompt}, refuse);
  };

  const [resume, takeover] = [commandOf('resume'), commandOf('takeover')];
  const model = readModel(fields.get('model'), `${path}.model`, refuse);
  const patterns = readPatterns(fields.get('patterns'), `${path}.patterns`, refuse);
  return {
    name,
    plan: commandOf('plan') ?? [],
    work: commandOf('work') ?? [],
    ...(resume !== undefined && {resume}),
    ...(takeover !== undefined && {takeover}),
    prompt: prompt ?? 'file',
    ...(model !== undefined && {model}),
    ...(patterns !== undefined && {patterns}),
  };
}

function readPromptWay(
  value: YamlValue | undefined,
  path: string,
  refuse: Report,
): PromptWay | undefined {
  const way = value?.is === 'text' ? promptWays.find((known) => known === value.text) : undefined;
  if (value !== undefined && way === undefined)
    refuse(
      value.line,
      `${path}: expected ${promptWays.slice(0, -1).join(', ')} or ${promptWays.at(-1) ?? ''}, got ${describeYaml(value)}. Change it.`,
    );
  return way;
}

function readModel(value: YamlValue | undefined, path: string, refuse: Report): string | undefined {
  if (value === undefined) return undefined;
  return readWord(value, path, modelName, refuse);
}

function readPatterns(
  value: YamlValue | undefined,
  path: string,
  refuse: Report,
): DeclaredAgent['patterns'] {
  if (value === undefined) return undefined;
  if (value.is !== 'mapping') {
    refuse(
      value.line,
      `${path}: expected fields of ${patternNames.join(', ')}, got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const patterns = [...readFields(value, path, {known: patternNames}, refuse)].flatMap(
    ([name, field]) => {
      const reading = field.is === 'text' ? readLogPattern(field.text) : undefined;
      if (reading !== undefined && 'pattern' in reading) return [[name, reading.pattern] as const];
      refuse(
        field.line,
        field.is === 'text' && reading !== undefined
          ? `${path}.${name}: the pattern "${excerpt(field.text)}" ${reading.refused}`
          : `${path}.${name}: expected a regular expression, got ${describeYaml(field)}. Put it in single quotes.`,
      );
      return [];
    },
  );
  return Object.fromEntries(patterns);
}

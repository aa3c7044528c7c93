import {z} from 'zod';
import {agentPlaceholders, type DeclaredAgent, type Project} from '../domain/index.ts';
import {nearest, shortName} from '../shared/index.ts';
import {agentName, modelName, workerMode} from './allowed-values.ts';
import {
  parseEntries,
  parseMappingFields,
  pathInto,
  type ReportProblem,
  withConsequence,
} from './fields.ts';
import {expectedGot, parseEachField, parseWithSchema} from './parse-with-schema.ts';
import {logPatternSchema, programSchema, wordSchema} from './schemas.ts';
import {describeYaml, type YamlEntry, type YamlMapping, type YamlValue} from '../syntax/index.ts';

const promptWays = ['argument', 'file', 'stdin', 'typed'] as const;
const commandNames = ['plan', 'work', 'resume', 'takeover'] as const;

type PromptWay = (typeof promptWays)[number];
type CommandName = (typeof commandNames)[number];

type ArgumentsContext = {
  readonly path: string;
  readonly field: CommandName;
  readonly prompt: PromptWay | undefined;
};

const argumentsSchema = programSchema('[my-agent, --flag, "{promptFile}"]');

/** The valid agents, in the order of the file. An entry with modes alone declares no agent. */
export function parseAgents(mapping: YamlMapping, report: ReportProblem): DeclaredAgent[] {
  return parseEntries(mapping, 'agents', report)
    .filter(({value}) => !hasOnlyModes(value))
    .flatMap((entry) => parseAgent(entry, report) ?? []);
}

const modeNames = ['workers', 'planners'] as const;
const modesShape = {workers: wordSchema(workerMode), planners: wordSchema(workerMode)};

/** `agents.claude.workers` and `.planners`: how this agent runs, which may be a built-in one. */
export function parseAgentModes(
  mapping: YamlMapping,
  report: ReportProblem,
): Pick<Project, 'modes'> {
  // What is wrong with the other fields is reported where agents are parsed.
  const ignore: ReportProblem = () => undefined;
  const modes = parseEntries(mapping, 'agents', ignore).flatMap(({key, value, line}) => {
    if (value.is !== 'mapping') return [];
    const path = pathInto('agents', key);
    const found = Object.entries(modesShape).flatMap(([name, schema]) => {
      const field = parseMappingFields(value, path, {known: modeNames}, ignore).get(
        name as (typeof modeNames)[number],
      );
      const mode =
        field &&
        parseWithSchema(
          schema,
          field,
          pathInto(path, name),
          withConsequence("the project's mode counts", report),
        );
      return mode === undefined ? [] : [[name, mode] as const];
    });
    if (hasOnlyModes(value) && !agentName.isMeant(key)) {
      report(line, `${path}: expected ${agentName.expectation}. Change it.`);
      return [];
    }

    return found.length === 0 ? [] : [[key, Object.fromEntries(found)] as const];
  });
  return modes.length === 0 ? {} : {modes: Object.fromEntries(modes)};
}

function hasOnlyModes(value: YamlValue): boolean {
  return (
    value.is === 'mapping' &&
    value.entries.length > 0 &&
    value.entries.every(({key}) => modeNames.some((name) => name === key))
  );
}

const patternNames = ['ready', 'question', 'conversation', 'gaveUp', 'unavailable'] as const;

type Fields = ReadonlyMap<
  CommandName | 'prompt' | 'model' | 'patterns' | (typeof modeNames)[number],
  YamlValue
>;

/**
 * An agent with any invalid field is left out, because it would be started in an unintended way.
 */
function parseAgent(
  {key: name, line, value}: YamlEntry,
  report: ReportProblem,
): DeclaredAgent | undefined {
  const path = pathInto('agents', name);
  const faults: number[] = [];
  const reject: ReportProblem = (at, text) => {
    faults.push(at);
    report(at, `${text} Until then the agent is left out.`);
  };

  if (!shortName.test(name))
    reject(
      line,
      `${path}: expected a name of small letters, digits and "-", at most 40, that does not begin with "-". Change it.`,
    );
  else if (name === 'playbook') reject(line, `${path}: is built in. Choose another name.`);
  if (value.is !== 'mapping') {
    reject(
      line,
      `${path}: expected fields with "plan:", "work:" and "prompt:", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields: Fields = parseMappingFields(
    value,
    path,
    {known: [...commandNames, 'prompt', 'model', 'patterns', ...modeNames]},
    report,
  );
  for (const required of ['plan', 'work', 'prompt'] as const)
    if (!fields.has(required)) reject(line, `${path}.${required}: is missing. Add it.`);
  const agent = buildAgent(name, path, fields, reject);
  return faults.length === 0 ? agent : undefined;
}

function buildAgent(
  name: string,
  path: string,
  fields: Fields,
  reject: ReportProblem,
): DeclaredAgent {
  const [promptField, modelField] = [fields.get('prompt'), fields.get('model')];
  const prompt =
    promptField && parseWithSchema(promptSchema, promptField, `${path}.prompt`, reject);
  const parseCommandField = (field: CommandName): readonly string[] | undefined => {
    const value = fields.get(field);
    return value && parseArguments(value, {path: `${path}.${field}`, field, prompt}, reject);
  };

  const [resume, takeover] = [parseCommandField('resume'), parseCommandField('takeover')];
  const model = modelField && parseWithSchema(modelSchema, modelField, `${path}.model`, reject);
  const patterns = parsePatterns(fields.get('patterns'), `${path}.patterns`, reject);
  return {
    name,
    plan: parseCommandField('plan') ?? [],
    work: parseCommandField('work') ?? [],
    ...(resume !== undefined && {resume}),
    ...(takeover !== undefined && {takeover}),
    prompt: prompt ?? 'file',
    ...(model !== undefined && {model}),
    ...(patterns !== undefined && {patterns}),
  };
}

const promptSchema = z.enum(promptWays, {
  error: ({input}) =>
    expectedGot(`${promptWays.slice(0, -1).join(', ')} or ${promptWays.at(-1) ?? ''}`, input),
});
const modelSchema = wordSchema(modelName);
const patternsShape = Object.fromEntries(
  patternNames.map((name) => [name, logPatternSchema]),
) as Readonly<Record<(typeof patternNames)[number], typeof logPatternSchema>>;

function parsePatterns(
  value: YamlValue | undefined,
  path: string,
  reject: ReportProblem,
): DeclaredAgent['patterns'] {
  if (value === undefined) return undefined;
  if (value.is !== 'mapping') {
    reject(
      value.line,
      `${path}: expected fields of ${patternNames.join(', ')}, got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  return parseEachField(patternsShape, value, path, reject);
}

/** The model of each agent, by the names that the agents themselves use. */
export function parseModels(
  value: YamlValue,
  report: ReportProblem,
): Readonly<Record<string, string>> | undefined {
  const reject = withConsequence('the agent chooses its model', report);
  if (value.is !== 'mapping') {
    reject(
      value.line,
      `models: expected agents with their models, each as "claude: NAME", got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  return Object.fromEntries(
    parseEntries(value, 'models', report).flatMap(({key, line, value: model}) => {
      const path = pathInto('models', key);
      if (!agentName.isMeant(key))
        reject(line, `${path}: expected ${agentName.expectation}. Change it.`);
      const name = agentName.isMeant(key)
        ? parseWithSchema(modelSchema, model, path, reject)
        : undefined;
      return name === undefined ? [] : [[key, name]];
    }),
  );
}

/** A program and its arguments, as a list that no shell parses. */
function parseArguments(
  value: YamlValue,
  context: ArgumentsContext,
  reject: ReportProblem,
): readonly string[] | undefined {
  const {path} = context;
  const argv = parseWithSchema(argumentsSchema, value, path, reject);
  const fault = argv && findArgumentsFault(argv, context);
  if (fault !== undefined) reject(value.line, `${path}: ${fault}`);
  return argv;
}

/**
 * A contradiction between the arguments and the agent's other fields. The sentence continues after
 * the field.
 */
function findArgumentsFault(
  argv: readonly string[],
  {field, prompt}: ArgumentsContext,
): string | undefined {
  const used = new Set(
    argv.flatMap((argument) =>
      [...argument.matchAll(/\{([A-Za-z]+)\}/g)].map(([, name = '']) => name),
    ),
  );
  const has = (name: (typeof agentPlaceholders)[number]): boolean => used.has(name);
  const misspelt = [...used]
    .map((name) => ({
      name,
      meant: agentPlaceholders.find((known) => known === name) ?? nearest(name, agentPlaceholders),
    }))
    .find(({name, meant}) => meant !== undefined && meant !== name);
  if (misspelt !== undefined)
    return `has {${misspelt.name}}, which is not a placeholder. Did you mean {${misspelt.meant ?? ''}}?`;
  if (argv[0] === '' || /\{[A-Za-z]+\}/.test(argv[0] ?? ''))
    return 'expected a program as the first one, got something else. Name it.';
  if (field !== 'resume' && field !== 'takeover' && has('conversation'))
    return 'has {conversation}, but starts a new conversation. It belongs in "resume:" and "takeover:".';
  if (field === 'takeover')
    return has('prompt')
      ? 'has {prompt}, but a person types for themselves. Leave it out.'
      : undefined;
  if (prompt === 'argument' && !has('prompt'))
    return 'has no {prompt}, though the prompt is passed as an argument. Put "{prompt}" where it belongs.';
  if (prompt === 'file' && !has('promptFile'))
    return 'has no {promptFile}, though the prompt is passed as a file. Put "{promptFile}" where it belongs.';
  if (prompt !== undefined && prompt !== 'argument' && has('prompt'))
    return `has {prompt}, though the prompt is passed by "${prompt}". Leave it out, or say "prompt: argument".`;
  return undefined;
}

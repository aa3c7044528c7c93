import type {z} from 'zod';
import {type ParseResult, type Problem, toProblem} from '../shared/index.ts';
import {emptyState, type Limits, type LoopAnswer, type Project} from '../domain/index.ts';
import {parseText, parseYaml, type YamlMapping, type YamlValue} from '../syntax/index.ts';
import {lintHiddenCharacters} from '../rules/index.ts';
import {
  agentName,
  branchPrefix,
  copyTexts,
  environmentTexts,
  expectedAcceptWay,
  signMode,
  type WordExpected,
  workerMode,
} from './allowed-values.ts';
import {parseAgentModes, parseAgents, parseModels} from './parse-agents.ts';
import {parseFallback} from './parse-fallback.ts';
import {parseMapping, parseMappingFields, type ReportProblem, withConsequence} from './fields.ts';
import {parseEachField, parseWithSchema} from './parse-with-schema.ts';
import {booleanSchema, type NumberRange, numberSchema, parseTexts, wordSchema} from './schemas.ts';
import {parseChecks} from './parse-checks.ts';
import {parsePorts, parseSetup, parseShare} from './parse-worktree-fields.ts';
import {parseSandbox} from './parse-sandbox.ts';
import {parseServices} from './parse-services.ts';
import {parseTools} from './parse-tools.ts';
import {getLimits} from './defaults.ts';

export const projectFields = [
  'setup',
  'baseline',
  'limits',
  'services',
  'agents',
  'planner',
  'worker',
  'workers',
  'planners',
  'models',
  'fallback',
  'copy',
  'share',
  'ports',
  'sandbox',
  'environment',
  'branch',
  'accept',
  'sign',
  'tools',
  'checks',
] as const;

/** Fields that are designed, but not supported by this version; using one is reported. */
export const laterFields = ['hooks'] as const;

const minutes: NumberRange = {least: 1, most: 1440};
const tokens: NumberRange = {least: 1000, most: 1_000_000_000};

export const limitRanges = {
  workers: {least: 1, most: 64},
  runs: {least: 1, most: 16},
  attemptMinutes: minutes,
  noProgressMinutes: minutes,
  checkMinutes: minutes,
  pauseSeconds: {least: 1, most: 3600},
  pauseMinutes: {least: 1, most: 10_080},
  attemptTokens: tokens,
  runTokens: tokens,
  contextTokens: {least: 1000, most: 200_000},
  toolResultTokens: {least: 200, most: 100_000},
  sameCalls: {least: 2, most: 1000},
  sameFailures: {least: 2, most: 1000},
  undoneEdits: {least: 2, most: 1000},
  unchangedMinutes: minutes,
} as const satisfies Readonly<Record<NumberName, NumberRange>>;

type NumberName = Exclude<keyof Limits, 'onLoop'>;

const limitNames = Object.keys(limitRanges) as NumberName[];

/** The limits that may be `off`. */
const switches: ReadonlySet<string> = new Set<keyof Limits>([
  'sameCalls',
  'sameFailures',
  'undoneEdits',
  'unchangedMinutes',
]);

const limitsShape = {
  ...(Object.fromEntries(
    limitNames.map((name) => [
      name,
      numberSchema(limitRanges[name], {mayBeOff: switches.has(name)}),
    ]),
  ) as Readonly<Record<NumberName, z.ZodType<number>>>),
  onLoop: wordSchema({
    expectation: '"ask" or "stop"',
    isMeant: (word): word is LoopAnswer => word === 'ask' || word === 'stop',
  }),
};

/**
 * Parses `.orchestra/project.yaml`. Never throws: an invalid field is reported and gets its
 * default, and the rest counts.
 */
export function parseProject(source: string | Uint8Array): ParseResult<Project> {
  const {text, problems: unreadable} = parseText(source);
  if (unreadable.length > 0)
    return {value: emptyState.project, problems: unreadable.map(toProblem)};

  const {value, problems: oddities} = parseYaml(text);
  const problems: Problem[] = [...lintHiddenCharacters(text).map(toProblem), ...oddities];
  const report: ReportProblem = (line, message) => {
    problems.push({line, text: message});
  };

  const project = buildProject(value, report);
  return {value: project, problems: problems.toSorted((a, b) => a.line - b.line)};
}

function buildProject(file: YamlValue, report: ReportProblem): Project {
  const top = optionalMapping(file, 'the file', report);
  if (top === undefined) return emptyState.project;

  const fields = parseMappingFields(top, '', {known: projectFields, later: laterFields}, report);
  const limits = optionalMapping(fields.get('limits'), 'limits', report);
  const services = optionalMapping(fields.get('services'), 'services', report);
  const agents = optionalMapping(fields.get('agents'), 'agents', report);
  const ports = optionalMapping(fields.get('ports'), 'ports', report);
  const tools = optionalMapping(fields.get('tools'), 'tools', report);
  const checks = optionalMapping(fields.get('checks'), 'checks', report);
  const sandbox = fields.get('sandbox');
  const setup = fields.get('setup');
  const optional = <Name extends OptionalField>(
    name: Name,
    parse: (field: YamlValue) => Project[Name],
  ): Pick<Project, Name> | undefined => {
    const field = fields.get(name);
    const value = field && parse(field);
    return value === undefined ? undefined : ({[name]: value} as unknown as Pick<Project, Name>);
  };
  const optionalWord = <Name extends WordField>(
    name: Name,
    expected: WordExpected<Exclude<Project[Name], undefined>>,
    consequence: string,
  ): Pick<Project, Name> | undefined =>
    optional(
      name,
      (field) =>
        parseWithSchema(
          wordSchema(expected),
          field,
          name,
          withConsequence(consequence, report),
        ) as Project[Name],
    );

  return {
    ...(setup === undefined ? {} : parseSetup(setup, report)),
    ...optional('baseline', (field) =>
      parseWithSchema(
        booleanSchema,
        field,
        'baseline',
        withConsequence('checks are run on the base', report),
      ),
    ),
    services: services === undefined ? [] : parseServices(services, report),
    limits: limits === undefined ? emptyState.project.limits : parseLimits(limits, report),
    ...optional('agents', () => agents && parseAgents(agents, report)),
    ...optionalWord('planner', agentName, 'the default agent plans'),
    ...optionalWord('worker', agentName, 'the default agent works'),
    ...optionalWord('workers', workerMode, 'the default mode counts'),
    ...optionalWord('planners', workerMode, 'the default mode counts'),
    ...(agents === undefined ? {} : parseAgentModes(agents, report)),
    ...optional('models', (field) => parseModels(field, report)),
    ...optional('fallback', (field) => parseFallback(field, agents, report)),
    ...optional('copy', (field) => parseTexts(field, 'copy', copyTexts, report)),
    ...optional('share', (field) => parseShare(field, report)),
    ...optional('ports', () => ports && parsePorts(ports, report)),
    ...(sandbox === undefined ? {} : parseSandbox(sandbox, report)),
    ...optional('environment', (field) =>
      parseTexts(field, 'environment', environmentTexts, report),
    ),
    ...optionalWord('branch', branchPrefix, 'it is orchestra'),
    ...optionalWord('accept', expectedAcceptWay, 'it is merge'),
    ...optionalWord('sign', signMode, 'it is never'),
    ...optional('tools', () => tools && parseTools(tools, report)),
    ...optional('checks', () => checks && parseChecks(checks, report)),
  };
}

type OptionalField = Exclude<
  (typeof projectFields)[number],
  'limits' | 'services' | 'sandbox' | 'setup'
>;

type WordField = 'planner' | 'worker' | 'workers' | 'planners' | 'branch' | 'accept' | 'sign';

function optionalMapping(
  value: YamlValue | undefined,
  path: string,
  report: ReportProblem,
): (YamlMapping & YamlValue) | undefined {
  if (value === undefined || value.is === 'nothing') return undefined;
  return parseMapping(value, path, 'Until that is changed, it counts as empty.', report);
}

/** The limits in the file, and the defaults of those that every project has. */
function parseLimits(mapping: YamlMapping, report: ReportProblem): Limits {
  const usual: Readonly<Partial<Record<string, number | string>>> = getLimits(emptyState.project);
  const reportOf = (name: string): ReportProblem =>
    withConsequence(
      usual[name] === undefined ? 'there is no limit' : `it is ${usual[name]}`,
      report,
    );
  return {
    ...emptyState.project.limits,
    ...parseEachField(limitsShape, mapping, 'limits', report, reportOf),
  };
}

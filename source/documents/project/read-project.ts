import type {Problem, Reading} from '../../base/index.ts';
import {type Project, emptyState} from '../../domain/index.ts';
import {readText} from '../read-text.ts';
import {findHidden} from '../rules/find-hidden.ts';
import {copyTexts, environmentTexts} from './project-texts.ts';
import {acceptWay, agentName, branchPrefix, signWish} from './project-words.ts';
import {readAgents} from './read-agents.ts';
import {type Report, readFields, until} from './read-fields.ts';
import {readLimits} from './read-limits.ts';
import {readModels} from './read-models.ts';
import {readPorts} from './read-ports.ts';
import {readSandboxField} from './read-sandbox-field.ts';
import {readServices} from './read-services.ts';
import {readShare} from './read-share.ts';
import {readTexts} from './read-texts.ts';
import {readTools} from './read-tools.ts';
import {readSetupField, readTruth} from './read-setup-field.ts';
import {readWord} from './read-values.ts';
import {readYaml} from './read-yaml.ts';
import {type YamlMapping, type YamlValue, describeYaml} from './yaml-value.ts';

export const projectFields = [
  'setup',
  'baseline',
  'limits',
  'services',
  'agents',
  'planner',
  'worker',
  'models',
  'copy',
  'share',
  'ports',
  'sandbox',
  'environment',
  'branch',
  'accept',
  'sign',
  'tools',
] as const;

/** Fields of the design that this version does not read; a person who writes one is told. */
export const laterFields = ['hooks'] as const;

/** Reads `.orchestra/project.yaml`. Never fails: what cannot be read is a problem with its line, has its default or is left out, and the rest counts. */
export function readProject(source: string | Uint8Array): Reading<Project> {
  const {text, problems: unreadable} = readText(source);
  if (unreadable.length > 0) return {value: emptyState.project, problems: unreadable.map(plain)};

  const {value, problems: oddities} = readYaml(text);
  const problems: Problem[] = [...findHidden(text).map(plain), ...oddities];
  const report: Report = (line, words) => {
    problems.push({line, text: words});
  };

  const project = projectOf(value, report);
  return {value: project, problems: problems.toSorted((a, b) => a.line - b.line)};
}

function plain({line, text}: Problem): Problem {
  return {line, text};
}

function projectOf(file: YamlValue, report: Report): Project {
  const top = mappingOf(file, 'the file', report);
  if (top === undefined) return emptyState.project;

  const fields = readFields(top, '', {known: projectFields, later: laterFields}, report);
  const limits = mappingOf(fields.get('limits'), 'limits', report);
  const services = mappingOf(fields.get('services'), 'services', report);
  const agents = mappingOf(fields.get('agents'), 'agents', report);
  const ports = mappingOf(fields.get('ports'), 'ports', report);
  const tools = mappingOf(fields.get('tools'), 'tools', report);
  const sandbox = fields.get('sandbox');
  const setup = fields.get('setup');
  const optional = <Name extends OptionalField>(
    name: Name,
    read: (field: YamlValue) => Project[Name],
  ): Pick<Project, Name> | undefined => {
    const field = fields.get(name);
    const value = field && read(field);
    return value === undefined ? undefined : ({[name]: value} as unknown as Pick<Project, Name>);
  };

  return {
    ...(setup === undefined ? {} : readSetupField(setup, report)),
    ...optional('baseline', (field) =>
      readTruth(field, 'baseline', until('checks are run on the base', report)),
    ),
    services: services === undefined ? [] : readServices(services, report),
    limits: limits === undefined ? emptyState.project.limits : readLimits(limits, report),
    ...optional('agents', () => agents && readAgents(agents, report)),
    ...optional('planner', (field) =>
      readWord(field, 'planner', agentName, until('the usual agent plans', report)),
    ),
    ...optional('worker', (field) =>
      readWord(field, 'worker', agentName, until('the usual agent works', report)),
    ),
    ...optional('models', (field) => readModels(field, report)),
    ...optional('copy', (field) => readTexts(field, 'copy', copyTexts, report)),
    ...optional('share', (field) => readShare(field, report)),
    ...optional('ports', () => ports && readPorts(ports, report)),
    ...(sandbox === undefined ? {} : readSandboxField(sandbox, report)),
    ...optional('environment', (field) =>
      readTexts(field, 'environment', environmentTexts, report),
    ),
    ...optional('branch', (field) =>
      readWord(field, 'branch', branchPrefix, until('it is orchestra', report)),
    ),
    ...optional('accept', (field) =>
      readWord(field, 'accept', acceptWay, until('it is merge', report)),
    ),
    ...optional('sign', (field) => readWord(field, 'sign', signWish, until('it is never', report))),
    ...optional('tools', () => tools && readTools(tools, report)),
  };
}

type OptionalField = Exclude<
  (typeof projectFields)[number],
  'limits' | 'services' | 'sandbox' | 'setup'
>;

function mappingOf(
  value: YamlValue | undefined,
  path: string,
  report: Report,
): (YamlMapping & YamlValue) | undefined {
  if (value === undefined || value.is === 'mapping') return value;
  if (value.is !== 'nothing')
    report(
      value.line,
      `${path}: expected fields, each as "name: value", got ${describeYaml(value)}. Until that is changed, it counts as empty.`,
    );
  return undefined;
}

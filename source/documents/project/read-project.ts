import type {Problem, Reading} from '../../base/index.ts';
import {type Limits, type Project, emptyState} from '../../domain/index.ts';
import {readText} from '../read-text.ts';
import {findHidden} from '../rules/find-hidden.ts';
import {type Report, readFields} from './read-fields.ts';
import {readServices} from './read-services.ts';
import {readCommand, readNumber} from './read-values.ts';
import {readYaml} from './read-yaml.ts';
import {type YamlMapping, type YamlValue, describeYaml} from './yaml-value.ts';

export const projectFields = ['setup', 'limits', 'services'] as const;

/** Fields of the design that this version does not read; a person who writes one is told. */
export const laterFields = ['agents', 'copy', 'ports', 'sandbox', 'mcp', 'hooks'] as const;

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
  const setupField = fields.get('setup');
  const setup = setupField && readCommand(setupField, 'setup', until('nothing is set up', report));
  const limits = mappingOf(fields.get('limits'), 'limits', report);
  const services = mappingOf(fields.get('services'), 'services', report);
  return {
    ...(setup !== undefined && {setup}),
    services: services === undefined ? [] : readServices(services, report),
    limits: limits === undefined ? emptyState.project.limits : readLimits(limits, report),
  };
}

function mappingOf(value: YamlValue | undefined, path: string, report: Report): (YamlMapping & YamlValue) | undefined {
  if (value === undefined || value.is === 'mapping') return value;
  if (value.is !== 'nothing') report(value.line, `${path}: expected fields, each as "name: value", got ${describeYaml(value)}. Until that is changed, it counts as empty.`);
  return undefined;
}

const limitRanges = {workers: {least: 1, most: 64}, runs: {least: 1, most: 16}} as const satisfies Readonly<Record<keyof Limits, unknown>>;

function readLimits(mapping: YamlMapping, report: Report): Limits {
  const fields = readFields(mapping, 'limits', {known: ['workers', 'runs']}, report);
  const limitOf = (name: keyof Limits): number => {
    const usual = emptyState.project.limits[name];
    const field = fields.get(name);
    return (field && readNumber(field, `limits.${name}`, limitRanges[name], until(`it is ${usual}`, report))) ?? usual;
  };

  return {workers: limitOf('workers'), runs: limitOf('runs')};
}

function until(consequence: string, report: Report): Report {
  return (line, text) => {
    report(line, `${text} Until then ${consequence}.`);
  };
}

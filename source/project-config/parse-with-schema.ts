import type {z} from 'zod';
import {excerpt} from '../shared/index.ts';
import {describeYaml, type YamlMapping, type YamlValue} from '../syntax/index.ts';
import {parseEntries, parseMappingFields, pathInto, type ReportProblem} from './fields.ts';

/**
 * Parses a YAML value with a schema. What is wrong is reported at its own line, once for each value;
 * then there is no result. A schema's messages continue after the path of the value: "limits.runs:
 * …".
 */
export function parseWithSchema<Output>(
  schema: z.ZodType<Output>,
  value: YamlValue,
  path: string,
  report: ReportProblem,
): Output | undefined {
  const parsed = schema.safeParse(toPlain(value, path, report));
  if (parsed.success) return parsed.data;
  reportIssues(parsed.error, path, report, (steps) => findValue(value, steps));
  return undefined;
}

/**
 * Parses a mapping with the schema of an object. Unknown fields are reported and ignored; a missing
 * one is reported with the line of the mapping.
 */
export function parseObjectWithSchema<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  value: YamlValue,
  path: string,
  report: ReportProblem,
): z.output<z.ZodObject<Shape>> | undefined {
  const known = Object.keys(schema.shape);
  if (value.is !== 'mapping') {
    report(
      value.line,
      `${path}: expected the fields ${known.join(', ')}, got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields = parseMappingFields(value, path, {known}, report);
  const parsed = schema.safeParse(
    Object.fromEntries(
      [...fields].map(([name, field]) => [name, toPlain(field, pathInto(path, name), report)]),
    ),
  );
  if (parsed.success) return parsed.data;
  reportIssues(parsed.error, path, report, ([name, ...steps]) => {
    const field = fields.get(String(name));
    if (name === undefined) return {line: value.line, isMissing: false};
    return field === undefined ? {line: value.line, isMissing: true} : findValue(field, steps);
  });
  return undefined;
}

/** Parses the fields of a mapping one by one: an invalid one is left out, and the others count. */
export function parseEachField<Shape extends z.ZodRawShape>(
  shape: Shape,
  mapping: YamlMapping,
  path: string,
  report: ReportProblem,
  reportOf: (name: string) => ReportProblem = () => report,
): Partial<z.output<z.ZodObject<Shape>>> {
  const fields = parseMappingFields(mapping, path, {known: Object.keys(shape)}, report);
  const parsed = Object.entries(shape).flatMap(([name, schema]) => {
    const field = fields.get(name);
    const value =
      field && parseWithSchema(schema as z.ZodType, field, pathInto(path, name), reportOf(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(parsed) as Partial<z.output<z.ZodObject<Shape>>>;
}

/** The message of a value that is not what was expected. */
export function expectedGot(expectation: string, input: unknown, advice = 'Change it.'): string {
  return `expected ${expectation}, got ${describeInput(input)}. ${advice}`;
}

/** An input of a schema for the "got …" part of a message. */
export function describeInput(input: unknown): string {
  if (input === undefined || input === null) return 'nothing';
  if (typeof input === 'string') return `"${excerpt(input)}"`;
  if (typeof input === 'symbol') return input.description ?? '';
  if (typeof input === 'number' || typeof input === 'boolean') return String(input);
  return Array.isArray(input) ? 'a list' : 'a mapping';
}

/**
 * The value as schemas take it. What JSON does not have, such as an alias, becomes a symbol, which
 * no schema accepts. Repeated and merge keys are reported.
 */
function toPlain(value: YamlValue, path: string, report: ReportProblem): unknown {
  switch (value.is) {
    case 'nothing':
      return null;
    case 'text':
      return value.text;
    case 'number':
      return value.number;
    case 'list':
      return value.items.map((item, index) => toPlain(item, `${path}[${index}]`, report));
    case 'mapping':
      return Object.fromEntries(
        parseEntries(value, path, report).map(({key, value: member}) => [
          key,
          toPlain(member, pathInto(path, key), report),
        ]),
      );
    case 'other':
      return value.what === 'true' || value.what === 'false'
        ? value.what === 'true'
        : Symbol(value.what);
  }
}

/** Where a value is, or would be. */
type Place = {readonly line: number; readonly isMissing: boolean};

function reportIssues(
  {issues}: z.ZodError,
  path: string,
  report: ReportProblem,
  find: (steps: readonly PropertyKey[]) => Place,
): void {
  const reported = new Set<string>();
  for (const issue of issues) {
    const place = issue.path.reduce<string>(stepInto, path);
    if (reported.has(place)) continue;
    reported.add(place);
    const {line, isMissing} = find(issue.path);
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys)
        report(line, `${pathInto(place, key)}: is not a field here. Leave it out.`);
    else report(line, `${place}: ${isMissing ? 'is missing. Add it.' : issue.message}`);
  }
}

function stepInto(path: string, step: PropertyKey): string {
  return typeof step === 'number' ? `${path}[${step}]` : pathInto(path, String(step));
}

/** Where the steps end; of a value that is missing, the line of the one around it. */
function findValue(value: YamlValue, [step, ...rest]: readonly PropertyKey[]): Place {
  if (step === undefined) return {line: value.line, isMissing: false};
  const next = findMember(value, step);
  return next === undefined ? {line: value.line, isMissing: true} : findValue(next, rest);
}

function findMember(value: YamlValue, step: PropertyKey): YamlValue | undefined {
  if (value.is === 'list') return value.items[Number(step)];
  return value.is === 'mapping' ? value.entries.find(({key}) => key === step)?.value : undefined;
}

import {hasHiddenCharacters} from '../shared/index.ts';
import {type FieldNames, parseFields, type Report} from '../project-config/index.ts';
import {describeYaml, type YamlValue} from '../syntax/index.ts';
import type {RejectedAlternative} from '../domain/index.ts';
import type {PlaybookReport} from './playbook.ts';

export type Ask = {readonly question: string; readonly options: readonly string[]};

/** A question, or a question with the accepted answers. */
export function parseAsk(value: YamlValue, path: string, report: Report): Ask | undefined {
  if (value.is !== 'mapping') {
    const question = parseLine(value, path, report);
    return question === undefined ? undefined : {question, options: []};
  }

  const fields = parseShape(value, path, {required: ['question'], optional: ['options']}, report);
  const [questionField, optionsField] = [fields?.get('question'), fields?.get('options')];
  const question = questionField && parseLine(questionField, `${path}.question`, report);
  const options =
    optionsField === undefined ? [] : parseOptions(optionsField, `${path}.options`, report);
  return question === undefined || options === undefined ? undefined : {question, options};
}

const maxOptions = 20;

function parseOptions(value: YamlValue, path: string, report: Report): string[] | undefined {
  if (value.is !== 'list' || value.items.length < 2 || value.items.length > maxOptions) {
    report(
      value.line,
      `${path}: expected a list of 2 to ${maxOptions} answers, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const options = value.items.flatMap(
    (item, index) => parseLine(item, `${path}[${index}]`, report) ?? [],
  );
  if (new Set(options).size < options.length)
    report(value.line, `${path}: expected answers that differ, got one twice. Leave one out.`);
  return options.length === value.items.length && new Set(options).size === options.length
    ? options
    : undefined;
}

function parseLine(value: YamlValue, path: string, report: Report): string | undefined {
  const text = parseNonEmptyText(value, path, report)?.trim();
  if (text === undefined) return undefined;
  if (text !== '' && !/[\n\t]/.test(text) && !hasHiddenCharacters(text)) return text;
  report(
    value.line,
    `${path}: expected one line without control or hidden characters, got another text. Change it.`,
  );
  return undefined;
}

const units = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
]);
const maxMilliseconds = 60 * 60_000;

/** `300ms`, `2s`, `1m`, as milliseconds. */
export function parseDuration(value: YamlValue, path: string, report: Report): number | undefined {
  const {amount, unit = ''} =
    (value.is === 'text'
      ? /^(?<amount>\d{1,7})(?<unit>ms|s|m)$/.exec(value.text)?.groups
      : undefined) ?? {};
  const milliseconds = Number(amount) * (units.get(unit) ?? Number.NaN);
  if (milliseconds >= 1 && milliseconds <= maxMilliseconds) return milliseconds;
  report(
    value.line,
    `${path}: expected a time like 300ms, 2s or 1m, from 1ms to 60m, got ${describeYaml(value)}. Change it.`,
  );
  return undefined;
}

/** The agent's part of the task's summary. */
export function parseReport(
  value: YamlValue,
  path: string,
  report: Report,
): PlaybookReport | undefined {
  const fields = parseShape(
    value,
    path,
    {required: [], optional: ['rootCause', 'decisions', 'rejected']},
    report,
  );
  if (fields === undefined) return undefined;
  const [cause, decided, other] = [
    fields.get('rootCause'),
    fields.get('decisions'),
    fields.get('rejected'),
  ];
  const rootCause = cause && parseNonEmptyText(cause, `${path}.rootCause`, report);
  const decisions =
    decided && parseMembers(decided, `${path}.decisions`, parseNonEmptyText, report);
  const rejected = other && parseMembers(other, `${path}.rejected`, parseRejected, report);
  return {
    ...(rootCause !== undefined && {rootCause}),
    ...(decisions !== undefined && {decisions}),
    ...(rejected !== undefined && {rejected}),
  };
}

const maxMembers = 50;

function parseMembers<Member>(
  value: YamlValue,
  path: string,
  parse: (value: YamlValue, path: string, report: Report) => Member | undefined,
  report: Report,
): Member[] | undefined {
  if (value.is === 'list' && value.items.length <= maxMembers)
    return value.items.flatMap((item, index) => parse(item, `${path}[${index}]`, report) ?? []);
  report(
    value.line,
    `${path}: expected a list of at most ${maxMembers}, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
  );
  return undefined;
}

function parseRejected(
  value: YamlValue,
  path: string,
  report: Report,
): RejectedAlternative | undefined {
  const fields = parseShape(value, path, {required: ['alternative', 'reason']}, report);
  const alternative = parseNonEmptyText(fields?.get('alternative'), `${path}.alternative`, report);
  const reason = parseNonEmptyText(fields?.get('reason'), `${path}.reason`, report);
  return alternative === undefined || reason === undefined ? undefined : {alternative, reason};
}

export type Shape<Required extends string, Optional extends string> = {
  readonly required: readonly Required[];
  readonly optional?: readonly Optional[];
};

/**
 * The fields of a mapping. A missing required field is reported here, with the line of the mapping.
 */
export function parseShape<Required extends string, Optional extends string = never>(
  value: YamlValue,
  path: string,
  {required, optional = []}: Shape<Required, Optional>,
  report: Report,
): ReadonlyMap<Required | Optional, YamlValue> | undefined {
  const known: FieldNames<Required | Optional>['known'] = [...required, ...optional];
  if (value.is !== 'mapping') {
    report(
      value.line,
      `${path}: expected the fields ${known.join(', ')}, got ${describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const fields = parseFields(value, path, {known}, report);
  for (const name of required)
    if (!fields.has(name)) report(value.line, `${path}.${name}: is missing. Add it.`);
  return fields;
}

/** A text that is not empty. A missing field was already reported by parseShape. */
export function parseNonEmptyText(
  value: YamlValue | undefined,
  path: string,
  report: Report,
): string | undefined {
  if (value === undefined) return undefined;
  if (value.is === 'text' && value.text !== '') return value.text;
  const advice = value.is === 'number' || value.is === 'other' ? 'Put it in quotes.' : 'Write it.';
  report(value.line, `${path}: expected a text, got ${describeYaml(value)}. ${advice}`);
  return undefined;
}

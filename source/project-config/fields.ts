import {findVagueness} from '../rules/index.ts';
import {
  compilePattern,
  excerpt,
  hasHiddenCharacters,
  nearest,
  type Problem,
  sanitizeText,
} from '../shared/index.ts';
import {describeYaml, type YamlEntry, type YamlMapping, type YamlValue} from '../syntax/index.ts';

const maxCommandLength = 1000;

/** Why a command cannot be run: a sentence that continues after it. */
export function findCommandFault(command: string): string | undefined {
  if (command.length > maxCommandLength)
    return `is longer than ${maxCommandLength} characters: put it in a script, and name that.`;
  if (/[\n\t]/.test(command) || hasHiddenCharacters(command))
    return 'has line breaks, tabs, control or hidden characters: write it on one line, without them.';
  return findVagueness(command);
}

export type LogPatternParseResult = {readonly pattern: string} | {readonly rejected: string};

/**
 * A regular expression without slashes and flags, for single lines of a log. A rejection is a
 * sentence that continues after the pattern.
 */
export function parseLogPattern(pattern: string): LogPatternParseResult {
  if (pattern.length > maxPatternLength)
    return {
      rejected: `is longer than ${maxPatternLength} characters: use a short part of the line.`,
    };
  if (/[\n\t]/.test(pattern) || hasHiddenCharacters(pattern))
    return {
      rejected: String.raw`has line breaks, tabs, control or hidden characters: write them as \t or \x1b, in single quotes.`,
    };
  if (/^\/.+\/[a-z]*$/.test(pattern))
    return {
      rejected: 'is between slashes: write it without them, or [/] for a slash that is meant.',
    };

  const compiled = compilePattern(pattern);
  if ('rejected' in compiled) return {rejected: compiled.rejected};
  return compiled.expression.test('')
    ? {rejected: 'also matches an empty line, so it proves nothing: make it match something.'}
    : {pattern};
}

const maxPatternLength = 500;

/**
 * Problems for a person, one to a line, as `file:line: text`, which editors and terminals can jump
 * to.
 */
export function formatProjectProblems(file: string, problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, maxProblemLines)
    .map(({line, text}) => onOneLine(`${file}:${line}: ${text}`));
  const left = problems.length - shown.length;
  return [...shown, ...(left > 0 ? [onOneLine(`${file}: and ${left} more`)] : [])].join('\n');
}

const maxProblemLines = 40;

function onOneLine(text: string): string {
  return sanitizeText(text.replaceAll(/[\n\t]+/g, ' '));
}

/** Receives a problem and its line. */
export type ReportProblem = (line: number, text: string) => void;

export type FieldNames<Name extends string> = {
  readonly known: readonly Name[];
  /** Fields that are designed, but not supported by this version. */
  readonly later?: readonly string[];
};

/**
 * The known fields of a mapping; an empty one counts as missing. Unknown fields are reported and
 * ignored.
 */
export function parseMappingFields<Name extends string>(
  mapping: YamlMapping,
  path: string,
  {known, later = []}: FieldNames<Name>,
  report: ReportProblem,
): ReadonlyMap<Name, YamlValue> {
  const fields = new Map<Name, YamlValue>();
  for (const {key, line, value} of parseEntries(mapping, path, report)) {
    const name = known.find((candidate) => candidate === key);
    if (name !== undefined) {
      if (value.is !== 'nothing') fields.set(name, value);
    } else if (later.includes(key)) {
      report(
        line,
        `${pathInto(path, key)}: is not supported by this version, so it does nothing. Leave it out.`,
      );
    } else {
      report(
        line,
        `${pathInto(path, key)}: is not a field here, so it is ignored. ${hintFor(key, known)}`,
      );
    }
  }

  return fields;
}

/**
 * The entries of a mapping. Of two with the same key the first counts, and merge keys are ignored;
 * both are reported.
 */
export function parseEntries(
  {entries}: YamlMapping,
  path: string,
  report: ReportProblem,
): YamlEntry[] {
  const seen = new Set<string>();
  return entries.filter(({key, line}) => {
    if (key === '<<') {
      report(
        line,
        `${pathInto(path, key)}: does not merge anything here, so it is ignored. Write the fields themselves.`,
      );
      return false;
    }

    if (seen.has(key)) {
      report(
        line,
        `${pathInto(path, key)}: occurs a second time; the first one counts. Leave one out.`,
      );
      return false;
    }

    seen.add(key);
    return true;
  });
}

/** Reports a value that is not a mapping. `advice` ends the message. */
export function parseMapping(
  value: YamlValue,
  path: string,
  advice: string,
  report: ReportProblem,
): (YamlMapping & YamlValue) | undefined {
  if (value.is === 'mapping') return value;
  report(
    value.line,
    `${path}: expected fields, each as "name: value", got ${describeYaml(value)}. ${advice}`,
  );
  return undefined;
}

/** `services.web.port` */
export function pathInto(path: string, key: string): string {
  const name = key === '' ? '""' : excerpt(key, 40);
  return path === '' ? name : `${path}.${name}`;
}

/** Adds to each problem what happens until it is fixed. */
export function withConsequence(consequence: string, report: ReportProblem): ReportProblem {
  return (line, text) => {
    report(line, `${text} Until then ${consequence}.`);
  };
}

function hintFor(key: string, known: readonly string[]): string {
  const meant = nearest(key.toLowerCase(), known);
  return meant === undefined
    ? `The fields here are: ${known.join(', ')}.`
    : `Did you mean "${meant}"?`;
}

export type TextParseResult = {readonly text: string} | {readonly rejected: string};

export type TextsExpected = {
  /** `a glob`, for messages. */
  readonly what: string;
  readonly max: number;
  /** A rejection is a sentence that continues after the text. */
  readonly parse: (text: string) => TextParseResult;
};

/** Texts, or a single one: the items of a list that counts as far as it is valid. */
export function parseItems(
  value: YamlValue,
  path: string,
  {example, max}: {readonly example: string; readonly max: number},
  report: ReportProblem,
): {readonly item: YamlValue; readonly path: string}[] | undefined {
  if (value.is !== 'list' && value.is !== 'text') {
    report(
      value.line,
      `${path}: expected a list like ${example}, got ${describeYaml(value)}. Change it. Until then it counts as empty.`,
    );
    return undefined;
  }

  const items = value.is === 'list' ? value.items : [value];
  if (items.length > max)
    report(
      value.line,
      `${path}: expected at most ${max}, got ${items.length}. Leave some out. Until then the first ${max} count.`,
    );
  return items
    .slice(0, max)
    .map((item, index) => ({item, path: value.is === 'list' ? `${path}[${index}]` : path}));
}

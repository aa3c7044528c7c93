import {
  LineCounter,
  type ParsedNode,
  type YAMLError,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
} from 'yaml';
import {excerpt, type ParseResult, type Problem} from '../shared/index.ts';

/**
 * Parses one YAML document. After a syntax error the value is `nothing`, because what a parser
 * makes of the rest is a guess. Aliases are never followed, so that no file can grow while it is
 * parsed.
 */
export function parseYaml(text: string, levels = maxLevels): YamlParseResult {
  const lines = new LineCounter();
  const {contents, errors, warnings} = parseDocument(text, {...yamlOptions, lineCounter: lines});
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const toProblem = (error: YAMLError, message: string): Problem => ({
    line: lineAt(error.pos[0]),
    text: message,
  });

  // Errors after the first mostly follow from it.
  const [error] = errors;
  if (error !== undefined)
    return {
      value: {is: 'nothing', line: 1},
      isRejected: true,
      problems: [toProblem(error, `${adviceOn(error)} Nothing of the file was read.`)],
    };
  return {
    value: toYamlValue(contents, 1, lineAt, levels),
    isRejected: false,
    problems: warnings
      .filter(({code}) => code !== 'TAG_RESOLVE_FAILED')
      .map((warning) =>
        toProblem(
          warning,
          `Expected plain YAML, got something without a meaning here: ${toSentence(warning)} Remove it.`,
        ),
      ),
  };
}

export type YamlParseResult = ParseResult<YamlValue> & {
  /** The text is not YAML. */
  readonly isRejected: boolean;
};

/** How every YAML file is parsed. */
export const yamlOptions = {
  // `%YAML 1.1` in the file would otherwise enable merge keys, octal numbers and `yes` for true.
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  // The library's check is quadratic in the number of keys; the parsers of mappings find duplicates
  // themselves.
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/**
 * The file, `sandbox`, its `network`, a kind of session, its hosts. Deeper values become `other`.
 */
const maxLevels = 5;

const textTag = 'tag:yaml.org,2002:str';

function toYamlValue(
  node: ParsedNode | null,
  around: number,
  lineAt: (offset: number) => number,
  levels: number,
): YamlValue {
  if (node === null) return {is: 'nothing', line: around};
  const line = lineAt(node.range[0]);
  if (isAlias(node))
    return {
      is: 'other',
      what: `the alias *${excerpt(node.source, 40)} (aliases are not followed)`,
      line,
    };
  if (node.tag !== undefined && node.tag !== textTag)
    return {
      is: 'other',
      what: `a value with the tag ${excerpt(node.tag, 40)} (tags mean nothing here)`,
      line,
    };
  if (isScalar(node))
    return node.value === null ? {is: 'nothing', line: around} : toScalarValue(node.value, line);
  if (levels === 0) return {is: 'other', what: isMap(node) ? 'a mapping' : 'a list', line};
  if (isSeq(node))
    return {
      is: 'list',
      items: node.items.map((item) => toYamlValue(item, line, lineAt, levels - 1)),
      line,
    };

  const entries = node.items.map(({key, value}): YamlEntry => {
    const keyLine = lineAt(key.range[0]);
    return {
      key: isScalar(key) ? String(key.value) : '',
      line: keyLine,
      value: toYamlValue(value, keyLine, lineAt, levels - 1),
    };
  });
  return {is: 'mapping', entries, line};
}

function toScalarValue(value: unknown, line: number): YamlValue {
  if (typeof value === 'string') return {is: 'text', text: value, line};
  return typeof value === 'number'
    ? {is: 'number', number: value, line}
    : {is: 'other', what: String(value), line};
}

function adviceOn(error: YAMLError): string {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return 'Expected spaces at the beginning of the line, got a tab. Indent with spaces.';
    case 'MULTIPLE_DOCS':
      return 'Expected one YAML document, got the start of another. Remove the "---".';
    case 'BAD_DQ_ESCAPE':
      return (
        'Expected an escape that YAML knows after "\\", got another. Put the text in ' +
        'single quotes, where "\\" is just itself.'
      );
    case 'NON_STRING_KEY':
      return 'Expected a name before ":", got something else. Write a plain word.';
    case 'RESOURCE_EXHAUSTION':
      return 'Expected a few levels of nesting, got too many to read. Close the brackets.';
    default:
      return (
        `Expected YAML, got something else: ${toSentence(error)} Check the indentation and ` +
        'the quotes; a text with special characters goes in single quotes.'
      );
  }
}

function toSentence({message}: YAMLError): string {
  return `${excerpt(message, 120).replace(/[.\s]+$/, '')}.`;
}

/** A value of a YAML file as plain data, with its line. */
export type YamlValue = {readonly line: number} & (
  | {readonly is: 'nothing'}
  | {readonly is: 'text'; readonly text: string}
  | {readonly is: 'number'; readonly number: number}
  | YamlMapping
  | YamlList
  /**
   * A value that few fields accept: a boolean, an alias, a tagged value, or a mapping or list that
   * is nested too deep.
   */
  | {readonly is: 'other'; readonly what: string}
);

export type YamlMapping = {readonly is: 'mapping'; readonly entries: readonly YamlEntry[]};

export type YamlList = {readonly is: 'list'; readonly items: readonly YamlValue[]};

export type YamlEntry = {readonly key: string; readonly line: number; readonly value: YamlValue};

/** The value for the "got …" part of a message. */
export function describeYaml(value: YamlValue): string {
  switch (value.is) {
    case 'nothing':
      return 'nothing';
    case 'text':
      return `"${excerpt(value.text)}"`;
    case 'number':
      return String(value.number);
    case 'mapping':
      return 'a mapping';
    case 'list':
      return 'a list';
    case 'other':
      return value.what;
  }
}

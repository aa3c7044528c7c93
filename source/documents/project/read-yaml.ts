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
import type {Problem, Reading} from '../../base/index.ts';
import {excerpt} from '../excerpt.ts';
import type {YamlEntry, YamlValue} from './yaml-value.ts';

/**
 * Reads one YAML document. A text that is not YAML reads as nothing: what a parser makes of the rest is a guess.
 * Aliases are never followed, so that no file can grow while it is read.
 */
export function readYaml(text: string, levels = mostLevels): Reading<YamlValue> {
  const lines = new LineCounter();
  const {contents, errors, warnings} = parseDocument(text, {...options, lineCounter: lines});
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const place = (error: YAMLError, words: string): Problem => ({
    line: lineAt(error.pos[0]),
    text: words,
  });

  // The errors after the first are mostly its echo.
  const [error] = errors;
  if (error !== undefined)
    return {
      value: {is: 'nothing', line: 1},
      problems: [place(error, `${adviceOn(error)} Nothing of the file was read.`)],
    };
  return {
    value: valueOf(contents, 1, lineAt, levels),
    problems: warnings
      .filter(({code}) => code !== 'TAG_RESOLVE_FAILED')
      .map((warning) =>
        place(
          warning,
          `Expected plain YAML, got something that means nothing here: ${sentenceOf(warning)} Take it away.`,
        ),
      ),
  };
}

const options = {
  // `%YAML 1.1` in the file would otherwise bring back merge keys, octal numbers and yes for true.
  schema: 'core',
  resolveKnownTags: false,
  stringKeys: true,
  // Quadratic in the number of keys; whoever looks at a mapping finds what stands there twice.
  uniqueKeys: false,
  prettyErrors: false,
} as const;

/** The file, `sandbox`, its `network`, a kind of session, its hosts. What is deeper is not looked at. */
const mostLevels = 5;

const textTag = 'tag:yaml.org,2002:str';

function valueOf(
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
    return node.value === null ? {is: 'nothing', line: around} : scalarOf(node.value, line);
  if (levels === 0) return {is: 'other', what: isMap(node) ? 'a mapping' : 'a list', line};
  if (isSeq(node))
    return {
      is: 'list',
      items: node.items.map((item) => valueOf(item, line, lineAt, levels - 1)),
      line,
    };

  const entries = node.items.map(({key, value}): YamlEntry => {
    const keyLine = lineAt(key.range[0]);
    return {
      key: isScalar(key) ? String(key.value) : '',
      line: keyLine,
      value: valueOf(value, keyLine, lineAt, levels - 1),
    };
  });
  return {is: 'mapping', entries, line};
}

function scalarOf(value: unknown, line: number): YamlValue {
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
      return 'Expected one YAML document, got the beginning of another. Take the "---" away.';
    case 'BAD_DQ_ESCAPE':
      return 'Expected an escape that YAML knows after "\\", got another. Put the text in single quotes, where "\\" is just itself.';
    case 'NON_STRING_KEY':
      return 'Expected a name before ":", got something else. Write a plain word.';
    case 'RESOURCE_EXHAUSTION':
      return 'Expected a few levels of nesting, got too many to read. Close the brackets.';
    default:
      return `Expected YAML, got something else: ${sentenceOf(error)} Check the indentation and the quotes; a text with special characters goes in single quotes.`;
  }
}

function sentenceOf({message}: YAMLError): string {
  return `${excerpt(message, 120).replace(/[.\s]+$/, '')}.`;
}

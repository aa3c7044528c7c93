import {LineCounter, type ParsedNode, isAlias, isMap, isScalar, isSeq, parseDocument} from 'yaml';
import type {Problem} from '../../base/index.ts';
import {excerpt} from '../excerpt.ts';
import {readYaml} from '../project/read-yaml.ts';

/** A YAML document written down as JSON, and for each line of that JSON the line of the YAML it comes from. */
export type YamlAsJson = {
  readonly json: string;
  readonly lines: readonly number[];
  /** What YAML can say and JSON cannot, or what is no YAML. The JSON is not to be trusted then. */
  readonly problems: readonly Problem[];
};

/**
 * Turns YAML into JSON with one value to a line, so that the reader of JSON plans can judge a plan that a person wrote
 * in YAML, and say where. Keys that stand twice or are forbidden stay in it, for that reader to find.
 */
export function yamlAsJson(text: string): YamlAsJson {
  const counter = new LineCounter();
  const {contents, errors} = parseDocument(text, {
    schema: 'core',
    resolveKnownTags: false,
    stringKeys: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: counter,
  });
  if (errors.length > 0)
    return {json: '', lines: [], problems: readYaml(text).problems.slice(0, 1)};

  const writer: Writer = {
    pieces: [],
    lines: [],
    problems: [],
    lineAt: (offset) => counter.linePos(offset).line,
  };
  write(writer, contents, 1, mostLevels);
  return {json: writer.pieces.join('\n'), lines: writer.lines, problems: writer.problems};
}

const mostLevels = 16;

type Writer = {
  readonly pieces: string[];
  readonly lines: number[];
  readonly problems: Problem[];
  readonly lineAt: (offset: number) => number;
};

function write(writer: Writer, node: ParsedNode | null, around: number, levels: number): void {
  const line = node === null ? around : writer.lineAt(node.range[0]);
  const put = (piece: string, at = line): void => {
    writer.pieces.push(piece);
    writer.lines.push(at);
  };
  const refuse = (what: string): void => {
    writer.problems.push({
      line,
      text: `Expected a plain value, got ${what}. Write the value itself.`,
    });
    put('null');
  };

  if (node === null) put('null', around);
  else if (isAlias(node))
    refuse(`the alias *${excerpt(node.source, 40)}, and aliases are not followed`);
  else if (node.tag !== undefined && node.tag !== textTag)
    refuse(`a value with the tag ${excerpt(node.tag, 40)}, and tags mean nothing here`);
  else if (isScalar(node)) put(jsonOf(node.value), node.value === null ? around : line);
  else if (levels === 0) refuse('something nested deeper than any plan');
  else if (isSeq(node)) {
    put('[');
    node.items.forEach((item, index) => {
      if (index > 0) put(',', writer.lines.at(-1));
      write(writer, item, line, levels - 1);
    });
    put(']', writer.lines.at(-1));
  } else if (isMap(node)) {
    put('{');
    node.items.forEach(({key, value}, index) => {
      if (index > 0) put(',', writer.lines.at(-1));
      const keyLine = writer.lineAt(key.range[0]);
      put(`${JSON.stringify(isScalar(key) ? String(key.value) : '')}:`, keyLine);
      write(writer, value, keyLine, levels - 1);
    });
    put('}', writer.lines.at(-1));
  }
}

const textTag = 'tag:yaml.org,2002:str';

/** `.inf` and `.nan` are no JSON; the schema refuses any number anyway. */
function jsonOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null)
    return JSON.stringify(value);
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : '0';
}

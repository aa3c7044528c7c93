import {hasHiddenCharacters} from '../hidden-characters.ts';
import type {Report} from '../project/read-fields.ts';
import {type YamlValue, describeYaml} from '../project/yaml-value.ts';
import {readShape} from './read-shape.ts';
import {readWords} from './read-words.ts';

export type Ask = {readonly question: string; readonly options: readonly string[]};

/** A question, or a question with the answers that count. */
export function readAsk(value: YamlValue, path: string, report: Report): Ask | undefined {
  if (value.is !== 'mapping') {
    const question = readLine(value, path, report);
    return question === undefined ? undefined : {question, options: []};
  }

  const fields = readShape(value, path, {required: ['question'], optional: ['options']}, report);
  const [questionField, optionsField] = [fields?.get('question'), fields?.get('options')];
  const question = questionField && readLine(questionField, `${path}.question`, report);
  const options =
    optionsField === undefined ? [] : readOptions(optionsField, `${path}.options`, report);
  return question === undefined || options === undefined ? undefined : {question, options};
}

const mostOptions = 20;

function readOptions(value: YamlValue, path: string, report: Report): string[] | undefined {
  if (value.is !== 'list' || value.items.length < 2 || value.items.length > mostOptions) {
    report(
      value.line,
      `${path}: expected a list of 2 to ${mostOptions} answers, got ${value.is === 'list' ? `${value.items.length} of them` : describeYaml(value)}. Change it.`,
    );
    return undefined;
  }

  const options = value.items.flatMap(
    (item, index) => readLine(item, `${path}[${index}]`, report) ?? [],
  );
  if (new Set(options).size < options.length)
    report(value.line, `${path}: expected answers that differ, got one twice. Leave one out.`);
  return options.length === value.items.length && new Set(options).size === options.length
    ? options
    : undefined;
}

function readLine(value: YamlValue, path: string, report: Report): string | undefined {
  const words = readWords(value, path, report)?.trim();
  if (words === undefined) return undefined;
  if (words !== '' && !/[\n\t]/.test(words) && !hasHiddenCharacters(words)) return words;
  report(
    value.line,
    `${path}: expected one line without control or hidden characters, got another text. Change it.`,
  );
  return undefined;
}

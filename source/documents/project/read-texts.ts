import {excerpt} from '../excerpt.ts';
import type {Report} from './read-fields.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

export type TextReading = {readonly text: string} | {readonly refused: string};

export type TextsExpected = {
  /** `a glob`, for messages. */
  readonly what: string;
  readonly most: number;
  /** Refusals go on after the text. */
  readonly read: (text: string) => TextReading;
};

/** A list of texts, or a single one. What cannot be read is left out, and so is what stands there twice. */
export function readTexts(
  value: YamlValue,
  path: string,
  {what, most, read}: TextsExpected,
  report: Report,
): string[] | undefined {
  if (value.is !== 'list' && value.is !== 'text') {
    report(
      value.line,
      `${path}: expected a list like [a, b], got ${describeYaml(value)}. Change it. Until then it counts as empty.`,
    );
    return undefined;
  }

  const items = value.is === 'list' ? value.items : [value];
  if (items.length > most)
    report(
      value.line,
      `${path}: expected at most ${most}, got ${items.length}. Leave some out. Until then the first ${most} count.`,
    );
  const texts = items.slice(0, most).flatMap((item, index) => {
    const place = value.is === 'list' ? `${path}[${index}]` : path;
    const reading = item.is === 'text' ? read(item.text) : {refused: undefined};
    if ('text' in reading) return reading.text;
    report(
      item.line,
      reading.refused === undefined
        ? `${place}: expected ${what}, got ${describeYaml(item)}. Change it. Until then it is left out.`
        : `${place}: "${excerpt(item.is === 'text' ? item.text : '')}" ${reading.refused} Until then it is left out.`,
    );
    return [];
  });
  return [...new Set(texts)];
}

import {excerpt} from '../excerpt.ts';

/** A value of a YAML file as plain data, with the line on which it stands. */
export type YamlValue = {readonly line: number} & (
  | {readonly is: 'nothing'}
  | {readonly is: 'text'; readonly text: string}
  | {readonly is: 'number'; readonly number: number}
  | YamlMapping
  | YamlList
  /** What no field of ours can be: a truth value, an alias, a mapping or a list deeper than any of ours. */
  | {readonly is: 'other'; readonly what: string}
);

export type YamlMapping = {readonly is: 'mapping'; readonly entries: readonly YamlEntry[]};

export type YamlList = {readonly is: 'list'; readonly items: readonly YamlValue[]};

export type YamlEntry = {readonly key: string; readonly line: number; readonly value: YamlValue};

/** What was got, for a message that says what was expected. */
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

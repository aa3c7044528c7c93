import {vaguenessOf} from '../command-quality.ts';
import {excerpt} from '../excerpt.ts';
import {hasHiddenCharacters} from '../hidden-characters.ts';
import type {Report} from './read-fields.ts';
import {type YamlValue, describeYaml} from './yaml-value.ts';

/** One line for a shell. */
export function readCommand(value: YamlValue, path: string, refuse: Report): string | undefined {
  if (value.is !== 'text') {
    refuse(
      value.line,
      `${path}: expected a command, got ${describeYaml(value)}. Write what you would type in a shell, as one text.`,
    );
    return undefined;
  }

  const command = value.text.trim();
  const fault = faultOf(command);
  if (fault === undefined) return command;
  refuse(value.line, `${path}: the command "${excerpt(command)}" ${fault}`);
  return undefined;
}

export type NumberRange = {readonly least: number; readonly most: number};

export function readNumber(
  value: YamlValue,
  path: string,
  {least, most}: NumberRange,
  refuse: Report,
): number | undefined {
  if (
    value.is === 'number' &&
    Number.isInteger(value.number) &&
    value.number >= least &&
    value.number <= most
  )
    return value.number;
  const advice = value.is === 'text' ? 'Write digits, without quotes.' : 'Change it.';
  refuse(
    value.line,
    `${path}: expected a whole number from ${least} to ${most}, got ${describeYaml(value)}. ${advice}`,
  );
  return undefined;
}

export type WordExpected<Word extends string> = {
  readonly expectation: string;
  readonly isMeant: (word: string) => word is Word;
};

/** One of a few words, or a name. */
export function readWord<Word extends string>(
  value: YamlValue,
  path: string,
  {expectation, isMeant}: WordExpected<Word>,
  refuse: Report,
): Word | undefined {
  if (value.is === 'text' && isMeant(value.text)) return value.text;
  refuse(value.line, `${path}: expected ${expectation}, got ${describeYaml(value)}. Change it.`);
  return undefined;
}

const mostCharacters = 1000;

function faultOf(command: string): string | undefined {
  if (command.length > mostCharacters)
    return `is longer than ${mostCharacters} characters: put it in a script, and name that.`;
  if (/[\n\t]/.test(command) || hasHiddenCharacters(command))
    return 'has line breaks, tabs, control or hidden characters: write it on one line, without them.';
  return vaguenessOf(command);
}

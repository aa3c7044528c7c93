import {
  asFields,
  asText,
  type Fields,
  isConversationId,
  parseObject,
  parseUsage,
} from './stream/fields.ts';
import type {AgentSignal} from './driver.ts';
import type {Usage} from '../domain/index.ts';

/**
 * A shell command that appends its standard input to a file as one line. The file is opened for
 * appending, so lines of several hooks do not overwrite each other.
 */
export function appendInputCommand(file: string): string {
  return `line=$(tr -d '\\n\\r'); printf '%s\\n' "$line" >> ${quoteForShell(file)}`;
}

/**
 * Parses a signal in our own form, `{"signal": "turn-ended", "conversation": "…", "words": "…",
 * "error": "…", "usage": {"input": 1, "output": 1}}`: what our plugins and declared agents write.
 */
export function parseOwnSignal(line: string): AgentSignal | undefined {
  const fields = parseSignalFields(line);
  const kind = signalKinds.find((one) => one === fields?.['signal']);
  return fields === undefined || kind === undefined
    ? undefined
    : toSignal(kind, {...fields, usage: parseUsage(asFields(fields['usage']))});
}

const signalKinds = ['turn-began', 'turn-ended', 'asks', 'started', 'ended'] as const;

/** Quotes a text as one word of a POSIX shell. */
function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The fields of a line of the signals file; undefined if it is too long or not an object. */
export function parseSignalFields(line: string): Fields | undefined {
  return line.length > maxLineCharacters ? undefined : parseObject(line);
}

const maxLineCharacters = 1_000_000;
const maxTextCharacters = 200_000;
const maxErrorCharacters = 4000;

export type SignalDetails = {
  readonly conversation?: unknown;
  readonly words?: unknown;
  readonly error?: unknown;
  readonly usage?: Usage | undefined;
};

/** A signal with those details that have the right shape; texts are cut. */
export function toSignal(
  kind: AgentSignal['kind'],
  {conversation, words, error, usage}: SignalDetails,
): AgentSignal {
  const [id, text, problem] = [
    asText(conversation),
    asText(words).slice(0, maxTextCharacters),
    asText(error).slice(0, maxErrorCharacters),
  ];
  return {
    kind,
    ...(isConversationId(id) && {conversation: id}),
    ...(text !== '' && {words: text}),
    ...(problem !== '' && {error: problem}),
    ...(usage !== undefined && {usage}),
  };
}

/**
 * The record with `cwd` of its first line changed to another folder, wherever that is a whole value.
 * Texts of the conversation stay as they were: a quote within a text has a backslash before it.
 */
export function moveRecords(text: string, worktree: string): string {
  const [first = {}] = parseLines(text);
  const from = asText(first['cwd']) || asText(asFields(first['payload'])['cwd']);
  if (from === '') return text;
  const [token, moved] = [JSON.stringify(from), JSON.stringify(worktree)];
  const [start = '', ...rest] = text.split(token);
  let result = start;
  for (const part of rest) {
    const isValue = !result.endsWith('\\') && !/^\s*:/.test(part);
    result += `${isValue ? moved : token}${part}`;
  }

  return result;
}

/** Adds up the usage of messages. Undefined if there are none. */
export function sumUsage(all: readonly Usage[]): Usage | undefined {
  if (all.length === 0) return undefined;
  const sum = (amountOf: (usage: Usage) => number): number =>
    all.reduce((total, usage) => total + amountOf(usage), 0);
  return {
    input: sum(({input}) => input),
    output: sum(({output}) => output),
    ...(all.some(({cost}) => cost !== undefined) && {cost: sum(({cost = 0}) => cost)}),
  };
}

/** The JSON objects in a text of one object a line. An incomplete line is left out. */
export function parseLines(text: string): Fields[] {
  return text
    .split('\n')
    .map((line) => (line === '' ? undefined : parseObject(line)))
    .filter((fields) => fields !== undefined);
}

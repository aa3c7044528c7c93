import {sha256Of} from '../../base/index.ts';
import {type Fields, fieldsOf, listOf, textOf} from './fields.ts';
import type {ToolCall} from './stream-event.ts';

/** A tool call with what it is about. The names of the fields differ little from agent to agent. */
export function toolCallOf(id: string, name: string, input: unknown): ToolCall {
  const fields = fieldsOf(input);
  const diff = diffOf(fields);
  const file = paths.map((key) => textOf(fields[key])).find((text) => text !== '');
  const writes = file !== undefined && isWriting.test(name);
  return {
    id,
    name,
    about: aboutOf(fields),
    ...(diff !== undefined && {diff}),
    digest: digestOf(fields),
    ...(writes && {files: [file]}),
  };
}

const paths = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'] as const;

/** By the names that the agents give to the tools with which they write files. */
const isWriting = /write|edit|replace|patch|create|insert/i;

/** The same arguments have the same digest. How a call is described, and how long it may take, changes nothing of what it does. */
export function digestOf(input: unknown): string {
  const fields = fieldsOf(input);
  const telling = Object.keys(fields)
    .filter((key) => !idle.has(key))
    .toSorted()
    .map((key) => [key, fields[key]]);
  return sha256Of(JSON.stringify(telling)).slice(0, 16);
}

const idle: ReadonlySet<string> = new Set([
  'description',
  'timeout',
  'timeout_ms',
  'timeoutMs',
  'explanation',
  'title',
]);

/** The first of these that is there. */
const telling = [
  'command',
  'cmd',
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'pattern',
  'query',
  'url',
  'dir_path',
  'description',
  'prompt',
  'name',
] as const;

function aboutOf(fields: Fields): string {
  for (const name of telling) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (name === 'command' && Array.isArray(value))
      return value.map((word) => String(word)).join(' ');
  }

  const keys = Object.keys(fields);
  return keys.length === 0 ? '' : JSON.stringify(fields).slice(0, mostCharacters);
}

const mostCharacters = 400;

/** What an edit takes away and puts in, as far as the call itself says it. */
function diffOf(fields: Fields): string | undefined {
  const edits = [fields, ...listOf(fields['edits']).map(fieldsOf)];
  const changes = edits.flatMap((edit) => changeOf(firstText(edit, olds), firstText(edit, news)));
  return changes.length === 0 ? undefined : changes.join('\n');
}

const olds = ['old_string', 'oldString', 'oldText', 'old_text'] as const;
const news = ['new_string', 'newString', 'newText', 'new_text', 'content'] as const;

function firstText(fields: Fields, names: readonly string[]): string {
  return names.map((name) => textOf(fields[name])).find((text) => text !== '') ?? '';
}

function changeOf(before: string, after: string): string[] {
  return [...signed('-', before), ...signed('+', after)];
}

function signed(sign: string, text: string): string[] {
  return text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => `${sign}${line}`);
}

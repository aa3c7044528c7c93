import {type Fields, fieldsOf, listOf, textOf} from './fields.ts';
import type {ToolCall} from './stream-event.ts';

/** A tool call with what it is about. The names of the fields differ little from agent to agent. */
export function toolCallOf(id: string, name: string, input: unknown): ToolCall {
  const fields = fieldsOf(input);
  const diff = diffOf(fields);
  return {id, name, about: aboutOf(fields), ...(diff !== undefined && {diff})};
}

/** The first of these that is there. */
const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'absolute_path', 'notebook_path', 'pattern', 'query', 'url', 'dir_path', 'description', 'prompt', 'name'] as const;

function aboutOf(fields: Fields): string {
  for (const name of telling) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (name === 'command' && Array.isArray(value)) return value.map((word) => String(word)).join(' ');
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
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').map((line) => `${sign}${line}`);
}

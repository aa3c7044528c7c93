import {toSha256} from '../../shared/index.ts';
import {asFields, asList, asText, type Fields} from './fields.ts';
import type {ToolCall} from './agent-stream.ts';

/** A tool call with its subject. The field names differ little between agents. */
export function toToolCall(id: string, name: string, input: unknown): ToolCall {
  const fields = asFields(input);
  const diff = computeDiff(fields);
  const file = pathFields.map((key) => asText(fields[key])).find((text) => text !== '');
  const writes = file !== undefined && writingTools.test(name);
  return {
    id,
    name,
    about: findSubject(fields),
    ...(diff !== undefined && {diff}),
    digest: digestArguments(fields),
    ...(writes && {files: [file]}),
  };
}

const pathFields = ['file_path', 'filePath', 'path', 'absolute_path', 'notebook_path'] as const;

/** Names of tools that write files. */
const writingTools = /write|edit|replace|patch|create|insert/i;

/**
 * A digest of the arguments. Description and timeout are left out, because they do not change what
 * the call does.
 */
export function digestArguments(input: unknown): string {
  const fields = asFields(input);
  const entries = Object.keys(fields)
    .filter((key) => !ignoredFields.has(key))
    .toSorted()
    .map((key) => [key, fields[key]]);
  return toSha256(JSON.stringify(entries)).slice(0, 16);
}

const ignoredFields: ReadonlySet<string> = new Set([
  'description',
  'timeout',
  'timeout_ms',
  'timeoutMs',
  'explanation',
  'title',
]);

/** The first of these fields that has a text is the subject. */
const subjectFields = [
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

function findSubject(fields: Fields): string {
  for (const name of subjectFields) {
    const value = fields[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
    if (name === 'command' && Array.isArray(value))
      return value.map((word) => String(word)).join(' ');
  }

  const keys = Object.keys(fields);
  return keys.length === 0 ? '' : JSON.stringify(fields).slice(0, maxCharacters);
}

const maxCharacters = 400;

/** The removed and added lines of an edit, if the arguments have them. */
function computeDiff(fields: Fields): string | undefined {
  const edits = [fields, ...asList(fields['edits']).map(asFields)];
  const changes = edits.flatMap((edit) =>
    diffLines(firstText(edit, oldTextFields), firstText(edit, newTextFields)),
  );
  return changes.length === 0 ? undefined : changes.join('\n');
}

const oldTextFields = ['old_string', 'oldString', 'oldText', 'old_text'] as const;
const newTextFields = ['new_string', 'newString', 'newText', 'new_text', 'content'] as const;

function firstText(fields: Fields, names: readonly string[]): string {
  return names.map((name) => asText(fields[name])).find((text) => text !== '') ?? '';
}

function diffLines(before: string, after: string): string[] {
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

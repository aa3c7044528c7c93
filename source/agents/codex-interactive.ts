import type {AgentSignal, InteractiveAgent, TranscriptSummary} from './driver.ts';
import {toSha256} from '../shared/index.ts';
import {codexStream} from './codex-stream.ts';
import {
  appendInputCommand,
  moveRecords,
  parseLines,
  parseSignalFields,
  toSignal,
} from './signals.ts';
import {asFields, asText, contentText} from './stream/fields.ts';

/**
 * Codex in its own interface: hooks of this session report turns, and its own session file has the
 * usage. Its `notify` program cannot be used: it also reports the thread in which codex makes a
 * title.
 */
export const codexInteractive: InteractiveAgent = {
  parseSignal,
  provenAs: ['worker'],
  transcript: {
    directory: (home, env) => `${env['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
    isRecordOf: (relativePath, conversation) => relativePath.endsWith(`-${conversation}.jsonl`),
    // It finds the file by its name, and would ask which of two folders to work in.
    moveTo: ({path, text}, worktree) => ({path, text: moveRecords(text, worktree)}),
    parse: parseTranscript,
  },
};

/** Our hooks by their names in the settings, and in the keys under which codex trusts them. */
const hookKeys = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'user_prompt_submit',
  PermissionRequest: 'permission_request',
  Stop: 'stop',
} as const;

/**
 * Settings of one start: each hook appends what it gets to the signals file. Codex runs a hook only
 * if its settings have the digest of what the hook runs, so ours are trusted one by one; hooks of
 * the person and of the repository still need their own trust.
 */
export function codexHookSettings(signalsFile: string | undefined): readonly string[] {
  if (signalsFile === undefined) return [];
  const command = appendInputCommand(signalsFile);
  const entries = Object.entries(hookKeys);
  const state = entries
    .map(
      ([, key]) =>
        `${toToml(`/<session-flags>/config.toml:${key}:0:0`)}={trusted_hash=${toToml(digestHook(key, command))}}`,
    )
    .join(',');
  return [
    ...entries.map(
      ([name]) => `hooks.${name}=[{hooks=[{type="command",command=${toToml(command)}}]}]`,
    ),
    `hooks.state={${state}}`,
  ];
}

/** What codex compares: SHA-256 over the hook with its defaults, as JSON with sorted keys. */
function digestHook(key: string, command: string): string {
  const hook = {async: false, command, timeout: 600, type: 'command'};
  return `sha256:${toSha256(JSON.stringify({event_name: key, hooks: [hook]}))}`;
}

/** A basic TOML string has the escapes of JSON, and must also escape DEL. */
export function toToml(text: string): string {
  return JSON.stringify(text).replaceAll('\u007F', '\\u007F');
}

function parseSignal(line: string): AgentSignal | undefined {
  const fields = parseSignalFields(line);
  // A thread that codex does not record is not the conversation: it makes a title, or reviews.
  if (fields === undefined || asText(fields['transcript_path']) === '') return undefined;
  const conversation = fields['session_id'];
  switch (fields['hook_event_name']) {
    case 'SessionStart':
      return toSignal('started', {conversation});
    case 'UserPromptSubmit':
      return toSignal('turn-began', {conversation});
    case 'PermissionRequest':
      return toSignal('asks', {conversation});
    case 'Stop':
      return toSignal('turn-ended', {conversation, words: fields['last_assistant_message']});
    default:
      return undefined;
  }
}

function parseTranscript(text: string): TranscriptSummary {
  const usage = codexStream.earlier?.read(text);
  const payloads = parseLines(text).map((record) => asFields(record['payload']));
  const lastText = payloads
    .filter(({type, role}) => type === 'message' && role === 'assistant')
    .map(({content}) => contentText(content))
    .findLast((one) => one !== '');
  // No hook reports a turn that failed.
  const lastTurn = payloads.findLast(
    ({type}) => type === 'task_started' || type === 'task_complete',
  );
  const error = asText(asFields(lastTurn?.['error'])['message']);
  return {
    ...(usage !== undefined && {usage}),
    ...(lastText !== undefined && {words: lastText}),
    ...(error !== '' && {error}),
    ...(lastTurn?.['type'] === 'task_started' && {isOpen: true}),
  };
}

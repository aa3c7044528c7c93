import type {Usage} from '../domain/index.ts';
import type {AgentSignal, InteractiveAgent, TranscriptSummary} from './driver.ts';
import {parseClaudeUsage} from './claude-stream.ts';
import {appendInputCommand, parseLines, parseSignalFields, sumUsage, toSignal} from './signals.ts';
import {asFields, asText, contentText, type Fields} from './stream/fields.ts';

/**
 * Claude in its own interface: hooks of this session report turns, and its own transcript has the
 * usage.
 */
export const claudeInteractive: InteractiveAgent = {
  parseSignal,
  provenAs: ['worker'],
  transcript: {
    directory: (home, env) => `${env['CLAUDE_CONFIG_DIR'] ?? `${home}/.claude`}/projects`,
    // `<folder>/<id>.jsonl`; subagents are in deeper directories.
    isRecordOf: (relativePath, conversation) => {
      const [, name, ...deeper] = relativePath.split('/');
      return name === `${conversation}.jsonl` && deeper.length === 0;
    },
    // It looks in the folder that is named after the worktree.
    moveTo: ({path, text}, worktree) => ({
      path: `${worktree.replaceAll(/[^a-zA-Z0-9]/g, '-')}/${path.split('/').at(-1) ?? ''}`,
      text,
    }),
    parse: parseTranscript,
  },
};

const hookNames = [
  'SessionStart',
  'UserPromptSubmit',
  'Stop',
  'StopFailure',
  'Notification',
  'SessionEnd',
] as const;

/** Settings of one session: each hook appends what it gets to the signals file. */
export function claudeHooksOption(signalsFile: string | undefined): readonly string[] {
  if (signalsFile === undefined) return [];
  const hook = {type: 'command', command: appendInputCommand(signalsFile)};
  const hooks = Object.fromEntries(hookNames.map((name) => [name, [{hooks: [hook]}]]));
  return [`--settings=${JSON.stringify({hooks})}`];
}

function parseSignal(line: string): AgentSignal | undefined {
  const fields = parseSignalFields(line);
  if (fields === undefined) return undefined;
  const conversation = fields['session_id'];
  switch (fields['hook_event_name']) {
    case 'SessionStart':
      return toSignal('started', {conversation});
    case 'UserPromptSubmit':
      return toSignal('turn-began', {conversation});
    case 'Stop':
      return toSignal('turn-ended', {conversation, words: fields['last_assistant_message']});
    case 'StopFailure':
      return toSignal('turn-ended', {
        conversation,
        error: formatFailure(fields),
      });
    // The other notifications only say that claude waits for the next prompt.
    case 'Notification':
      return questions.has(asText(fields['notification_type']))
        ? toSignal('asks', {conversation})
        : undefined;
    case 'SessionEnd':
      return toSignal('ended', {conversation});
    default:
      return undefined;
  }
}

/** The message says more than the code: a status, when a limit ends. */
function formatFailure(fields: Fields): string {
  const code = asText(fields['error']);
  const message = asText(fields['last_assistant_message']) || asText(fields['error_details']);
  if (message === '') return code || 'unknown';
  return code === '' ? message : `${message} (${code})`;
}

const questions: ReadonlySet<string> = new Set(['permission_prompt', 'elicitation_dialog']);

/** A message has one line for each of its parts, all with the same id and the same usage. */
function parseTranscript(text: string): TranscriptSummary {
  const messages = new Map<string, Usage>();
  let lastText = '';
  for (const record of parseLines(text)) {
    const message = asFields(record['message']);
    if (record['type'] !== 'assistant' || message['model'] === '<synthetic>') continue;
    messages.set(asText(message['id']), parseClaudeUsage(asFields(message['usage'])));
    lastText = contentText(message['content']) || lastText;
  }

  const usage = sumUsage([...messages.values()]);
  return {...(usage !== undefined && {usage}), ...(lastText !== '' && {words: lastText})};
}

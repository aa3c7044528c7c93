import type {Usage} from '../domain/index.ts';
import {toSha256} from '../shared/index.ts';
import type {AgentSignal, InteractiveAgent, Job} from './driver.ts';
import {appendInputCommand, parseLines, parseSignalFields, toSignal} from './signals.ts';
import {asFields, asList, asText, contentText, type Fields} from './stream/fields.ts';

/**
 * Gemini in its own interface: hooks in the session's copy of the settings report turns, and its
 * own session file has the usage.
 */
export function geminiInteractive(
  parseUsage: (text: string) => Usage | undefined,
): InteractiveAgent {
  return {
    parseSignal,
    transcript: {
      directory: (home, env) => `${env['GEMINI_CLI_HOME'] ?? home}/.gemini/tmp`,
      isRecordOf: (relativePath, conversation) =>
        relativePath.endsWith(`-${conversation.slice(0, 8)}.jsonl`),
      // Its folder of a project has the project's last name, and the record the hash of its path.
      moveTo: ({path, text}, worktree) => ({
        path: `${worktree.split('/').at(-1) ?? ''}/chats/${path.split('/').at(-1) ?? ''}`,
        text: text.replaceAll(
          /"projectHash":"[0-9a-f]{64}"/g,
          `"projectHash":"${toSha256(worktree)}"`,
        ),
      }),
      parse: (text) => {
        const usage = parseUsage(text);
        const messages = parseLines(text).filter(({type}) => isMessage(type));
        const lastText = messages
          .filter(({type}) => type === 'gemini')
          .map(({content}) => contentText(content))
          .findLast((one) => one !== '');
        // Its hook reports a turn that failed like any other.
        const last = messages.at(-1);
        const error = last?.['type'] === 'error' ? contentText(last['content']) : '';
        return {
          ...(usage !== undefined && {usage}),
          ...(lastText !== undefined && {words: lastText}),
          ...(error !== '' && {error}),
        };
      },
    },
  };
}

/** Notices (`info`, `warning`) are no part of the conversation. */
function isMessage(type: unknown): boolean {
  return type === 'user' || type === 'gemini' || type === 'error';
}

const hookNames = [
  'SessionStart',
  'BeforeAgent',
  'AfterAgent',
  'Notification',
  'SessionEnd',
] as const;

/** Hooks of this session, after those of the person. */
export function hookSettings(
  {isInteractive, signalsFile}: Job,
  own: Fields = {},
): {readonly hooks?: object} {
  if (isInteractive !== true || signalsFile === undefined) return {};
  const hook = {type: 'command', name: 'orchestra', command: appendInputCommand(signalsFile)};
  const hooks = asFields(own['hooks']);
  return {
    hooks: {
      ...hooks,
      ...Object.fromEntries(
        hookNames.map((name) => [name, [...asList(hooks[name]), {hooks: [hook]}]]),
      ),
    },
  };
}

function parseSignal(line: string): AgentSignal | undefined {
  const fields = parseSignalFields(line);
  if (fields === undefined) return undefined;
  const conversation = fields['session_id'];
  switch (fields['hook_event_name']) {
    case 'SessionStart':
      return toSignal('started', {conversation});
    case 'BeforeAgent':
      return toSignal('turn-began', {conversation});
    // Its `prompt_response` repeats parts of the text (0.61); the session file has it right.
    case 'AfterAgent':
      return toSignal('turn-ended', {conversation});
    case 'Notification':
      return asText(fields['notification_type']) === 'ToolPermission'
        ? toSignal('asks', {conversation})
        : undefined;
    case 'SessionEnd':
      return toSignal('ended', {conversation});
    default:
      return undefined;
  }
}

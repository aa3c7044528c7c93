import type {AgentSignal, InteractiveAgent, TranscriptSummary} from './driver.ts';
import {codexStream} from './codex-stream.ts';
import {appendArgumentCommand, parseLines, parseSignalFields, toSignal} from './signals.ts';
import {asFields, asText, contentText} from './stream/fields.ts';

/**
 * Codex in its own interface: its `notify` program reports the end of each turn, and its own
 * session file has the usage. It reports no beginning of a turn here (OSC 7501 does).
 */
export const codexInteractive: InteractiveAgent = {
  parseSignal,
  transcript: {
    directory: (home, env) => `${env['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
    isRecordOf: (relativePath, conversation) => relativePath.endsWith(`-${conversation}.jsonl`),
    parse: parseTranscript,
  },
};

/** The setting of one start that appends each notification to the signals file. */
export function notifySetting(signalsFile: string | undefined): readonly string[] {
  if (signalsFile === undefined) return [];
  // JSON strings are TOML strings, except for DEL.
  const argv = ['/bin/sh', '-c', appendArgumentCommand(signalsFile), 'sh'];
  return [`notify=${JSON.stringify(argv).replaceAll('\u007F', '\\u007F')}`];
}

function parseSignal(line: string): AgentSignal | undefined {
  const fields = parseSignalFields(line);
  return fields?.['type'] === 'agent-turn-complete'
    ? toSignal('turn-ended', {
        conversation: fields['thread-id'],
        words: fields['last-assistant-message'],
      })
    : undefined;
}

function parseTranscript(text: string): TranscriptSummary {
  const usage = codexStream.earlier?.read(text);
  const lastText = parseLines(text)
    .map((record) => asFields(record['payload']))
    .filter(({type, role}) => type === 'message' && role === 'assistant')
    .map(({content}) => contentText(content))
    .findLast((one) => asText(one) !== '');
  return {...(usage !== undefined && {usage}), ...(lastText !== undefined && {words: lastText})};
}

import type {AgentSignal} from './driver.ts';
import {asFields, isConversationId, parseObject, parseUsage} from './stream/fields.ts';

const kinds: ReadonlySet<string> = new Set<AgentSignal['kind']>([
  'turn-began',
  'turn-ended',
  'asks',
  'started',
  'ended',
]);

const maxTextLength = 20_000;

/**
 * A signal in orchestra's own form, for agents that a project declares and for hooks that orchestra
 * writes itself: `{"signal": "turn-ended", "conversation": "…", "words": "…"}`.
 */
export function parseSignalLine(line: string): AgentSignal | undefined {
  const fields = parseObject(line);
  const kind = fields?.['signal'];
  if (fields === undefined || typeof kind !== 'string' || !kinds.has(kind)) return undefined;
  const {conversation, words, error} = fields;
  const usage = parseUsage(asFields(fields['usage']));
  return {
    kind: kind as AgentSignal['kind'],
    ...(typeof conversation === 'string' && isConversationId(conversation) && {conversation}),
    ...(typeof words === 'string' && {words: words.slice(0, maxTextLength)}),
    ...(typeof error === 'string' && {error: error.slice(0, maxTextLength)}),
    ...(usage !== undefined && {usage}),
  };
}

import type {Usage} from '../../domain/index.ts';
import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent, ToolCall} from './stream-event.ts';

/** `codex exec --json`. Its counts go on through a resume, so what the conversation used before is read from its own record. */
export const codexStream: AgentStream = {
  read,
  earlier: {
    directory: (home, env) => `${env['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
    fileEnd: (conversation) => `-${conversation}.jsonl`,
    read: readEarlier,
  },
};

function read(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'thread.started':
      return [{type: 'session', id: textOf(record['thread_id'])}];
    case 'item.started':
      return startOf(fieldsOf(record['item']));
    case 'item.completed':
      return itemOf(fieldsOf(record['item']));
    case 'turn.completed':
      return [{type: 'usage', usage: usageOf(fieldsOf(record['usage'])), of: {what: 'conversation'}}, {type: 'done'}];
    case 'turn.failed':
      return [{type: 'problem', problem: problemOf(textOf(fieldsOf(record['error'])['message']))}];
    // It says what goes wrong on the way, too; only the end of the turn is the end.
    case 'error':
      return [{type: 'notice', text: textOf(record['message'])}];
    default:
      return [];
  }
}

function startOf(item: Fields): readonly StreamEvent[] {
  const call = callOf(item);
  return call === undefined ? [] : [{type: 'tool-started', ...call}];
}

function itemOf(item: Fields): readonly StreamEvent[] {
  switch (item['type']) {
    case 'agent_message':
      return [{type: 'text', text: textOf(item['text'])}];
    case 'reasoning':
      return [{type: 'thought', text: textOf(item['text'])}];
    case 'error':
      return [{type: 'notice', text: textOf(item['message'])}];
    default:
      return endOf(item);
  }
}

function endOf(item: Fields): readonly StreamEvent[] {
  const call = callOf(item);
  if (call === undefined) return [];
  const code = item['exit_code'];
  const failed = item['status'] === 'failed' || item['status'] === 'declined' || (typeof code === 'number' && code !== 0);
  const said = textOf(item['aggregated_output']) || textOf(fieldsOf(item['error'])['message']) || contentTextOf(fieldsOf(item['result'])['content']);
  // Not all are announced; a call that was is not shown twice.
  return [{type: 'tool-started', ...call}, {type: 'tool-ended', id: call.id, isOk: !failed, text: failed && typeof code === 'number' ? `exit code ${code}: ${said}` : said}];
}

function callOf(item: Fields): ToolCall | undefined {
  const id = textOf(item['id']);
  switch (item['type']) {
    case 'command_execution':
      return {id, name: 'shell', about: withoutShell(textOf(item['command']))};
    case 'file_change':
      return {id, name: 'edit', about: listOf(item['changes']).map(fieldsOf).map((change) => `${textOf(change['kind'])} ${textOf(change['path'])}`).join(', ')};
    case 'mcp_tool_call':
      return {id, name: `${textOf(item['server'])}.${textOf(item['tool'])}`, about: JSON.stringify(item['arguments'] ?? {}).slice(0, 400)};
    case 'web_search':
      return {id, name: 'search', about: textOf(item['query'])};
    case 'todo_list':
      return {id, name: 'list', about: listOf(item['items']).map((one) => `${fieldsOf(one)['completed'] === true ? '✓' : '·'} ${textOf(fieldsOf(one)['text'])}`).join('  ')};
    default:
      return undefined;
  }
}

/** `/bin/bash -lc 'npm test'` is `npm test` to whoever reads it. */
function withoutShell(command: string): string {
  return /^\S*sh -l?c '([\s\S]*)'$/.exec(command)?.[1]?.replaceAll(`'"'"'`, "'") ?? /^\S*sh -l?c ([\s\S]*)$/.exec(command)?.[1] ?? command;
}

/** Input has what came from the cache in it. */
function usageOf(usage: Fields): Usage {
  return {input: amountOf(usage['input_tokens']), output: amountOf(usage['output_tokens'])};
}

/** The last count in codex's own record of the conversation. */
function readEarlier(text: string): Usage | undefined {
  const line = text.split('\n').findLast((one) => one.includes('"token_count"') && one.includes('"total_token_usage"'));
  if (line === undefined) return undefined;
  try {
    return usageOf(fieldsOf(fieldsOf(fieldsOf(fieldsOf(JSON.parse(line))['payload'])['info'])['total_token_usage']));
  } catch {
    return undefined;
  }
}

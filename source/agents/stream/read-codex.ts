import type {Usage} from '../../domain/index.ts';
import type {AgentStream, ReadRecord} from './agent-stream.ts';
import {createParts, type Parts} from './create-parts.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import {noticeOf} from './retry-in.ts';
import type {StreamEvent, ToolCall} from './stream-event.ts';
import {digestOf} from './tool-call-of.ts';

/** `codex exec --json`. Its counts go on through a resume and come at the end of a turn, so what the conversation has used is read from its own record before and meanwhile. */
export const codexStream: AgentStream = {
  open,
  earlier: {
    directory: (home, env) => `${env['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
    fileEnd: (conversation) => `-${conversation}.jsonl`,
    read: readEarlier,
  },
};

/** Messages and thoughts that are told more than once: each update has all of the text so far. */
type Growing = {readonly parts: Parts; readonly lengths: Map<string, number>};

const maxGrowing = 1000;

function open(): ReadRecord {
  const growing: Growing = {parts: createParts(), lengths: new Map()};
  return (record) => read(record, growing);
}

function read(record: Fields, growing: Growing): readonly StreamEvent[] {
  switch (record['type']) {
    case 'thread.started':
      return [{type: 'session', id: textOf(record['thread_id'])}];
    case 'item.started':
    case 'item.updated':
      return startOf(fieldsOf(record['item']), growing);
    case 'item.completed':
      return itemOf(fieldsOf(record['item']), growing);
    case 'turn.completed':
      return [
        {type: 'usage', usage: usageOf(fieldsOf(record['usage'])), of: {what: 'conversation'}},
        {type: 'done'},
      ];
    case 'turn.failed':
      return [{type: 'problem', problem: problemOf(textOf(fieldsOf(record['error'])['message']))}];
    // It says what goes wrong on the way, too; only the end of the turn is the end.
    case 'error':
      return [noticeOf(textOf(record['message']))];
    default:
      return [];
  }
}

function startOf(item: Fields, growing: Growing): readonly StreamEvent[] {
  const kind = kindOf(item);
  if (kind !== undefined) return grow(kind, item, growing);
  const call = callOf(item);
  return call === undefined ? [] : [{type: 'tool-started', ...call}];
}

function kindOf({type}: Fields): 'text' | 'thought' | undefined {
  return type === 'agent_message' ? 'text' : type === 'reasoning' ? 'thought' : undefined;
}

function grow(
  kind: 'text' | 'thought',
  item: Fields,
  {parts, lengths}: Growing,
): readonly StreamEvent[] {
  const [id, text] = [textOf(item['id']), textOf(item['text'])];
  const before = lengths.get(id);
  if (before === undefined && (text === '' || lengths.size >= maxGrowing)) return [];
  if (before === undefined) parts.begin(kind);
  lengths.set(id, Math.max(before ?? 0, text.length));
  return parts.add(kind, text.slice(before ?? 0));
}

function itemOf(item: Fields, {parts, lengths}: Growing): readonly StreamEvent[] {
  const kind = kindOf(item);
  if (kind !== undefined) {
    const wasShown = lengths.delete(textOf(item['id']));
    return wasShown
      ? parts.finish(kind, textOf(item['text']))
      : [{type: kind, text: textOf(item['text'])}];
  }

  return item['type'] === 'error' ? [noticeOf(textOf(item['message']))] : endOf(item);
}

function endOf(item: Fields): readonly StreamEvent[] {
  const call = callOf(item);
  if (call === undefined) return [];
  const code = item['exit_code'];
  const failed =
    item['status'] === 'failed' ||
    item['status'] === 'declined' ||
    (typeof code === 'number' && code !== 0);
  const said =
    textOf(item['aggregated_output']) ||
    textOf(fieldsOf(item['error'])['message']) ||
    contentTextOf(fieldsOf(item['result'])['content']);
  // Not all are announced; a call that was is not shown twice.
  return [
    {type: 'tool-started', ...call},
    {
      type: 'tool-ended',
      id: call.id,
      isOk: !failed,
      text: failed && typeof code === 'number' ? `exit code ${code}: ${said}` : said,
    },
  ];
}

function callOf(item: Fields): ToolCall | undefined {
  const id = textOf(item['id']);
  switch (item['type']) {
    case 'command_execution':
      return {
        id,
        name: 'shell',
        about: withoutShell(textOf(item['command'])),
        digest: digestOf({command: textOf(item['command'])}),
      };
    case 'file_change': {
      const changes = listOf(item['changes']).map(fieldsOf);
      return {
        id,
        name: 'edit',
        about: changes
          .map((change) => `${textOf(change['kind'])} ${textOf(change['path'])}`)
          .join(', '),
        files: changes.map((change) => textOf(change['path'])).slice(0, 50),
      };
    }

    case 'mcp_tool_call':
      return {
        id,
        name: `${textOf(item['server'])}.${textOf(item['tool'])}`,
        about: JSON.stringify(item['arguments'] ?? {}).slice(0, 400),
        digest: digestOf(item['arguments']),
      };
    case 'web_search':
      return {
        id,
        name: 'search',
        about: textOf(item['query']),
        digest: digestOf({query: textOf(item['query'])}),
      };
    case 'todo_list':
      return {
        id,
        name: 'list',
        about: listOf(item['items'])
          .map(
            (one) =>
              `${fieldsOf(one)['completed'] === true ? '✓' : '·'} ${textOf(fieldsOf(one)['text'])}`,
          )
          .join('  '),
      };
    default:
      return undefined;
  }
}

/** `/bin/bash -lc 'npm test'` is `npm test` to whoever reads it. */
function withoutShell(command: string): string {
  return (
    /^\S*sh -l?c '([\s\S]*)'$/.exec(command)?.[1]?.replaceAll(`'"'"'`, "'") ??
    /^\S*sh -l?c ([\s\S]*)$/.exec(command)?.[1] ??
    command
  );
}

/** Input has what came from the cache in it. */
function usageOf(usage: Fields): Usage {
  return {input: amountOf(usage['input_tokens']), output: amountOf(usage['output_tokens'])};
}

/** The last count in codex's own record of the conversation. */
function readEarlier(text: string): Usage | undefined {
  const line = text
    .split('\n')
    .findLast((one) => one.includes('"token_count"') && one.includes('"total_token_usage"'));
  if (line === undefined) return undefined;
  try {
    return usageOf(
      fieldsOf(
        fieldsOf(fieldsOf(fieldsOf(JSON.parse(line))['payload'])['info'])['total_token_usage'],
      ),
    );
  } catch {
    return undefined;
  }
}

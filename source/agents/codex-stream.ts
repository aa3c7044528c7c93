import type {Usage} from '../domain/index.ts';
import type {AgentStream, ReadRecord, StreamEvent, ToolCall} from './stream/agent-stream.ts';
import {createParts, type Parts} from './stream/read-stream.ts';
import {asAmount, asFields, asList, asText, contentText, type Fields} from './stream/fields.ts';
import {classifyProblem, parseNotice} from './stream/service-errors.ts';
import {digestArguments} from './stream/tool-call.ts';

/**
 * `codex exec --json`. Its token counts include earlier starts and come only at the end of a turn,
 * so the current usage is read from codex's own session file.
 */
export const codexStream: AgentStream = {
  open: openStream,
  earlier: {
    directory: (home, env) => `${env['CODEX_HOME'] ?? `${home}/.codex`}/sessions`,
    fileEnd: (conversation) => `-${conversation}.jsonl`,
    read: parseEarlier,
  },
};

/** Messages and thoughts that come in updates, each with the whole text so far. */
type Growing = {readonly parts: Parts; readonly lengths: Map<string, number>};

const maxGrowing = 1000;

function openStream(): ReadRecord {
  const growing: Growing = {parts: createParts(), lengths: new Map()};
  return (record) => parseRecord(record, growing);
}

function parseRecord(record: Fields, growing: Growing): readonly StreamEvent[] {
  switch (record['type']) {
    case 'thread.started':
      return [{type: 'session', id: asText(record['thread_id'])}];
    case 'item.started':
    case 'item.updated':
      return parseStart(asFields(record['item']), growing);
    case 'item.completed':
      return parseItem(asFields(record['item']), growing);
    case 'turn.completed':
      return [
        {type: 'usage', usage: parseUsage(asFields(record['usage'])), of: {what: 'conversation'}},
        {type: 'done'},
      ];
    case 'turn.failed':
      return [
        {type: 'problem', problem: classifyProblem(asText(asFields(record['error'])['message']))},
      ];
    // An error that codex recovers from; only `turn.failed` ends the turn.
    case 'error':
      return [parseNotice(asText(record['message']))];
    default:
      return [];
  }
}

function parseStart(item: Fields, growing: Growing): readonly StreamEvent[] {
  const kind = textKind(item);
  if (kind !== undefined) return grow(kind, item, growing);
  const call = parseCall(item);
  return call === undefined ? [] : [{type: 'tool-started', ...call}];
}

function textKind({type}: Fields): 'text' | 'thought' | undefined {
  if (type === 'agent_message') return 'text';
  return type === 'reasoning' ? 'thought' : undefined;
}

function grow(
  kind: 'text' | 'thought',
  item: Fields,
  {parts, lengths}: Growing,
): readonly StreamEvent[] {
  const [id, text] = [asText(item['id']), asText(item['text'])];
  const before = lengths.get(id);
  if (before === undefined && (text === '' || lengths.size >= maxGrowing)) return [];
  if (before === undefined) parts.begin(kind);
  lengths.set(id, Math.max(before ?? 0, text.length));
  return parts.add(kind, text.slice(before ?? 0));
}

function parseItem(item: Fields, {parts, lengths}: Growing): readonly StreamEvent[] {
  const kind = textKind(item);
  if (kind !== undefined) {
    const wasShown = lengths.delete(asText(item['id']));
    return wasShown
      ? parts.finish(kind, asText(item['text']))
      : [{type: kind, text: asText(item['text'])}];
  }

  return item['type'] === 'error' ? [parseNotice(asText(item['message']))] : parseEnd(item);
}

function parseEnd(item: Fields): readonly StreamEvent[] {
  const call = parseCall(item);
  if (call === undefined) return [];
  const code = item['exit_code'];
  const failed =
    item['status'] === 'failed' ||
    item['status'] === 'declined' ||
    (typeof code === 'number' && code !== 0);
  const text =
    asText(item['aggregated_output']) ||
    asText(asFields(item['error'])['message']) ||
    contentText(asFields(item['result'])['content']);
  // Some calls have no start event. A call that had one is not shown twice.
  return [
    {type: 'tool-started', ...call},
    {
      type: 'tool-ended',
      id: call.id,
      isOk: !failed,
      text: failed && typeof code === 'number' ? `exit code ${code}: ${text}` : text,
    },
  ];
}

function parseCall(item: Fields): ToolCall | undefined {
  const id = asText(item['id']);
  switch (item['type']) {
    case 'command_execution':
      return {
        id,
        name: 'shell',
        about: withoutShell(asText(item['command'])),
        digest: digestArguments({command: asText(item['command'])}),
      };
    case 'file_change': {
      const changes = asList(item['changes']).map(asFields);
      return {
        id,
        name: 'edit',
        about: changes
          .map((change) => `${asText(change['kind'])} ${asText(change['path'])}`)
          .join(', '),
        files: changes.map((change) => asText(change['path'])).slice(0, 50),
      };
    }

    case 'mcp_tool_call':
      return {
        id,
        name: `${asText(item['server'])}.${asText(item['tool'])}`,
        about: JSON.stringify(item['arguments'] ?? {}).slice(0, 400),
        digest: digestArguments(item['arguments']),
      };
    case 'web_search':
      return {
        id,
        name: 'search',
        about: asText(item['query']),
        digest: digestArguments({query: asText(item['query'])}),
      };
    case 'todo_list':
      return {
        id,
        name: 'list',
        about: asList(item['items'])
          .map(
            (one) =>
              `${asFields(one)['completed'] === true ? '✓' : '·'} ${asText(asFields(one)['text'])}`,
          )
          .join('  '),
      };
    default:
      return undefined;
  }
}

/** Shows `/bin/bash -lc 'npm test'` as `npm test`. */
function withoutShell(command: string): string {
  return (
    /^\S*sh -l?c '([\s\S]*)'$/.exec(command)?.[1]?.replaceAll(`'"'"'`, "'") ??
    /^\S*sh -l?c ([\s\S]*)$/.exec(command)?.[1] ??
    command
  );
}

/** The input count includes cached tokens. */
function parseUsage(usage: Fields): Usage {
  return {input: asAmount(usage['input_tokens']), output: asAmount(usage['output_tokens'])};
}

/** The last token count in codex's own session file. */
function parseEarlier(text: string): Usage | undefined {
  const line = text
    .split('\n')
    .findLast((one) => one.includes('"token_count"') && one.includes('"total_token_usage"'));
  if (line === undefined) return undefined;
  try {
    return parseUsage(
      asFields(
        asFields(asFields(asFields(JSON.parse(line))['payload'])['info'])['total_token_usage'],
      ),
    );
  } catch {
    return undefined;
  }
}

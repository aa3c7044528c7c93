import {addUsage, noUsage, type Usage} from '../domain/index.ts';
import type {AgentStream, ReadRecord, StreamEvent} from './stream/agent-stream.ts';
import {without} from '../shared/index.ts';
import {createParts, type Parts} from './stream/read-stream.ts';
import {asAmount, asFields, asList, asText, contentText, type Fields} from './stream/fields.ts';
import {classifyProblem} from './stream/service-errors.ts';
import {toToolCall} from './stream/tool-call.ts';

/**
 * `claude -p --output-format stream-json --verbose`. With `--include-partial-messages`, which older
 * versions lack, each message comes in parts and then whole.
 */
export const claudeStream: AgentStream = {
  open: openStream,
  isProgress: ({type}) => type === 'stream_event',
  optional: '--include-partial-messages',
};

/**
 * Messages being written, by writer: the agent itself (empty key), or a subagent by the id of the
 * call that started it.
 */
type Writers = Map<string, {readonly parts: Parts; message: string; usage: Usage}>;

/** Limit for hostile streams; a real one has a few subagents. */
const maxWriters = 100;

function openStream(): ReadRecord {
  const writers: Writers = new Map();
  const withTurns = createTurnCounter();
  return (record) => withTurns(readRecord(writers, record), hasOwnUsage(record));
}

/**
 * Each result counts the turn that it ends. A start has several turns if it gets messages while it
 * works: what they used is added up.
 */
function createTurnCounter(): (
  events: readonly StreamEvent[],
  hasOwnCost: boolean,
) => readonly StreamEvent[] {
  let ended: Usage | undefined;
  /** Of the current turn, by message. */
  let steps = new Map<string, Usage>();
  const sum = (usages: readonly Usage[]): Usage => usages.reduce(addUsage, noUsage);
  return (events, hasOwnCost) =>
    events.map((event) => {
      if (event.type !== 'usage') return event;
      if (event.of.what === 'start') {
        const before = ended === undefined || hasOwnCost ? ended : without(ended, 'cost');
        ended = before === undefined ? event.usage : addUsage(before, event.usage);
        steps = new Map();
        return {...event, usage: ended};
      }

      if (event.of.what !== 'step' || ended === undefined) return event;
      steps.set(event.of.name, event.usage);
      return {...event, usage: addUsage(ended, sum([...steps.values()])), of: {what: 'start'}};
    });
}

/** Otherwise the cost is that of all turns so far. */
function hasOwnUsage(record: Fields): boolean {
  return Object.keys(asFields(record['model_usage_since_last_result'])).length > 0;
}

function readRecord(writers: Writers, record: Fields): readonly StreamEvent[] {
  const by = asText(record['parent_tool_use_id']);
  if (!writers.has(by) && writers.size >= maxWriters) writers.clear();
  const writer = writers.get(by) ?? {parts: createParts(), message: '', usage: noUsage};
  writers.set(by, writer);
  return record['type'] === 'stream_event'
    ? parsePartial(asFields(record['event']), writer, by !== '')
    : parseRecord(record, writer.parts);
}

type Writer = Writers extends Map<string, infer One> ? One : never;

/** A raw event of the API. The text of a subagent is not shown. */
function parsePartial(event: Fields, writer: Writer, isNested: boolean): readonly StreamEvent[] {
  const {parts} = writer;
  switch (event['type']) {
    case 'message_start': {
      const message = asFields(event['message']);
      parts.clear();
      writer.message = asText(message['id']);
      writer.usage = parseClaudeUsage(asFields(message['usage']));
      return [parseStep(writer.message, writer.usage)];
    }

    case 'content_block_start': {
      const block = asFields(event['content_block']);
      if (block['type'] === 'tool_use')
        return [{type: 'tool-announced', id: asText(block['id']), name: asText(block['name'])}];
      if (block['type'] === 'text' && !isNested) parts.begin('text');
      if (block['type'] === 'thinking') parts.begin('thought');
      return [];
    }

    case 'content_block_delta': {
      const delta = asFields(event['delta']);
      const events = parseDelta(delta, parts);
      return events.length > 0 ? events : [{type: 'writing'}];
    }

    case 'message_delta': {
      const {output} = parseClaudeUsage(asFields(event['usage']));
      return [
        parseStep(writer.message, {...writer.usage, output: Math.max(output, writer.usage.output)}),
      ];
    }

    default:
      return [];
  }
}

function parseDelta(delta: Fields, parts: Parts): readonly StreamEvent[] {
  if (delta['type'] === 'text_delta') return parts.add('text', asText(delta['text']));
  if (delta['type'] === 'thinking_delta') return parts.add('thought', asText(delta['thinking']));
  return [];
}

function parseStep(message: string, usage: Usage): StreamEvent {
  return {type: 'usage', usage, of: {what: 'step', name: message}};
}

function parseRecord(record: Fields, parts: Parts): readonly StreamEvent[] {
  switch (record['type']) {
    case 'system':
      return parseSystem(record);
    case 'assistant':
      return parseAssistant(record, parts);
    case 'user':
      if (record['isReplay'] === true)
        return [{type: 'read', text: contentText(asFields(record['message'])['content'])}];
      return asList(asFields(record['message'])['content'])
        .map(asFields)
        .flatMap((part) => parseResult(part, record));
    case 'rate_limit_event':
      return parseLimit(asFields(record['rate_limit_info']));
    case 'result':
      return parseEnd(record);
    default:
      return [];
  }
}

function parseSystem(record: Fields): readonly StreamEvent[] {
  if (record['subtype'] === 'init')
    return [{type: 'session', id: asText(record['session_id']), model: asText(record['model'])}];
  if (record['subtype'] === 'compact_boundary')
    return [{type: 'notice', text: 'The conversation was compacted.'}];
  if (record['subtype'] === 'api_retry') return [parseRetry(record)];
  return [];
}

function parseRetry(record: Fields): StreamEvent {
  const [status, attempt, of] = [
    asAmount(record['error_status']),
    asAmount(record['attempt']),
    asAmount(record['max_retries']),
  ];
  const waited = asAmount(asFields(record['no_response'])['waited_ms']);
  const silence = waited > 0 ? `no answer in ${Math.round(waited / 1000)} s` : '';
  const text = asText(record['error']) || asText(asFields(record['error'])['message']) || silence;
  return {
    type: 'retry',
    said: text,
    ...(status > 0 && {status}),
    ...(attempt > 0 && {attempt}),
    ...(of > 0 && {of}),
  };
}

function parseAssistant(record: Fields, parts: Parts): readonly StreamEvent[] {
  const message = asFields(record['message']);
  // Claude prints its own errors as synthetic model messages; the result repeats them.
  if (message['model'] === '<synthetic>') return [];
  const isNested =
    record['parent_tool_use_id'] !== null && record['parent_tool_use_id'] !== undefined;
  return [
    ...asList(message['content'])
      .map(asFields)
      .flatMap((part) => parsePart(part, isNested, parts)),
    parseStep(asText(message['id']), parseClaudeUsage(asFields(message['usage']))),
  ];
}

function parsePart(part: Fields, isNested: boolean, parts: Parts): readonly StreamEvent[] {
  switch (part['type']) {
    // The text of a subagent is not part of the answer.
    case 'text':
      return isNested ? [{type: 'writing'}] : parts.finish('text', asText(part['text']));
    case 'thinking':
      return parts.finish('thought', asText(part['thinking']));
    case 'tool_use': {
      const [id, name, input] = [asText(part['id']), asText(part['name']), asFields(part['input'])];
      const plan = name === 'ExitPlanMode' ? asText(input['plan']) : '';
      return [
        ...(plan === '' ? [] : [{type: 'text' as const, text: plan}]),
        {type: 'tool-started', ...toToolCall(id, name, plan === '' ? input : {})},
      ];
    }

    default:
      return [];
  }
}

function parseResult(part: Fields, record: Fields): readonly StreamEvent[] {
  if (part['type'] !== 'tool_result') return [];
  const diff = parsePatch(asFields(record['tool_use_result']));
  return [
    {
      type: 'tool-ended',
      id: asText(part['tool_use_id']),
      isOk: part['is_error'] !== true,
      text: contentText(part['content']),
      ...(diff !== '' && {diff}),
    },
  ];
}

function parsePatch(result: Fields): string {
  return asList(result['structuredPatch'])
    .flatMap((hunk) => asList(asFields(hunk)['lines']).map(asText))
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
}

function parseLimit(info: Fields): readonly StreamEvent[] {
  if (info['status'] !== 'rejected') return [];
  const until = asAmount(info['resetsAt']) * 1000;
  return [
    {
      type: 'problem',
      problem: {
        kind: 'limit',
        said: `The limit ${asText(info['rateLimitType']).replaceAll('_', ' ')} is reached.`.replaceAll(
          / +/g,
          ' ',
        ),
        ...(until > 0 && {until}),
      },
    },
  ];
}

function parseEnd(record: Fields): readonly StreamEvent[] {
  const result = asText(record['result']);
  const denied = asList(record['permission_denials']).map((one) =>
    asText(asFields(one)['tool_name']),
  );
  return [
    {type: 'session', id: asText(record['session_id'])},
    ...(denied.length === 0
      ? []
      : [
          {
            type: 'notice' as const,
            text: `Denied: ${[...new Set(denied)].join(', ')}.`,
          },
        ]),
    {type: 'usage', usage: parseStartUsage(record), of: {what: 'start'}},
    record['is_error'] === true || record['subtype'] !== 'success'
      ? {type: 'problem', problem: parseProblem(record, result)}
      : {type: 'done', text: result},
    {type: 'turn-ended'},
  ];
}

function parseProblem(record: Fields, result: string): ReturnType<typeof classifyProblem> {
  const status = record['api_error_status'];
  const text =
    result ||
    asList(record['errors']).map(asText).join(' ') ||
    asText(record['subtype']).replaceAll('_', ' ');
  return classifyProblem(text, {
    name: `${asText(record['api_error_type'])} ${asText(record['terminal_reason'])}`,
    ...(typeof status === 'number' && {status}),
  });
}

/**
 * The sum over all models, including subagents, which the plain totals leave out. `total_cost_usd`
 * includes earlier starts.
 */
function parseStartUsage(record: Fields): Usage {
  const models = Object.values(asFields(record['model_usage_since_last_result'])).map(asFields);
  const cost = record['total_cost_usd'];
  if (models.length === 0)
    return {
      ...parseClaudeUsage(asFields(record['usage'])),
      ...(typeof cost === 'number' && cost >= 0 && {cost}),
    };
  const sum = (...names: readonly string[]): number =>
    models.reduce(
      (total, model) => names.reduce((more, name) => more + asAmount(model[name]), total),
      0,
    );
  return {
    input: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
    output: sum('outputTokens'),
    cost: sum('costUSD'),
  };
}

/** Cached tokens count as input. */
export function parseClaudeUsage(usage: Fields): Usage {
  return {
    input:
      asAmount(usage['input_tokens']) +
      asAmount(usage['cache_creation_input_tokens']) +
      asAmount(usage['cache_read_input_tokens']),
    output: asAmount(usage['output_tokens']),
  };
}

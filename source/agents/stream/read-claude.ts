import {noUsage, type Usage} from '../../domain/index.ts';
import type {AgentStream, ReadRecord} from './agent-stream.ts';
import {createParts, type Parts} from './create-parts.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `claude -p --output-format stream-json --verbose`, with `--include-partial-messages` where it is known: then each message comes in parts, and whole. */
export const claudeStream: AgentStream = {
  open,
  isProgress: ({type}) => type === 'stream_event',
  optional: '--include-partial-messages',
};

/** What is being written, by the agent itself (``) or by a helper of its, which goes by the id of the call that started it. */
type Writers = Map<string, {readonly parts: Parts; message: string; usage: Usage}>;

/** Helpers that are remembered; a real one has a few. */
const maxWriters = 100;

function open(): ReadRecord {
  const writers: Writers = new Map();
  return (record) => {
    const by = textOf(record['parent_tool_use_id']);
    if (!writers.has(by) && writers.size >= maxWriters) writers.clear();
    const writer = writers.get(by) ?? {parts: createParts(), message: '', usage: noUsage};
    writers.set(by, writer);
    return record['type'] === 'stream_event'
      ? partialOf(fieldsOf(record['event']), writer, by !== '')
      : read(record, writer.parts);
  };
}

type Writer = Writers extends Map<string, infer One> ? One : never;

/** An event of the service, as it came. What a helper writes is not shown. */
function partialOf(event: Fields, writer: Writer, isNested: boolean): readonly StreamEvent[] {
  const {parts} = writer;
  switch (event['type']) {
    case 'message_start': {
      const message = fieldsOf(event['message']);
      parts.clear();
      writer.message = textOf(message['id']);
      writer.usage = usageOf(fieldsOf(message['usage']));
      return [stepOf(writer.message, writer.usage)];
    }

    case 'content_block_start': {
      const block = fieldsOf(event['content_block']);
      if (block['type'] === 'tool_use')
        return [{type: 'tool-announced', id: textOf(block['id']), name: textOf(block['name'])}];
      if (block['type'] === 'text' && !isNested) parts.begin('text');
      if (block['type'] === 'thinking') parts.begin('thought');
      return [];
    }

    case 'content_block_delta': {
      const delta = fieldsOf(event['delta']);
      const given =
        delta['type'] === 'text_delta'
          ? parts.add('text', textOf(delta['text']))
          : delta['type'] === 'thinking_delta'
            ? parts.add('thought', textOf(delta['thinking']))
            : [];
      return given.length > 0 ? given : [{type: 'writing'}];
    }

    case 'message_delta': {
      const {output} = usageOf(fieldsOf(event['usage']));
      return [
        stepOf(writer.message, {...writer.usage, output: Math.max(output, writer.usage.output)}),
      ];
    }

    default:
      return [];
  }
}

function stepOf(message: string, usage: Usage): StreamEvent {
  return {type: 'usage', usage, of: {what: 'step', name: message}};
}

function read(record: Fields, parts: Parts): readonly StreamEvent[] {
  switch (record['type']) {
    case 'system':
      return systemOf(record);
    case 'assistant':
      return assistantOf(record, parts);
    case 'user':
      return listOf(fieldsOf(record['message'])['content'])
        .map(fieldsOf)
        .flatMap((part) => resultOf(part, record));
    case 'rate_limit_event':
      return limitOf(fieldsOf(record['rate_limit_info']));
    case 'result':
      return endOf(record);
    default:
      return [];
  }
}

function systemOf(record: Fields): readonly StreamEvent[] {
  if (record['subtype'] === 'init')
    return [{type: 'session', id: textOf(record['session_id']), model: textOf(record['model'])}];
  if (record['subtype'] === 'compact_boundary')
    return [{type: 'notice', text: 'The conversation was compacted.'}];
  if (record['subtype'] === 'api_retry') return [retryOf(record)];
  return [];
}

function retryOf(record: Fields): StreamEvent {
  const [status, attempt, of] = [
    amountOf(record['error_status']),
    amountOf(record['attempt']),
    amountOf(record['max_retries']),
  ];
  const waited = amountOf(fieldsOf(record['no_response'])['waited_ms']);
  const silence = waited > 0 ? `no answer in ${Math.round(waited / 1000)} s` : '';
  const said = textOf(record['error']) || textOf(fieldsOf(record['error'])['message']) || silence;
  return {
    type: 'retry',
    said,
    ...(status > 0 && {status}),
    ...(attempt > 0 && {attempt}),
    ...(of > 0 && {of}),
  };
}

function assistantOf(record: Fields, parts: Parts): readonly StreamEvent[] {
  const message = fieldsOf(record['message']);
  // It says errors as if the model had: the result says them again.
  if (message['model'] === '<synthetic>') return [];
  const isNested =
    record['parent_tool_use_id'] !== null && record['parent_tool_use_id'] !== undefined;
  return [
    ...listOf(message['content'])
      .map(fieldsOf)
      .flatMap((part) => partOf(part, isNested, parts)),
    stepOf(textOf(message['id']), usageOf(fieldsOf(message['usage']))),
  ];
}

function partOf(part: Fields, isNested: boolean, parts: Parts): readonly StreamEvent[] {
  switch (part['type']) {
    // What an agent of the agent says is no answer.
    case 'text':
      return isNested ? [{type: 'writing'}] : parts.finish('text', textOf(part['text']));
    case 'thinking':
      return parts.finish('thought', textOf(part['thinking']));
    case 'tool_use': {
      const [id, name, input] = [textOf(part['id']), textOf(part['name']), fieldsOf(part['input'])];
      const plan = name === 'ExitPlanMode' ? textOf(input['plan']) : '';
      return [
        ...(plan === '' ? [] : [{type: 'text' as const, text: plan}]),
        {type: 'tool-started', ...toolCallOf(id, name, plan === '' ? input : {})},
      ];
    }

    default:
      return [];
  }
}

function resultOf(part: Fields, record: Fields): readonly StreamEvent[] {
  if (part['type'] !== 'tool_result') return [];
  const diff = patchOf(fieldsOf(record['tool_use_result']));
  return [
    {
      type: 'tool-ended',
      id: textOf(part['tool_use_id']),
      isOk: part['is_error'] !== true,
      text: contentTextOf(part['content']),
      ...(diff !== '' && {diff}),
    },
  ];
}

function patchOf(result: Fields): string {
  return listOf(result['structuredPatch'])
    .flatMap((hunk) => listOf(fieldsOf(hunk)['lines']).map(textOf))
    .filter((line) => /^[+-]/.test(line))
    .join('\n');
}

function limitOf(info: Fields): readonly StreamEvent[] {
  if (info['status'] !== 'rejected') return [];
  const until = amountOf(info['resetsAt']) * 1000;
  return [
    {
      type: 'problem',
      problem: {
        kind: 'limit',
        said: `The limit ${textOf(info['rateLimitType']).replaceAll('_', ' ')} is reached.`.replaceAll(
          / +/g,
          ' ',
        ),
        ...(until > 0 && {until}),
      },
    },
  ];
}

function endOf(record: Fields): readonly StreamEvent[] {
  const result = textOf(record['result']);
  const denied = listOf(record['permission_denials']).map((one) =>
    textOf(fieldsOf(one)['tool_name']),
  );
  return [
    {type: 'session', id: textOf(record['session_id'])},
    ...(denied.length === 0
      ? []
      : [
          {
            type: 'notice' as const,
            text: `Not allowed, and so not done: ${[...new Set(denied)].join(', ')}.`,
          },
        ]),
    {type: 'usage', usage: startUsageOf(record), of: {what: 'start'}},
    record['is_error'] === true || record['subtype'] !== 'success'
      ? {type: 'problem', problem: problemIn(record, result)}
      : {type: 'done', text: result},
  ];
}

function problemIn(record: Fields, result: string): ReturnType<typeof problemOf> {
  const status = record['api_error_status'];
  const said =
    result ||
    listOf(record['errors']).map(textOf).join(' ') ||
    textOf(record['subtype']).replaceAll('_', ' ');
  return problemOf(said, {
    name: `${textOf(record['api_error_type'])} ${textOf(record['terminal_reason'])}`,
    ...(typeof status === 'number' && {status}),
  });
}

/** By model, with those of its helpers; the plain totals leave these out, and its cost goes on through a resume. */
function startUsageOf(record: Fields): Usage {
  const models = Object.values(fieldsOf(record['model_usage_since_last_result'])).map(fieldsOf);
  const cost = record['total_cost_usd'];
  if (models.length === 0)
    return {
      ...usageOf(fieldsOf(record['usage'])),
      ...(typeof cost === 'number' && cost >= 0 && {cost}),
    };
  const sum = (...names: readonly string[]): number =>
    models.reduce(
      (total, model) => names.reduce((more, name) => more + amountOf(model[name]), total),
      0,
    );
  return {
    input: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'),
    output: sum('outputTokens'),
    cost: sum('costUSD'),
  };
}

/** What was read from the cache was read all the same. */
function usageOf(usage: Fields): Usage {
  return {
    input:
      amountOf(usage['input_tokens']) +
      amountOf(usage['cache_creation_input_tokens']) +
      amountOf(usage['cache_read_input_tokens']),
    output: amountOf(usage['output_tokens']),
  };
}

import type {Usage} from '../../domain/index.ts';
import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `claude -p --output-format stream-json --verbose`. */
export const claudeStream: AgentStream = {read};

function read(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'system':
      return systemOf(record);
    case 'assistant':
      return assistantOf(record);
    case 'user':
      return listOf(fieldsOf(record['message'])['content']).map(fieldsOf).flatMap((part) => resultOf(part, record));
    case 'rate_limit_event':
      return limitOf(fieldsOf(record['rate_limit_info']));
    case 'result':
      return endOf(record);
    default:
      return [];
  }
}

function systemOf(record: Fields): readonly StreamEvent[] {
  if (record['subtype'] === 'init') return [{type: 'session', id: textOf(record['session_id']), model: textOf(record['model'])}];
  if (record['subtype'] === 'compact_boundary') return [{type: 'notice', text: 'The conversation was compacted.'}];
  if (record['subtype'] === 'api_retry') return [{type: 'notice', text: `The service failed (${textOf(record['error']) || String(amountOf(record['error_status']))}); trying again.`}];
  return [];
}

function assistantOf(record: Fields): readonly StreamEvent[] {
  const message = fieldsOf(record['message']);
  // It says errors as if the model had: the result says them again.
  if (message['model'] === '<synthetic>') return [];
  const step: StreamEvent = {type: 'usage', usage: usageOf(fieldsOf(message['usage'])), of: {what: 'step', name: textOf(message['id'])}};
  return [...listOf(message['content']).map(fieldsOf).flatMap((part) => partOf(part, record['parent_tool_use_id'] !== null && record['parent_tool_use_id'] !== undefined)), step];
}

function partOf(part: Fields, isNested: boolean): readonly StreamEvent[] {
  switch (part['type']) {
    // What an agent of the agent says is no answer.
    case 'text':
      return isNested ? [] : [{type: 'text', text: textOf(part['text'])}];
    case 'thinking':
      return [{type: 'thought', text: textOf(part['thinking'])}];
    case 'tool_use': {
      const [id, name, input] = [textOf(part['id']), textOf(part['name']), fieldsOf(part['input'])];
      const plan = name === 'ExitPlanMode' ? textOf(input['plan']) : '';
      return [...(plan === '' ? [] : [{type: 'text' as const, text: plan}]), {type: 'tool-started', ...toolCallOf(id, name, plan === '' ? input : {})}];
    }

    default:
      return [];
  }
}

function resultOf(part: Fields, record: Fields): readonly StreamEvent[] {
  if (part['type'] !== 'tool_result') return [];
  const diff = patchOf(fieldsOf(record['tool_use_result']));
  return [{type: 'tool-ended', id: textOf(part['tool_use_id']), isOk: part['is_error'] !== true, text: contentTextOf(part['content']), ...(diff !== '' && {diff})}];
}

function patchOf(result: Fields): string {
  return listOf(result['structuredPatch']).flatMap((hunk) => listOf(fieldsOf(hunk)['lines']).map(textOf)).filter((line) => /^[+-]/.test(line)).join('\n');
}

function limitOf(info: Fields): readonly StreamEvent[] {
  if (info['status'] !== 'rejected') return [];
  const until = amountOf(info['resetsAt']) * 1000;
  return [{type: 'problem', problem: {kind: 'limit', said: `The limit ${textOf(info['rateLimitType']).replaceAll('_', ' ')} is reached.`.replaceAll(/ +/g, ' '), ...(until > 0 && {until})}}];
}

function endOf(record: Fields): readonly StreamEvent[] {
  const result = textOf(record['result']);
  const denied = listOf(record['permission_denials']).map((one) => textOf(fieldsOf(one)['tool_name']));
  return [
    {type: 'session', id: textOf(record['session_id'])},
    ...(denied.length === 0 ? [] : [{type: 'notice' as const, text: `Not allowed, and so not done: ${[...new Set(denied)].join(', ')}.`}]),
    {type: 'usage', usage: startUsageOf(record), of: {what: 'start'}},
    record['is_error'] === true || record['subtype'] !== 'success' ? {type: 'problem', problem: problemIn(record, result)} : {type: 'done', text: result},
  ];
}

function problemIn(record: Fields, result: string): ReturnType<typeof problemOf> {
  const status = record['api_error_status'];
  const said = result || listOf(record['errors']).map(textOf).join(' ') || textOf(record['subtype']).replaceAll('_', ' ');
  return problemOf(said, {name: `${textOf(record['api_error_type'])} ${textOf(record['terminal_reason'])}`, ...(typeof status === 'number' && {status})});
}

/** By model, with those of its helpers; the plain totals leave these out, and its cost goes on through a resume. */
function startUsageOf(record: Fields): Usage {
  const models = Object.values(fieldsOf(record['model_usage_since_last_result'])).map(fieldsOf);
  const cost = record['total_cost_usd'];
  if (models.length === 0) return {...usageOf(fieldsOf(record['usage'])), ...(typeof cost === 'number' && cost >= 0 && {cost})};
  const sum = (...names: readonly string[]): number => models.reduce((total, model) => names.reduce((more, name) => more + amountOf(model[name]), total), 0);
  return {input: sum('inputTokens', 'cacheReadInputTokens', 'cacheCreationInputTokens'), output: sum('outputTokens'), cost: sum('costUSD')};
}

/** What was read from the cache was read all the same. */
function usageOf(usage: Fields): Usage {
  return {input: amountOf(usage['input_tokens']) + amountOf(usage['cache_creation_input_tokens']) + amountOf(usage['cache_read_input_tokens']), output: amountOf(usage['output_tokens'])};
}

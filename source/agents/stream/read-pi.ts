import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `pi --mode json`. Each update repeats the whole message so far: what a message says is read at its end. */
export const piStream: AgentStream = {read, isProgress: ({type}) => type === 'message_update' || type === 'tool_execution_update'};

function read(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'session':
      return [{type: 'session', id: textOf(record['id'])}];
    case 'message_end':
      return messageOf(fieldsOf(record['message']));
    case 'tool_execution_start':
      return [{type: 'tool-started', ...toolCallOf(textOf(record['toolCallId']), textOf(record['toolName']), record['args'])}];
    case 'tool_execution_end':
      return [{type: 'tool-ended', id: textOf(record['toolCallId']), isOk: record['isError'] !== true, text: contentTextOf(fieldsOf(record['result'])['content'])}];
    case 'auto_retry_start':
      return [{type: 'notice', text: `${textOf(record['errorMessage'])}; trying again (${amountOf(record['attempt'])} of ${amountOf(record['maxAttempts'])}).`}];
    case 'compaction_start':
      return [{type: 'notice', text: 'The conversation is being compacted.'}];
    default:
      return [];
  }
}

function messageOf(message: Fields): readonly StreamEvent[] {
  if (message['role'] !== 'assistant') return [];
  const usage = fieldsOf(message['usage']);
  return [
    ...listOf(message['content']).map(fieldsOf).flatMap(partOf),
    {
      type: 'usage',
      usage: {input: amountOf(usage['input']) + amountOf(usage['cacheRead']) + amountOf(usage['cacheWrite']), output: amountOf(usage['output']), cost: amountOf(fieldsOf(usage['cost'])['total'])},
      of: {what: 'step', name: `${textOf(message['responseId'])} ${amountOf(message['timestamp'])}`},
    },
    ...endOf(message),
  ];
}

function partOf(part: Fields): readonly StreamEvent[] {
  if (part['type'] === 'text') return [{type: 'text', text: textOf(part['text'])}];
  return part['type'] === 'thinking' ? [{type: 'thought', text: textOf(part['thinking'])}] : [];
}

function endOf(message: Fields): readonly StreamEvent[] {
  switch (message['stopReason']) {
    case 'stop':
      return [{type: 'done'}];
    case 'toolUse':
      return [];
    case 'length':
      return [{type: 'problem', problem: {kind: 'too-long', said: 'Its answer was cut off: it is longer than the model may say at once.'}}];
    default:
      return [{type: 'problem', problem: problemOf(textOf(message['errorMessage']) || 'aborted', {name: textOf(message['stopReason'])})}];
  }
}

import type {AgentStream, ReadRecord} from './agent-stream.ts';
import {createParts, type Parts} from './create-parts.ts';
import {type Fields, amountOf, contentTextOf, fieldsOf, listOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `pi --mode json`. Each update repeats the whole message so far beside what is new in it. */
export const piStream: AgentStream = {
  open,
  isProgress: ({type}) => type === 'message_update' || type === 'tool_execution_update',
};

function open(): ReadRecord {
  const parts = createParts();
  return (record) => read(record, parts);
}

function read(record: Fields, parts: Parts): readonly StreamEvent[] {
  switch (record['type']) {
    case 'session':
      return [{type: 'session', id: textOf(record['id'])}];
    case 'message_start':
      parts.clear();
      return [];
    case 'message_update':
      return updateOf(fieldsOf(record['assistantMessageEvent']), parts);
    case 'tool_execution_update':
      return [{type: 'writing'}];
    case 'message_end':
      return messageOf(fieldsOf(record['message']), parts);
    case 'tool_execution_start':
      return [
        {
          type: 'tool-started',
          ...toolCallOf(textOf(record['toolCallId']), textOf(record['toolName']), record['args']),
        },
      ];
    case 'tool_execution_end':
      return [
        {
          type: 'tool-ended',
          id: textOf(record['toolCallId']),
          isOk: record['isError'] !== true,
          text: contentTextOf(fieldsOf(record['result'])['content']),
        },
      ];
    case 'auto_retry_start':
      return [retryOf(record)];
    case 'compaction_start':
      return [{type: 'notice', text: 'The conversation is being compacted.'}];
    default:
      return [];
  }
}

function retryOf(record: Fields): StreamEvent {
  const said = textOf(record['errorMessage']);
  const status = /^([45]\d\d)\b/.exec(said)?.[1];
  return {
    type: 'retry',
    said,
    ...(status !== undefined && {status: Number(status)}),
    attempt: amountOf(record['attempt']),
    of: amountOf(record['maxAttempts']),
  };
}

/** What it writes just now. Thoughts, texts and calls are written one after the other, and counted together. */
function updateOf(event: Fields, parts: Parts): readonly StreamEvent[] {
  switch (event['type']) {
    case 'text_start':
      parts.begin('text');
      return [];
    case 'thinking_start':
      parts.begin('thought');
      return [];
    case 'text_delta':
      return parts.add('text', textOf(event['delta']));
    case 'thinking_delta':
      return parts.add('thought', textOf(event['delta']));
    case 'toolcall_start': {
      const call = fieldsOf(
        listOf(fieldsOf(event['partial'])['content'])[amountOf(event['contentIndex'])],
      );
      const [id, name] = [textOf(call['id']), textOf(call['name'])];
      return id === '' || name === '' ? [{type: 'writing'}] : [{type: 'tool-announced', id, name}];
    }

    case 'toolcall_delta':
      return [{type: 'writing'}];
    default:
      return [];
  }
}

function messageOf(message: Fields, parts: Parts): readonly StreamEvent[] {
  if (message['role'] !== 'assistant') return [];
  const usage = fieldsOf(message['usage']);
  return [
    ...listOf(message['content'])
      .map(fieldsOf)
      .flatMap((part) => partOf(part, parts)),
    {
      type: 'usage',
      usage: {
        input:
          amountOf(usage['input']) + amountOf(usage['cacheRead']) + amountOf(usage['cacheWrite']),
        output: amountOf(usage['output']),
        cost: amountOf(fieldsOf(usage['cost'])['total']),
      },
      of: {
        what: 'step',
        name: `${textOf(message['responseId'])} ${amountOf(message['timestamp'])}`,
      },
    },
    ...endOf(message),
  ];
}

function partOf(part: Fields, parts: Parts): readonly StreamEvent[] {
  if (part['type'] === 'text') return parts.finish('text', textOf(part['text']));
  return part['type'] === 'thinking' ? parts.finish('thought', textOf(part['thinking'])) : [];
}

function endOf(message: Fields): readonly StreamEvent[] {
  switch (message['stopReason']) {
    case 'stop':
      return [{type: 'done'}];
    case 'toolUse':
      return [];
    case 'length':
      return [
        {
          type: 'problem',
          problem: {
            kind: 'too-long',
            said: 'Its answer was cut off: it is longer than the model may say at once.',
          },
        },
      ];
    default:
      return [
        {
          type: 'problem',
          problem: problemOf(textOf(message['errorMessage']) || 'aborted', {
            name: textOf(message['stopReason']),
          }),
        },
      ];
  }
}

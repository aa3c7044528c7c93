import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, fieldsOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `opencode run --format json`. */
export const opencodeStream: AgentStream = {
  tellsToolsLate: true,
  open: () => (record) => {
    const id = textOf(record['sessionID']);
    return [
      ...(id === '' ? [] : [{type: 'session' as const, id}]),
      ...read(record, fieldsOf(record['part'])),
    ];
  },
};

function read(record: Fields, part: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'text':
      return [{type: 'text', text: textOf(part['text'])}];
    case 'reasoning':
      return [{type: 'thought', text: textOf(part['text'])}];
    case 'tool_use':
      return toolOf(part);
    case 'step_finish':
      return stepOf(part);
    case 'error':
      return errorOf(fieldsOf(record['error']));
    default:
      return [];
  }
}

/** A tool is told of when it is over. */
function toolOf(part: Fields): readonly StreamEvent[] {
  const id = textOf(part['callID']);
  const state = fieldsOf(part['state']);
  const code = fieldsOf(state['metadata'])['exit'];
  const isOk = state['status'] === 'completed' && (typeof code !== 'number' || code === 0);
  return [
    {type: 'tool-started', ...toolCallOf(id, textOf(part['tool']), state['input'])},
    {
      type: 'tool-ended',
      id,
      isOk,
      text:
        typeof code === 'number' && code !== 0
          ? `exit code ${code}: ${textOf(state['output'])}`
          : textOf(state['output']) || textOf(state['error']),
    },
  ];
}

function stepOf(part: Fields): readonly StreamEvent[] {
  const tokens = fieldsOf(part['tokens']);
  const cache = fieldsOf(tokens['cache']);
  const usage = {
    input: amountOf(tokens['input']) + amountOf(cache['read']) + amountOf(cache['write']),
    output: amountOf(tokens['output']) + amountOf(tokens['reasoning']),
    cost: amountOf(part['cost']),
  };
  return [
    {type: 'usage', usage, of: {what: 'step', name: textOf(part['id'])}},
    ...(part['reason'] === 'tool-calls' ? [] : [{type: 'done' as const}]),
  ];
}

function errorOf(error: Fields): readonly StreamEvent[] {
  const data = fieldsOf(error['data']);
  const status = data['statusCode'];
  return [
    {
      type: 'problem',
      problem: problemOf(
        textOf(data['message']) || textOf(error['message']) || textOf(error['name']),
        {name: textOf(error['name']), ...(typeof status === 'number' && {status})},
      ),
    },
  ];
}

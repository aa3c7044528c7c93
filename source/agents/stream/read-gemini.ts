import type {Usage} from '../../domain/index.ts';
import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, fieldsOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `gemini -o stream-json`. */
export const geminiStream: AgentStream = {read};

function read(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'init':
      return [{type: 'session', id: textOf(record['session_id']), model: textOf(record['model'])}];
    case 'message':
      return record['role'] === 'assistant' ? [{type: 'text', text: textOf(record['content']), ...(record['delta'] === true && {isPart: true as const})}] : [];
    case 'tool_use':
      return [{type: 'tool-started', ...toolCallOf(textOf(record['tool_id']), textOf(record['tool_name']), record['parameters'])}];
    case 'tool_result':
      return [{type: 'tool-ended', id: textOf(record['tool_id']), isOk: record['status'] === 'success', text: textOf(record['output']) || textOf(fieldsOf(record['error'])['message'])}];
    case 'error':
      return [{type: 'notice', text: textOf(record['message'])}];
    case 'result':
      return endOf(record);
    default:
      return [];
  }
}

function endOf(record: Fields): readonly StreamEvent[] {
  const stats = fieldsOf(record['stats']);
  const usage: Usage = {input: amountOf(stats['input_tokens']), output: amountOf(stats['output_tokens'])};
  const error = fieldsOf(record['error']);
  return [
    {type: 'usage', usage, of: {what: 'start'}},
    record['status'] === 'success' ? {type: 'done'} : {type: 'problem', problem: problemOf(textOf(error['message']), {name: textOf(error['type'])})},
  ];
}

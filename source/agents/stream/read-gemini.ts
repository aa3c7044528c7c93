import type {Usage} from '../../domain/index.ts';
import type {AgentStream} from './agent-stream.ts';
import {type Fields, amountOf, fieldsOf, textOf} from './fields.ts';
import {problemOf} from './problem-of.ts';
import {noticeOf} from './retry-in.ts';
import type {StreamEvent} from './stream-event.ts';
import {toolCallOf} from './tool-call-of.ts';

/** `gemini -o stream-json`. It counts at the end; meanwhile its own record of the conversation is counted. */
export const geminiStream: AgentStream = {
  open: () => read,
  earlier: {
    directory: (home, env) => `${env['GEMINI_CLI_HOME'] ?? home}/.gemini/tmp`,
    fileEnd: (conversation) => `-${conversation.slice(0, 8)}.jsonl`,
    read: readRecord,
  },
};

/** Its messages, one on each line; one that has changed comes again, with the same name. */
function readRecord(text: string): Usage | undefined {
  const messages = new Map<string, Usage>();
  for (const line of text.split('\n').filter((one) => one.includes('"tokens"'))) {
    try {
      const message = fieldsOf(JSON.parse(line));
      const tokens = fieldsOf(message['tokens']);
      messages.set(textOf(message['id']), {
        input: amountOf(tokens['input']),
        output: amountOf(tokens['output']),
      });
    } catch {
      // Half a line: it is being written.
    }
  }

  const all = [...messages.values()];
  return all.length === 0
    ? undefined
    : {
        input: all.reduce((sum, {input}) => sum + input, 0),
        output: all.reduce((sum, {output}) => sum + output, 0),
      };
}

function read(record: Fields): readonly StreamEvent[] {
  switch (record['type']) {
    case 'init':
      return [{type: 'session', id: textOf(record['session_id']), model: textOf(record['model'])}];
    case 'message':
      return record['role'] === 'assistant'
        ? [
            {
              type: 'text',
              text: textOf(record['content']),
              ...(record['delta'] === true && {isPart: true as const}),
            },
          ]
        : [];
    case 'tool_use':
      return [
        {
          type: 'tool-started',
          ...toolCallOf(
            textOf(record['tool_id']),
            textOf(record['tool_name']),
            record['parameters'],
          ),
        },
      ];
    case 'tool_result':
      return [
        {
          type: 'tool-ended',
          id: textOf(record['tool_id']),
          isOk: record['status'] === 'success',
          text: textOf(record['output']) || textOf(fieldsOf(record['error'])['message']),
        },
      ];
    case 'error':
      return [noticeOf(textOf(record['message']))];
    case 'result':
      return endOf(record);
    default:
      return [];
  }
}

function endOf(record: Fields): readonly StreamEvent[] {
  const stats = fieldsOf(record['stats']);
  const usage: Usage = {
    input: amountOf(stats['input_tokens']),
    output: amountOf(stats['output_tokens']),
  };
  const error = fieldsOf(record['error']);
  return [
    {type: 'usage', usage, of: {what: 'start'}},
    record['status'] === 'success'
      ? {type: 'done'}
      : {
          type: 'problem',
          problem: problemOf(textOf(error['message']), {name: textOf(error['type'])}),
        },
  ];
}

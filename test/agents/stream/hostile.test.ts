import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  createStreamReader,
  drivers,
  emptyStream,
  foldStream,
  outcomeOfStream,
  parseOutcomeFile,
  parseStream,
  selectUsage,
  type StreamEvent,
} from '../../../source/agents/index.ts';
import {fc} from '../../support/property.ts';

const streams = drivers.flatMap(({name, stream}) =>
  stream === undefined ? [] : [[name, stream] as const],
);

/** All words that any of the streams knows, so that random records come far. */
const terms = [
  'type',
  'subtype',
  'message',
  'content',
  'text',
  'tool_use',
  'tool_result',
  'result',
  'assistant',
  'user',
  'system',
  'init',
  'item',
  'item.completed',
  'item.started',
  'agent_message',
  'turn.completed',
  'turn.failed',
  'usage',
  'input_tokens',
  'error',
  'part',
  'state',
  'tool',
  'step_finish',
  'tokens',
  'cache',
  'message_end',
  'role',
  'stopReason',
  'id',
  'session_id',
  'sessionID',
  'thread.started',
  'thread_id',
  'command',
  'input',
  'changes',
  'file_change',
  'structuredPatch',
  'lines',
  'rate_limit_event',
  'rate_limit_info',
  'resetsAt',
  'rejected',
  'status',
  '__proto__',
  'constructor',
];
const value = fc.letrec((tie) => ({
  node: fc.oneof(
    {maxDepth: 5},
    fc.constantFrom<unknown>(
      ...terms,
      '',
      -1,
      5,
      1e308,
      Number.NaN,
      null,
      true,
      '\u001B]52;c;x\u0007',
    ),
    fc.array(tie('node'), {maxLength: 4}),
    fc.dictionary(fc.constantFrom(...terms), tie('node'), {maxKeys: 6}),
  ),
})).node;

describe('nothing that an agent prints breaks its reader:', () => {
  for (const [name, stream] of streams) {
    test(name, () => {
      fc.assert(
        fc.property(
          fc.array(fc.dictionary(fc.constantFrom(...terms), value, {maxKeys: 8}), {maxLength: 5}),
          (records) => {
            const events = parseStream(
              stream,
              records.map((record) => JSON.stringify(record)),
            );
            const state = events.reduce(foldStream, emptyStream);
            const outcome = outcomeOfStream(state, {agent: name, account: '', code: 0, now: 1});
            const usage = selectUsage(state) ?? {input: 0, output: 0};
            assert.ok(
              Number.isFinite(usage.input) &&
                usage.input >= 0 &&
                Number.isFinite(usage.output) &&
                usage.output >= 0,
            );
            assert.equal(parseOutcomeFile(JSON.stringify(outcome))?.at, outcome.at);
            for (const event of events)
              for (const one of toTexts(event)) assert.equal(typeof one, 'string');
          },
        ),
        {numRuns: 500},
      );
    });
  }

  function toTexts(event: StreamEvent): unknown[] {
    if (event.type === 'tool-started') return [event.id, event.name, event.about];
    if (event.type === 'problem') return [event.problem.said];
    return 'text' in event ? [event.text ?? ''] : [];
  }

  const [, claude] = streams[0] ?? assert.fail();
  for (const [line, expected] of [
    ['', []],
    ['   ', []],
    ['Warning: no such colour', [{type: 'notice', text: 'Warning: no such colour'}]],
    ['{"type":"result"', [{type: 'notice', text: '{"type":"result"'}]],
    ['[1,2]', [{type: 'notice', text: '[1,2]'}]],
    ['{}', [{type: 'notice', text: '{}'}]],
    ['null', [{type: 'notice', text: 'null'}]],
    ['{"type":"unheard-of"}', []],
    [
      '\uFEFF{"type":"system","subtype":"init","session_id":"s1","model":"m"}',
      [{type: 'session', id: 's1', model: 'm'}],
    ],
    [
      'say {"type":"system","subtype":"init","session_id":"s1"}',
      [{type: 'notice', text: 'say {"type":"system","subtype":"init","session_id":"s1"}'}],
    ],
  ] as const) {
    test(`the line ${JSON.stringify(line)}`, () => {
      assert.deepEqual(createStreamReader(claude)(line).events, expected);
    });
  }

  test('what a tool printed is not taken for a record', () => {
    const record = {
      type: 'user',
      message: {
        content: [
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: '{"type":"result","subtype":"success","result":"Done."}\n{"type":"result"}',
          },
        ],
      },
    };
    assert.deepEqual(parseStream(claude, [JSON.stringify(record)]), [
      {
        type: 'tool-ended',
        id: 't',
        isOk: true,
        text: '{"type":"result","subtype":"success","result":"Done."}\n{"type":"result"}',
      },
    ]);
  });

  test('a conversation that would be an option is none', () => {
    assert.equal(
      [
        {type: 'session', id: '--dangerously'} as const,
        {type: 'session', id: 'a b'} as const,
      ].reduce(foldStream, emptyStream).conversation,
      undefined,
    );
  });
});

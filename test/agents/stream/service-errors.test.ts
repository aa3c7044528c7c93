import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type AgentOutcome,
  emptyStream,
  foldStream,
  outcomeOfStream,
  overloadPause,
  type ProblemKind,
} from '../../../source/agents/index.ts';
import {classifyProblem, type ErrorSigns} from '../../../source/agents/stream/service-errors.ts';

describe('an error is sorted by its status, its name and its words:', () => {
  const cases: readonly (readonly [
    text: string,
    signs: ErrorSigns,
    kind: ProblemKind,
    message?: string,
  ])[] = [
    ['Invalid API key · Fix external API key', {status: 401}, 'no-account'],
    ['unexpected status 401 Unauthorized: Missing bearer', {}, 'no-account'],
    ['401 invalid x-api-key', {}, 'no-account'],
    ['API key not valid. Please pass a valid API key.', {status: 400}, 'no-account'],
    ['Your access token could not be refreshed. Please log in again.', {}, 'no-account'],
    ['Forbidden', {status: 403}, 'no-account'],
    ['API Error: Request rejected (429) · Rate limited, try later', {}, 'limit'],
    ['exceeded retry limit, last status: 429 Too Many Requests', {}, 'limit'],
    ['You’ve hit your usage limit.', {}, 'limit'],
    ['Credit balance is too low', {status: 400}, 'limit'],
    ['Insufficient credit balance.', {status: 402}, 'limit'],
    [
      '[API Error: {"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]',
      {},
      'limit',
      'Resource has been exhausted',
    ],
    ['API Error: 500 Internal server error.', {}, 'overload'],
    ['Overloaded', {status: 529}, 'overload'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', {}, 'overload'],
    ['stream disconnected before completion: error sending request for url', {}, 'overload'],
    ['connect ECONNREFUSED 127.0.0.1:1', {}, 'overload'],
    [
      '[API Error: {"error":{"code":500,"message":"Internal","status":"INTERNAL"}}]',
      {},
      'overload',
      'Internal',
    ],
    [
      "There's an issue with the selected model (x). It may not exist or you may not have access to it.",
      {status: 404},
      'no-model',
    ],
    ['The model `x` does not exist', {name: 'model_not_found'}, 'no-model'],
    ['prompt is too long: 250000 tokens > 200000 maximum', {status: 400}, 'too-long'],
    ['x', {name: 'ContextOverflowError'}, 'too-long'],
    [
      '{"error":{"code":"context_length_exceeded","message":"Too much."}}',
      {},
      'too-long',
      'Too much.',
    ],
    ['', {name: 'aborted_streaming'}, 'aborted'],
    ['Request interrupted by user', {}, 'aborted'],
    ['messages.1: tool_use ids must be unique', {status: 400}, 'model-error'],
    ['{"broken', {}, 'model-error'],
  ];
  for (const [text, signs, kind, message = text] of cases) {
    test(`${text} ${JSON.stringify(signs)}`, () => {
      assert.deepEqual(classifyProblem(text, signs), {kind, said: message});
    });
  }
});

describe('what is done about it:', () => {
  const now = 1_000_000;
  const cases: readonly (readonly [
    kind: ProblemKind,
    text: string,
    until: number | undefined,
    outcome: AgentOutcome,
  ])[] = [
    [
      'no-account',
      'No key.',
      undefined,
      {at: 'unavailable', words: 'mine has no account here: No key. Log in.'},
    ],
    [
      'limit',
      'Enough.',
      undefined,
      {at: 'unavailable', words: 'mine has reached a limit: Enough.'},
    ],
    [
      'limit',
      'Enough.',
      5_000_000,
      {at: 'unavailable', words: 'mine has reached a limit: Enough.', until: 5_000_000},
    ],
    [
      'limit',
      'Retry in 10s.',
      undefined,
      {at: 'unavailable', words: 'mine has reached a limit: Retry in 10s.', until: now + 10_000},
    ],
    [
      'overload',
      'Busy.',
      undefined,
      {
        at: 'unavailable',
        words: 'mine cannot reach its service, or it is too busy: Busy.',
        until: now + overloadPause,
      },
    ],
    [
      'no-model',
      'Which?',
      undefined,
      {at: 'unavailable', words: 'mine has no access to that model: Which?'},
    ],
    [
      'too-long',
      'Long.',
      undefined,
      {at: 'failed', words: 'mine has a conversation that exceeds the context of the model: Long.'},
    ],
    [
      'aborted',
      '',
      undefined,
      {at: 'interrupted', words: 'mine was interrupted: it gave no reason'},
    ],
    [
      'model-error',
      'Bad.',
      undefined,
      {at: 'failed', words: 'mine got an error from its service: Bad.'},
    ],
  ];
  for (const [kind, text, until, outcome] of cases) {
    test(`${kind}: ${text}`, () => {
      const state = foldStream(emptyStream, {
        type: 'problem',
        problem: {kind, said: text, ...(until !== undefined && {until})},
      });
      assert.deepEqual(
        outcomeOfStream(state, {agent: 'mine', account: 'Log in.', code: 1, now}),
        outcome,
      );
      assert.deepEqual(
        outcomeOfStream(state, {agent: 'mine', account: 'Log in.', code: 0, now}),
        outcome,
      );
    });
  }

  test('a problem that was overcome is none', () => {
    const state = [
      {type: 'problem', problem: {kind: 'overload', said: 'Busy.'}} as const,
      {type: 'text', text: 'Yes.'} as const,
      {type: 'done'} as const,
    ].reduce(foldStream, emptyStream);
    assert.deepEqual(outcomeOfStream(state, {agent: 'mine', account: '', code: 0, now}), {
      at: 'finished',
      words: 'Yes.',
    });
  });

  test('a time that was told once holds for the words that follow', () => {
    const state = [
      {type: 'problem', problem: {kind: 'limit', said: 'a', until: 7_000_000}} as const,
      {type: 'problem', problem: {kind: 'limit', said: 'b'}} as const,
    ].reduce(foldStream, emptyStream);
    assert.deepEqual(outcomeOfStream(state, {agent: 'mine', account: '', code: 1, now}), {
      at: 'unavailable',
      words: 'mine has reached a limit: b',
      until: 7_000_000,
    });
  });

  test('without a stream there are only its last words', () => {
    const end = {agent: 'mine', account: 'Log in.', now};
    assert.deepEqual(outcomeOfStream(emptyStream, {...end, code: 1, lastText: 'boom'}), {
      at: 'failed',
      words: 'mine exited with code 1 before it finished. Its last output: boom',
    });
    assert.deepEqual(
      outcomeOfStream(emptyStream, {...end, code: 1, lastText: 'Please set an Auth method'}),
      {at: 'unavailable', words: 'mine has no account here: Please set an Auth method Log in.'},
    );
    assert.deepEqual(outcomeOfStream(emptyStream, {...end, code: 0}), {
      at: 'failed',
      words: 'mine ended without finishing its answer.',
    });
    assert.deepEqual(outcomeOfStream(emptyStream, {...end, code: 0, signal: 'SIGTERM'}), {
      at: 'interrupted',
      words: 'mine was stopped by SIGTERM.',
    });
  });
});

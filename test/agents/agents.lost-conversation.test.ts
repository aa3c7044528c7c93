import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  emptyStream,
  findLostConversation,
  foldStream,
  outcomeOfStream,
  type StreamEvent,
} from '../../source/agents/index.ts';

/**
 * Headless, then on its own screen: as the real CLIs say it (docs/agents.md has their versions).
 */
const real: readonly (readonly [agent: string, line: string])[] = [
  ['claude', 'No conversation found with session ID: 4f1c0000-0000-4000-8000-00000000000f'],
  [
    'codex',
    'Error: thread/resume: thread/resume failed: no rollout found for thread id 019a8f00-0000-7000-8000-00000000000f (code -32600)',
  ],
  [
    'codex',
    'ERROR: No saved session found with ID 019a8f00-0000-7000-8000-00000000000f. Run `codex resume` without an ID to choose from existing sessions.',
  ],
  ['gemini', 'Error resuming session: No previous sessions found for this project.'],
  [
    'gemini',
    'Error resuming session: Invalid session identifier "4f1c0000-0000-4000-8000-00000000000f".',
  ],
  [
    'gemini',
    'Use --list-sessions to see available sessions, then use --resume {number}, --resume {uuid}, or --resume latest.',
  ],
  ['opencode', 'Error: Session not found'],
  ['opencode', 'Error: Session not found: ses_0000000000000000000000000a'],
  ['pi', "No session found matching '019a8f00-0000-7000-8000-00000000000f'"],
];

for (const [agent, line] of real) {
  test(`${agent} has lost its conversation when it says: ${line}`, () => {
    assert.equal(findLostConversation(agent, line), line);
    assert.equal(findLostConversation(agent, `Warning: no true color\r\n\r\n  ${line}\r\n`), line);
  });
}

describe('it is not lost', () => {
  for (const text of [
    'Failed to authenticate. API Error: 401 invalid x-api-key',
    'unexpected status 401 Unauthorized',
    'Rate limit reached',
    'API Error: 404 model not found',
    'fetch failed: ENOTFOUND',
    'Error: Model not found: x/y',
    'I could not say "No conversation found with session ID: 1", nor Error: Session not found.',
    'Error resuming session: EACCES: permission denied',
    '',
  ]) {
    test(`when any agent says: ${text}`, () => {
      for (const agent of ['claude', 'codex', 'gemini', 'opencode', 'pi'])
        assert.equal(findLostConversation(agent, text), undefined, agent);
    });
  }

  test('when another agent says so, or one that nobody knows', () => {
    for (const [agent, line] of real) {
      for (const other of ['claude', 'codex', 'gemini', 'opencode', 'pi', 'playbook', 'own'].filter(
        (name) => name !== agent,
      ))
        assert.equal(findLostConversation(other, line), undefined, `${other}: ${line}`);
    }
  });

  test('when it says so among much else', () => {
    for (const [agent, line] of real) {
      assert.equal(findLostConversation(agent, `${'A line.\n'.repeat(12)}${line}`), undefined);
      assert.equal(findLostConversation(agent, `${'x'.repeat(4000)}\n${line}`), undefined);
    }
  });
});

describe('a stream that ends with those words', () => {
  const end = {agent: 'claude', account: 'Log in; then resume.', code: 1, now: 0};
  const text = real[0]?.[1] ?? '';
  const rejected: StreamEvent = {type: 'problem', problem: {kind: 'model-error', said: text}};
  const getAt = (events: readonly StreamEvent[], more: object = {}): string =>
    outcomeOfStream(events.reduce(foldStream, emptyStream), {...end, ...more}).at;

  test('is a lost conversation, which has no name to go on with', () => {
    assert.deepEqual(
      outcomeOfStream(
        [{type: 'session', id: 'c1'} as const, rejected].reduce(foldStream, emptyStream),
        end,
      ),
      {at: 'conversation-lost', words: `claude has lost its conversation: ${text}`},
    );
    assert.equal(getAt([], {lastText: text}), 'conversation-lost');
  });

  for (const [what, event] of [
    ['said', {type: 'text', text: 'I begin.'}],
    ['thought', {type: 'thought', text: 'Hm.'}],
    ['called a tool', {type: 'tool-started', id: '1', name: 'Bash', about: 'ls'}],
    ['used tokens', {type: 'usage', usage: {input: 1, output: 0}, of: {what: 'start'}}],
  ] as const satisfies readonly (readonly [string, StreamEvent])[]) {
    test(`is a failure like any other if it ${what} before`, () => {
      assert.equal(getAt([event, rejected]), 'failed');
      assert.equal(getAt([event], {lastText: text, hasTrailingText: true}), 'failed');
    });
  }

  test('is a failure like any other with exit code 0, and an interruption if somebody stopped it', () => {
    assert.deepEqual(
      [
        getAt([rejected], {code: 0}),
        getAt([rejected], {code: null}),
        getAt([rejected], {signal: 'SIGTERM'}),
      ],
      ['failed', 'failed', 'interrupted'],
    );
  });

  test('is what its service said if that refused', () => {
    for (const [kind, at] of [
      ['no-account', 'unavailable'],
      ['limit', 'unavailable'],
      ['overload', 'unavailable'],
      ['no-model', 'unavailable'],
      ['too-long', 'failed'],
      ['aborted', 'interrupted'],
    ] as const) {
      assert.equal(
        getAt([{type: 'problem', problem: {kind, said: text}}], {lastText: text}),
        at,
        kind,
      );
    }
  });
});

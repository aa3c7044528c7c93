import assert from 'node:assert/strict';
import {test} from 'node:test';
import {countTokens as oracle} from 'gpt-tokenizer/encoding/cl100k_base';
import {countTokens} from '../../source/shared/index.ts';

test('prose is counted as the tokenizer counts it', () => {
  const prose =
    'The session’s context rots. Logs, retries and tool chatter bury the architecture.\n\n'.repeat(
      40,
    );
  assert.equal(countTokens(''), 0);
  assert.equal(countTokens('Hello, world!'), oracle('Hello, world!'));
  assert.equal(countTokens(prose), oracle(prose));
});

test('a special token of the tokenizer is text like any other', () => {
  assert.ok(countTokens('<|endoftext|>') > 1);
});

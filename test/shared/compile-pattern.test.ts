import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {compilePattern} from '../../source/shared/index.ts';

describe('a pattern that could take exponential time is rejected as slow:', () => {
  for (const pattern of ['(a+)+', '(a*)*b', String.raw`(\w|\d)*x`, '((a{2,}))+', '(a|a)+'])
    test(pattern, () => {
      const result = compilePattern(pattern);
      assert.ok('rejected' in result && result.isSlow);
      assert.match(result.rejected, /without a repetition inside a repetition\.$/);
    });
});

test('a pattern that takes polynomial time is compiled, with its flags', () => {
  for (const pattern of ['a+b+', '(a|b)+', String.raw`console\.log\(`, '(?:ab){2,5}']) {
    const result = compilePattern(pattern, 'i');
    assert.ok('expression' in result, pattern);
    assert.equal(result.expression.flags, 'i');
  }
});

test('what is not a regular expression is rejected with the reason, and not as slow', () => {
  const result = compilePattern('(a');
  assert.ok('rejected' in result && !result.isSlow);
  assert.match(
    result.rejected,
    /^is not a regular expression \(Unterminated group\): correct it\.$/,
  );
});

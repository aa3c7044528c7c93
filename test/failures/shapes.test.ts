// Output of tools as people remember it, written by hand (shapes/*.txt), not recorded: the laws of
// the reader by structure, one shape each.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {countTokens} from '../../source/shared/index.ts';
import {readShapes} from './shape-logs.ts';
import {judgeReading, truthLogs} from './truth-logs.ts';

describe('the first failure in a shape written by hand:', () => {
  for (const {name, log, truth, not} of readShapes()) {
    test(name, () => {
      const failure = parseFirstFailure(log, {root: '/project'});
      const {isWhole} = judgeReading(truth, failure);
      assert.ok(isWhole, failure.text);
      const head = [failure.test ?? '', failure.message].join('\n');
      for (const text of not) assert.ok(!head.includes(text), failure.text);
      assert.ok(countTokens(failure.text) <= 300);
    });
  }
});

/** The shares that were reached; a change may only raise them. */
for (const [half, whole, assertion] of [
  ['goldens', 0.97, 0.99],
  ['held-out', 0.97, 0.99],
] as const)
  test(`of the logs in ${half} at least ${whole * 100} % are read whole`, () => {
    const verdicts = truthLogs(half).map(({log, truth}) =>
      judgeReading(truth, parseFirstFailure(log, {root: '/project'})),
    );
    const share = (key: 'isWhole' | 'hasMessage'): number =>
      verdicts.filter((verdict) => verdict[key]).length / verdicts.length;
    assert.ok(share('isWhole') >= whole, `whole: ${share('isWhole')}`);
    assert.ok(share('hasMessage') >= assertion, `assertion: ${share('hasMessage')}`);
  });

test('a secret in an assertion does not reach the text', () => {
  const token = `ghp_${'a1'.repeat(18)}`;
  const failure = parseFirstFailure(` ✗ logs in\n   expected "${token}" to be unset\n`);
  assert.ok(!JSON.stringify(failure).includes(token));
  assert.match(failure.text, /\[redacted\]/);
});

test('the confidence says whether the failure was found', () => {
  const read = (log: string): string => parseFirstFailure(log).confidence;
  assert.equal(read('not ok 1 - adds\n# got 5\n1..1\n'), 'found');
  assert.equal(read('the price is invalid\n'), 'likely');
  assert.equal(read('one\ntwo\n'), 'end-of-log');
});

test('the failure in the middle of a very long log is found', () => {
  const passing = ' ✓ returns an error when it fails\n'.repeat(40_000);
  const {test: name, line} = parseFirstFailure(
    `${passing} ✗ adds prices\n   expected 5 to be 4\n   at test/cart.js:7:3\n${passing}`,
  );
  assert.deepEqual({name, line}, {name: 'adds prices', line: 7});
});

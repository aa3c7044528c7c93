import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {withoutTolerated} from '../../source/failures/tolerated-lines.ts';

test('the output of a command whose failure is ignored is emptied up to the next command', () => {
  assert.deepEqual(withoutTolerated(['+ mocha || true', '1) fails', '+ tsc', 'a.ts(1,1): error']), [
    '+ mocha || true',
    '',
    '+ tsc',
    'a.ts(1,1): error',
  ]);
});

test('a run inside a test that passed is emptied', () => {
  const inner = ['FAIL: test_inner (x)', 'AssertionError', 'FAILED (failures=1)', 'ok'];
  assert.deepEqual(withoutTolerated(['test_a (b) ... F', ...inner, 'test_c (b) ... FAIL']), [
    'test_a (b) ... F',
    '',
    '',
    '',
    'ok',
    'test_c (b) ... FAIL',
  ]);
});

test('when nothing else failed, the tolerated failure is read', () => {
  const log = '$ mocha || true\n ✗ adds prices\n   expected 5 to be 4\n';
  assert.equal(parseFirstFailure(log).test, 'adds prices');
});

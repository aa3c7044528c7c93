import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {goldenLogs} from './golden-logs.ts';

const getLog = (name: string): string => goldenLogs().find((golden) => golden.name === name)!.log;

test('a failure has a tool, a test, a place, a message, a few lines, and all of it as text', () => {
  assert.deepEqual(parseFirstFailure(getLog('pytest/helper'), {root: '/project'}), {
    tool: 'pytest',
    test: 'test_helper.py::test_uses_a_helper',
    message: 'AssertionError',
    file: 'shop/checks.py',
    line: 5,
    excerpt: [
      'a = 1, b = 2, expected = 3',
      '',
      '    def check_sum(a, b, expected):',
      '>       assert add(a, b) == expected',
    ],
    confidence: 'found',
    text: 'pytest: test_helper.py::test_uses_a_helper\nat shop/checks.py:5\nAssertionError\n\na = 1, b = 2, expected = 3\n\n    def check_sum(a, b, expected):\n>       assert add(a, b) == expected',
  });
});

test('for an empty log the message is that nothing was printed', () => {
  assert.deepEqual(parseFirstFailure(''), {
    tool: 'unknown',
    message: 'It failed and printed nothing.',
    excerpt: [],
    confidence: 'end-of-log',
    text: 'unknown\nIt failed and printed nothing.',
  });
});

test('a FAIL line of an unknown script is the message and the place', () => {
  const {message, file, line} = parseFirstFailure(
    'running 3 checks\nok a.test.js\nFAIL bad.test.js:9\n2 of 3\n',
  );
  assert.deepEqual(
    {message, file, line},
    {message: 'FAIL bad.test.js:9', file: 'bad.test.js', line: 9},
  );
  assert.match(parseFirstFailure('mode: fail-fast\n0 fails\ndone').message, /^No line of the log/);
});

test('of two tools in one log the earlier one counts', () => {
  for (const [first, second] of [
    ['tsc/plain', 'vitest/two'],
    ['vitest/two', 'tsc/plain'],
    ['eslint/stylish', 'jest/two'],
    ['jest/two', 'eslint/stylish'],
    ['go/build-only', 'pytest/two'],
    ['cargo-test/two', 'c/gcc'],
    ['pytest/two', 'go/two'],
    ['node-test/two', 'rspec/two'],
    ['rspec/two', 'node-test/two'],
    ['phpunit/two', 'mocha/two'],
    ['maven/two', 'tap/file'],
    ['unittest/two', 'junit/two'],
  ] as const) {
    assert.deepEqual(
      parseFirstFailure(`${getLog(first)}\n${getLog(second)}`),
      parseFirstFailure(getLog(first)),
      `${first} before ${second}`,
    );
  }
});

test('a tool that passed before does not hide what failed after it', () => {
  const passed =
    ' RUN  v4.1.12 /project\n\n ✓ test/a.test.ts (1 test) 3ms\n\n Test Files  1 passed (1)\n      Tests  1 passed (1)\n';
  assert.deepEqual(
    parseFirstFailure(`${passed}${getLog('tsc/plain')}${getLog('vitest/two')}`),
    parseFirstFailure(getLog('tsc/plain')),
  );
});

test('what a test prints is not its failure', () => {
  for (const name of ['vitest/noise', 'jest/noise', 'node-test/noise', 'pytest/noise'])
    assert.doesNotMatch(
      parseFirstFailure(getLog(name)).message,
      /part of the test|not the failure|nor is this/,
      name,
    );
});

test('the place is the frame in the project, not the one in a library', () => {
  const trace =
    'TypeError: no\n    at deep (/project/node_modules/a/index.js:1:1)\n    at node:internal/x:3:4\n    at mine (/project/src/mine.js:7:8)\n';
  const {file, line, column} = parseFirstFailure(trace, {root: '/project'});
  assert.deepEqual({file, line, column}, {file: 'src/mine.js', line: 7, column: 8});
  assert.equal(parseFirstFailure(trace).file, '/project/src/mine.js');
  assert.equal(
    parseFirstFailure(trace.replace('/project/src', '/elsewhere'), {root: '/project'}).file,
    '/elsewhere/mine.js',
  );
});

test('only paths below the root are shortened', () => {
  assert.equal(
    parseFirstFailure('error: /project/a.c and /home/project/b.c and file:///project/c.c', {
      root: '/project',
    }).message,
    'error: a.c and /home/project/b.c and c.c',
  );
  for (const root of ['', '/'])
    assert.equal(parseFirstFailure('error: /a/b is wrong', {root}).message, 'error: /a/b is wrong');
});

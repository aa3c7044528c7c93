// Whatever an agent or a tool prints: it never throws, it is short, nothing in it acts on a
// terminal.
import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {countTokens} from '../../source/shared/index.ts';
import {parseFirstFailure} from '../../source/failures/index.ts';
import {fc} from '../support/property.ts';
import {goldenLogs} from './golden-logs.ts';

const logs = goldenLogs().map(({log}) => log);
const junk = [
  '\u0000',
  '\u001B[31m',
  '\u001B]0;x\u0007',
  '\u001B]52;c;AAAA',
  '\u009B2J',
  '\r',
  '\r\n',
  '\n',
  '\uD800',
  '\u202E',
  '\uFFFD',
  '::',
  '(',
  'Error: ',
  ' '.repeat(300),
  '<|endoftext|>',
  'not ok 1',
  '✖ ',
  'FAIL a.test.js',
  '$&',
  '---',
  '...',
  '  at x (y:1:2)',
];

test('a log that was cut, mixed and damaged is read without a throw, within the budget', () => {
  const damage = fc.record({
    first: fc.constantFrom(...logs),
    second: fc.constantFrom(...logs),
    from: fc.double({min: 0, max: 1, noNaN: true}),
    to: fc.double({min: 0, max: 1, noNaN: true}),
    spots: fc.array(
      fc.tuple(fc.double({min: 0, max: 1, noNaN: true}), fc.constantFrom(...junk), fc.nat(40)),
      {maxLength: 8},
    ),
    maxTokens: fc.constantFrom(0, 1, 2, 7, 20, 60, 300),
    root: fc.constantFrom(undefined, '/project', '/project/', '/', ''),
  });
  fc.assert(
    fc.property(damage, ({first, second, from, to, spots, maxTokens, root}) => {
      let log =
        first.slice(Math.floor(from * first.length)) +
        second.slice(0, Math.floor(to * second.length));
      for (const [spot, text, removed] of spots)
        log =
          log.slice(0, Math.floor(spot * log.length)) +
          text +
          log.slice(Math.floor(spot * log.length) + removed);
      assertSafe(log, maxTokens, root);
    }),
    {numRuns: 2000},
  );
});

test('any text at all is read without a throw, within the budget', () => {
  fc.assert(
    fc.property(
      fc.string({unit: 'binary', maxLength: 400}),
      fc.constantFrom(0, 5, 300),
      (log, maxTokens) => {
        assertSafe(log, maxTokens);
      },
    ),
    {numRuns: 2000},
  );
});

test('every golden log can be cut after each tenth of it', () => {
  for (const log of logs)
    for (let part = 0; part <= 10; part += 1)
      assertSafe(log.slice(0, Math.floor((log.length * part) / 10)), 300, '/project');
});

test('a budget that is no number, negative or endless does no harm', () => {
  const log = logs[0]!;
  assert.equal(parseFirstFailure(log, {maxTokens: -1}).text, '');
  assert.equal(parseFirstFailure(log, {maxTokens: Number.NaN}).text, parseFirstFailure(log).text);
  assert.ok(
    parseFirstFailure(log, {maxTokens: Infinity}).text.length >= parseFirstFailure(log).text.length,
  );
});

test('what is left out is marked', () => {
  const log = goldenLogs().find(({name}) => name === 'vitest/nested')!.log;
  const {text} = parseFirstFailure(log, {maxTokens: 40});
  assert.ok(text.endsWith('…'));
  assert.match(
    text,
    /^vitest: test\/nested\.test\.ts > cart > with a discount > keeps the names\nat test\/nested\.test\.ts:6:52\n/,
  );
});

test('terminal controls and hidden characters in names and messages are shown, not obeyed', () => {
  const failure = parseFirstFailure(
    '--- FAIL: Test\u202Eeman (0.00s)\n    a\u0008b_test.go:3: got \u0007x, want y\u200B\nFAIL\tpkg\t0.1s\n',
  );
  assert.equal(failure.test, 'pkg Test\\u{202e}eman');
  assert.equal(failure.file, 'a\\u{8}b_test.go');
  assert.equal(failure.message, 'a\\u{8}b_test.go:3: got \\u{7}x, want y\\u{200b}');
});

/** Four times the log may take about four times as long; see test/syntax/growth.test.ts. */
describe('reading a log grows with its length:', () => {
  const shapes: Readonly<Record<string, (length: number) => string>> = {
    'nothing but line ends': (length) => '\n'.repeat(length),
    'one line': (length) => 'x'.repeat(length),
    'one line of spaces': (length) => ' '.repeat(length),
    'a progress bar': (length) => filled('\r\u001B[2K50% of it', length),
    'carriage returns': (length) => '\r'.repeat(length),
    'escapes without an end': (length) => filled('\u001B]0;', length),
    'parameters without an end': (length) => `\u001B[${'1;'.repeat(length / 2)}`,
    'failures of jest without a test': (length) => filled('FAIL a.test.js\n', length),
    'tests that failed in TAP': (length) => filled('not ok 1 - a {\n', length),
    'suites in suites': (length) =>
      Array.from({length: Math.sqrt(length)}, (_, depth) => `${' '.repeat(depth)}▶ a\n`).join(''),
    panics: (length) => filled('panic: a\n', length),
    tracebacks: (length) => filled('Traceback (most recent call last):\n', length),
    'frames of Python': (length) => filled('  File "a.py", line 1\n', length),
    'errors without frames': (length) => filled('TypeError: a\n', length),
    'errors of cargo without a place': (length) => filled('error: could not compile\n', length),
    frames: (length) => filled('    at a (b.js:1:2)\n', length),
    'lines of make': (length) => filled("make[1]: Entering directory '/a'\n", length),
    'long words with dots': (length) => filled(`${'a.'.repeat(450)}\n`, length),
    'long lines with colons': (length) => filled(`${'a:1'.repeat(300)}\n`, length),
    'long lines of spaces': (length) => filled(`1:1 error a${' '.repeat(900)}b\n`, length),
    'JSON of go': (length) =>
      filled('{"Time":"a","Action":"output","Output":"panic: b\\n"}\n', length),
    'the log of vitest again and again': (length) =>
      filled(goldenLogs().find(({name}) => name === 'vitest/two')!.log, length),
  };
  for (const [name, textOf] of Object.entries(shapes)) {
    test(name, () => {
      const [small, large] = [textOf(250_000), textOf(1_000_000)];
      let ratio = Infinity;
      for (let round = 0; round < 5 && ratio > 6; round += 1)
        ratio = Math.min(ratio, processorTime(large) / Math.max(processorTime(small), 2));
      assert.ok(ratio <= 6, `four times the log took ${ratio.toFixed(1)} times as long`);
    });
  }
});

function processorTime(log: string): number {
  return Math.min(
    ...Array.from({length: 3}, () => {
      const start = process.cpuUsage();
      parseFirstFailure(log);
      const {user, system} = process.cpuUsage(start);
      return (user + system) / 1000;
    }),
  );
}

function filled(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
}

function assertSafe(log: string, maxTokens: number, root?: string): void {
  const failure = parseFirstFailure(log, {maxTokens, ...(root !== undefined && {root})});
  assert.ok(
    countTokens(failure.text) <= maxTokens,
    `${countTokens(failure.text)} tokens, at most ${maxTokens}`,
  );
  for (const text of [
    failure.text,
    failure.message,
    failure.tool,
    failure.test ?? '',
    failure.file ?? '',
    ...failure.excerpt,
  ]) {
    assert.doesNotMatch(text, /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/u);
    assert.ok(text.isWellFormed());
  }

  assert.ok(failure.excerpt.length <= 40);
}

// Real logs of real tools (scripts/failure-goldens records them), each with what is read out of it
// beside it.
import assert from 'node:assert/strict';
import process from 'node:process';
import {readFileSync, writeFileSync} from 'node:fs';
import {describe, test} from 'node:test';
import {type FirstFailure, parseFirstFailure} from '../../source/failures/index.ts';
import {countTokens} from '../../source/shared/index.ts';
import {goldenLogs} from './golden-logs.ts';

const logs = goldenLogs();

describe('the first failure of a log equals the file beside it:', () => {
  for (const {name, file, log} of logs) {
    test(name, () => {
      const failure = parseFirstFailure(log, {root: '/project'});
      const beside = file.replace(/\.log$/, '.txt');
      if (process.env['UPDATE_GOLDENS'] === '1') writeFileSync(beside, described(failure));
      assert.equal(
        described(failure),
        readFileSync(beside, 'utf8'),
        `${beside} differs; UPDATE_GOLDENS=1 rewrites it`,
      );
      assert.ok(countTokens(failure.text) <= 300);
    });
  }
});

test('the text is the same whether the log has CRLF, colours or neither', () => {
  for (const {name, log} of logs) {
    const expected = parseFirstFailure(log, {root: '/project'});
    assert.deepEqual(
      parseFirstFailure(log.replaceAll('\n', '\r\n'), {root: '/project'}),
      expected,
      name,
    );
    assert.deepEqual(
      parseFirstFailure(log.replaceAll(/^(?=[^\r\u001B]+$)/gm, '\u001B[0;1;31m'), {
        root: '/project',
      }),
      expected,
      name,
    );
  }
});

test('a coloured log reads as the plain one', () => {
  const byName = new Map(logs.map(({name, log}) => [name, parseFirstFailure(log).text]));
  for (const [coloured, plain] of [
    ['vitest/coloured', 'vitest/nested'],
    ['jest/coloured', 'jest/nested'],
    ['mocha/coloured', 'mocha/nested'],
    ['node-test/coloured', 'node-test/nested'],
    ['pytest/coloured', 'pytest/two'],
    ['rspec/coloured', 'rspec/nested'],
    ['phpunit/coloured', 'phpunit/two'],
    ['c/gcc-coloured', 'c/gcc'],
    ['c/clang-coloured', 'c/clang'],
    ['mypy/coloured', 'mypy/two'],
    ['eslint/coloured', 'eslint/stylish'],
    ['tsc/pretty', 'tsc/npm'],
    ['rustc/coloured', 'rustc/two'],
    ['maven/coloured', 'maven/two'],
    ['ava/coloured', 'ava/two'],
  ] as const) {
    assert.ok(byName.has(coloured) && byName.has(plain), coloured);
    assert.equal(byName.get(coloured), byName.get(plain), coloured);
  }
});

test('what it costs: the tokens of the whole logs against those of the first failures', (context) => {
  const rows = Map.groupBy(logs, ({tool}) => tool);
  let [whole, read, cases] = [0, 0, 0];
  for (const [tool, group] of rows) {
    const [logTokens, textTokens] = [
      sum(group.map(({log}) => countTokens(log))),
      sum(group.map(({log}) => countTokens(parseFirstFailure(log, {root: '/project'}).text))),
    ];
    context.diagnostic(
      `${tool.padEnd(12)} ${String(group.length).padStart(3)} cases ${String(logTokens).padStart(7)} -> ${String(textTokens).padStart(6)} tokens`,
    );
    [whole, read, cases] = [whole + logTokens, read + textTokens, cases + group.length];
  }

  context.diagnostic(
    `${rows.size} folders, ${cases} cases, ${whole} -> ${read} tokens (${((100 * read) / whole).toFixed(0)} %)`,
  );
  assert.ok(read < whole / 3, `expected less than a third of ${whole} tokens, got ${read}`);
});

function described({
  tool,
  test: name,
  message,
  file,
  line,
  column,
  excerpt,
  text,
}: FirstFailure): string {
  const fields = [
    `tool: ${tool}`,
    `test: ${name ?? '-'}`,
    `place: ${[file ?? '-', line, column].filter((part) => part !== undefined).join(':')}`,
  ];
  return [
    ...fields,
    'message:',
    ...indented(message.split('\n')),
    'excerpt:',
    ...indented(excerpt),
    `text (${countTokens(text)} tokens):`,
    ...indented(text.split('\n')),
    '',
  ].join('\n');
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`.trimEnd());
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

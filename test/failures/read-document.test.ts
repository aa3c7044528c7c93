import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseFirstFailure} from '../../source/failures/index.ts';

const eslint = [
  {filePath: '/project/src/a.js', messages: []},
  {
    filePath: '/project/src/b.js',
    messages: [
      {ruleId: 'no-undef', severity: 2, message: "'total' is not defined.", line: 3, column: 9},
    ],
  },
];

for (const [name, log] of Object.entries({
  'on one line': JSON.stringify(eslint),
  'after the lines of npm': `\n> lint\n> eslint -f json .\n\n${JSON.stringify(eslint)}\n`,
  'on many lines, between others': `1) not it\n${JSON.stringify(eslint, null, 2)}\nnpm error code 1 {}\n`,
  'with a prefix before each line': JSON.stringify(eslint, null, 2).replaceAll(/^/gm, 'web:lint: '),
}))
  test(`a report printed ${name} is read like the file`, () => {
    const {tool, message, file, line} = parseFirstFailure(log, {root: '/project'});
    assert.deepEqual(
      {tool, message, file, line},
      {tool: 'eslint', message: "'total' is not defined.", file: 'src/b.js', line: 3},
    );
  });

test('a failure before the report counts', () => {
  const log = `src/a.ts(2,3): error TS2304: Cannot find name 'x'.\n${JSON.stringify(eslint)}\n`;
  assert.equal(parseFirstFailure(log).tool, 'tsc');
});

test('JSON that is no report is text', () => {
  const log = `{"level": "info", "text": "ready"}\n ✗ adds prices\n   expected 5 to be 4\n`;
  assert.equal(parseFirstFailure(log).test, 'adds prices');
});

test('many beginnings of documents take linear time', () => {
  const start = performance.now();
  parseFirstFailure('{"a": [\n'.repeat(100_000));
  parseFirstFailure('[\n'.repeat(200_000));
  assert.ok(performance.now() - start < 20_000);
});

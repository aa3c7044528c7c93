import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseYaml, yamlToJson} from '../../source/syntax/index.ts';

test('the JSON has the values of the YAML, and each of its lines the line of the YAML', () => {
  const text = 'a: 1\nb:\n  - x\n  - true\nc:\n  d: "two\\nlines"\n  e: [.inf, ~]\n';
  const {json, lines} = yamlToJson(parseYaml(text).value, {onOther: () => assert.fail()});
  assert.deepEqual(JSON.parse(json), {
    a: 1,
    b: ['x', true],
    c: {d: 'two\nlines', e: [0, null]},
  });
  const tokens = json.split('\n');
  assert.equal(tokens.length, lines.length);
  assert.deepEqual(
    ['"a":', '"x"', 'true', String.raw`"two\nlines"`, '"e":'].map((token) => [
      token,
      lines[tokens.indexOf(token)],
    ]),
    [
      ['"a":', 1],
      ['"x"', 3],
      ['true', 4],
      [String.raw`"two\nlines"`, 6],
      ['"e":', 7],
    ],
  );
});

test('a value that JSON does not have is reported with its place, and is null', () => {
  const found: unknown[] = [];
  const {json} = yamlToJson(parseYaml('a: &x 1\nb:\n  - *x\n').value, {
    onOther: ({line, what}, steps) => found.push({line, what, steps}),
  });
  assert.deepEqual(JSON.parse(json), {a: 1, b: [null]});
  assert.deepEqual(found, [
    {line: 3, what: 'the alias *x (aliases are not followed)', steps: ['b', 0]},
  ]);
});

test('repeated keys stay, unless entries are selected', () => {
  const {value} = parseYaml('a: 1\na: 2\n');
  const options = {onOther: () => assert.fail()};
  assert.equal(yamlToJson(value, options).json.replaceAll('\n', ''), '{"a":1,"a":2}');
  const first = yamlToJson(value, {...options, selectEntries: ({entries}) => entries.slice(0, 1)});
  assert.equal(first.json.replaceAll('\n', ''), '{"a":1}');
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseProject} from '../../source/project-config/index.ts';
import type {Project} from '../../source/domain/index.ts';

function read(text: string): {
  readonly value: Pick<Project, 'sandbox' | 'network'>;
  readonly problems: readonly string[];
} {
  const {
    value: {sandbox, network},
    problems,
  } = parseProject(text);
  return {
    value: {...(sandbox && {sandbox}), ...(network && {network})},
    problems: problems.map(({line, text: text}) => `${line} ${text}`),
  };
}

const both = (rule: object | string): object => ({planner: rule, workers: rule, checks: rule});

const good: readonly (readonly [name: string, text: string, value: object])[] = [
  ['the word alone', 'sandbox: required', {sandbox: 'required'}],
  ['the word as a field', 'sandbox: {use: required}', {sandbox: 'required'}],
  ['no network', 'sandbox: {network: none}', {network: both('none')}],
  ['all of it', 'sandbox: {use: auto, network: all}', {sandbox: 'auto', network: both('all')}],
  [
    'listed hosts',
    'sandbox: {network: {allow: [Registry.npmjs.org, "*.github.com", "localhost:3000"]}}',
    {network: both({allow: ['registry.npmjs.org', '*.github.com', 'localhost:3000']})},
  ],
  ['no listed host', 'sandbox: {network: {allow: []}}', {network: both({allow: []})}],
  ['a single host', 'sandbox: {network: {allow: a.b}}', {network: both({allow: ['a.b']})}],
  [
    'each kind by itself',
    'sandbox:\n  network:\n    workers:\n      allow:\n        - a.b\n    checks: none\n',
    {network: {workers: {allow: ['a.b']}, checks: 'none'}},
  ],
  ['a kind that reaches all', 'sandbox: {network: {planner: all}}', {network: {planner: 'all'}}],
];

for (const [name, text, value] of good) {
  test(`${name} is read`, () => {
    assert.deepEqual(read(text), {value, problems: []});
  });
}

describe('a field that is not understood takes the network away, and is reported with its line:', () => {
  const bad: readonly (readonly [name: string, text: string, value: object, message: RegExp])[] = [
    [
      'another word',
      'sandbox:\n  network: some',
      {network: both('none')},
      /^2 sandbox\.network: expected all, none or \{allow: \[hosts\]\}, got "some"\. Change it\. Until then it is none\.$/,
    ],
    ['a truth value', 'sandbox: {network: false}', {network: both('none')}, /got false/],
    ['a list', 'sandbox: {network: [a.b]}', {network: both('none')}, /got a list/],
    [
      'a misspelt kind',
      'sandbox:\n  network:\n    worker: none',
      {network: both('none')},
      /^3 sandbox\.network\.worker: is not a field here.*Did you mean "workers"/,
    ],
    [
      'a misspelt kind beside a good one',
      'sandbox: {network: {check: none, workers: all}}',
      {network: {planner: 'none', workers: 'all', checks: 'none'}},
      /sandbox\.network\.check: is not a field here/,
    ],
    [
      'a misspelt network',
      'sandbox: {use: required, netwrok: none}',
      {sandbox: 'required', network: both('none')},
      /sandbox\.netwrok: is not a field here.*Did you mean "network"/,
    ],
    [
      'a bad host is left out',
      'sandbox: {network: {allow: [a.b, "http://c"]}}',
      {network: both({allow: ['a.b']})},
      /^1 sandbox\.network\.allow\[1\]: "http:\/\/c" is more than a host.*Until then it is left out\.$/,
    ],
    [
      'a list that is none',
      'sandbox: {network: {allow: 3}}',
      {network: both({allow: []})},
      /expected a list/,
    ],
    [
      'allow beside a kind',
      'sandbox: {network: {allow: [a.b], workers: none}}',
      {network: both({allow: ['a.b']})},
      /sandbox\.network\.workers: is not a field here/,
    ],
    [
      'a kind with nonsense',
      'sandbox: {network: {workers: 7}}',
      {network: {workers: 'none'}},
      /sandbox\.network\.workers: expected all, none/,
    ],
    [
      'a network without a sandbox',
      'sandbox: {use: off, network: none}',
      {sandbox: 'off'},
      /does nothing with "use: off"/,
    ],
    [
      'another use',
      'sandbox: {use: yes, network: none}',
      {network: both('none')},
      /sandbox\.use: expected auto, required or off/,
    ],
  ];
  for (const [name, text, value, message] of bad) {
    test(name, () => {
      const reading = read(text);
      assert.deepEqual(reading.value, value);
      assert.ok(
        reading.problems.some((problem) => message.test(problem)),
        reading.problems.join('\n'),
      );
    });
  }

  test('nothing after it counts as left out', () => {
    assert.deepEqual(read('sandbox: {network: }'), {value: {}, problems: []});
  });
});

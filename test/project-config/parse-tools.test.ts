import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {parseProject, selectToolServers} from '../../source/project-config/index.ts';

test('tool servers are parsed in their order', () => {
  const {value, problems} = parseProject(
    'tools:\n  docs:\n    command: [npx, -y, "@acme/docs"]\n    environment: [DOCS_TOKEN, DOCS_*]\n  web: {url: "https://x.example/mcp"}\n',
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(value.tools, [
    {name: 'docs', command: ['npx', '-y', '@acme/docs'], environment: ['DOCS_TOKEN', 'DOCS_*']},
    {name: 'web', url: 'https://x.example/mcp'},
  ]);
});

describe('what is wrong with a server is reported, and the others count:', () => {
  const cases: readonly (readonly [name: string, server: string, message: RegExp])[] = [
    [
      'a name with capitals',
      'Docs: {url: "http://x/"}',
      /^tools\.Docs: expected a name of small letters/,
    ],
    [
      'our own name',
      'orchestra: {url: "http://x/"}',
      /^tools\.orchestra: is the server of orchestra itself\. Choose another name\. Until then the server is left out\.$/,
    ],
    [
      'a text',
      'docs: npx docs',
      /^tools\.docs: expected fields with "command:" or "url:", got "npx docs"/,
    ],
    [
      'neither',
      'docs: {environment: [A]}',
      /^tools\.docs: expected either "command:" or "url:", got neither\./,
    ],
    [
      'both',
      'docs: {command: [a], url: "http://x/"}',
      /^tools\.docs: expected either "command:" or "url:", got both\./,
    ],
    [
      'a command that is a text',
      'docs: {command: npx docs}',
      /^tools\.docs\.command: expected a program and its arguments, as a list/,
    ],
    [
      'an empty command',
      'docs: {command: []}',
      /^tools\.docs\.command: expected a program .* got 0 of them/,
    ],
    [
      'a command without a program',
      'docs: {command: [""]}',
      /^tools\.docs\.command: expected a program as the first one/,
    ],
    [
      'a number as an argument',
      'docs: {command: [a, 1]}',
      /^tools\.docs\.command\[1\]: expected a text, got 1/,
    ],
    [
      'hidden characters',
      'docs: {command: [a, "b\\u202E"]}',
      /^tools\.docs\.command\[1\]: expected one line/,
    ],
    [
      'an address of a file',
      'docs: {url: "file:///etc/passwd"}',
      /^tools\.docs\.url: expected an address like/,
    ],
    [
      'an address with a password',
      'docs: {url: "https://a:b@x/"}',
      /^tools\.docs\.url: expected an address like/,
    ],
    [
      'variables without a program',
      'docs: {url: "http://x/", environment: [A]}',
      /^tools\.docs\.environment: has no use with "url:"/,
    ],
    [
      'a field like no other',
      'docs: {url: "http://x/", headers: {}}',
      /^tools\.docs\.headers: is not a field here/,
    ],
  ];
  for (const [name, server, text] of cases) {
    test(name, () => {
      const {value, problems} = parseProject(`tools:\n  ${server}\n  good: {command: [good]}\n`);
      assert.match(problems[0]?.text ?? '', text);
      assert.deepEqual(value.tools?.at(-1), {name: 'good', command: ['good']});
      assert.equal(value.tools.length, name === 'a field like no other' ? 2 : 1);
    });
  }

  test('too many', () => {
    const {value, problems} = parseProject(
      `tools:\n${Array.from({length: 21}, (_, index) => `  t${index}: {command: [a]}`).join('\n')}\n`,
    );
    assert.deepEqual([value.tools?.length, problems.length], [20, 1]);
  });
});

test('a session has the servers that its plan names, with the variables that each may see', () => {
  const {value} = parseProject(
    'tools:\n  docs: {command: [a], environment: [DOCS_TOKEN, DOCS_*]}\n  web: {url: "https://x.example/mcp"}\n  other: {command: [b]}\n',
  );
  const env = {DOCS_TOKEN: 't', DOCS_HOME: 'h', DOCS_KEY: 'k', HOME: '/h'};
  assert.deepEqual(selectToolServers(value, ['web', 'docs', 'gone'], env), {
    docs: {command: ['a'], env: {DOCS_TOKEN: 't', DOCS_HOME: 'h'}},
    web: {url: 'https://x.example/mcp'},
  });
  assert.deepEqual(selectToolServers({}, ['docs'], env), {});
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  getBranchPrefix,
  getLimits,
  getPortRange,
  getSandbox,
  parseProject,
} from '../../source/project-config/index.ts';
import {maxDocumentBytes} from '../../source/syntax/index.ts';
import {emptyState, evolve, type Project} from '../../source/domain/index.ts';

const defaults: Project = {services: [], limits: {workers: 4, runs: 2}};

const good: readonly (readonly [
  name: string,
  text: string | Uint8Array,
  project: Partial<Project>,
])[] = [
  ['nothing at all', '', {}],
  ['no bytes', new Uint8Array(), {}],
  ['a byte order mark and nothing else', '\uFEFF', {}],
  ['blank lines', '\n\n', {}],
  ['comments', '# setup: npm ci\n', {}],
  ['an empty document', '---\n...\n', {}],
  ['an empty mapping', '{}', {}],
  ['null', 'null', {}],
  ['fields with nothing after them', 'setup:\nlimits:\nservices: ~\n', {}],
  [
    'optional fields with nothing after them',
    'limits: {workers: }\nservices:\n  a: {command: x, port: , ready: null}',
    {services: [{name: 'a', command: 'x'}]},
  ],
  ['a setup', 'setup: npm ci', {setup: 'npm ci'}],
  ['a setup as bytes', new TextEncoder().encode('setup: echo ä'), {setup: 'echo ä'}],
  [
    'a folded command',
    'setup: >\n  npm ci &&\n  npm run build\n',
    {setup: 'npm ci && npm run build'},
  ],
  ['a block of one line', 'setup: |\n  npm ci\n', {setup: 'npm ci'}],
  ['what only looks like a truth value', 'setup: yes', {setup: 'yes'}],
  ['the tag of a text', 'setup: !!str 7z x a', {setup: '7z x a'}],
  ['an anchor that nobody uses', 'setup: &a npm ci', {setup: 'npm ci'}],
  [
    'a directive of old, which changes nothing',
    '%YAML 1.1\n---\nsetup: on\nlimits: {workers: 010}',
    {setup: 'on', limits: {workers: 10, runs: 2}},
  ],
  ['one limit', 'limits: {runs: 1}', {limits: {workers: 4, runs: 1}}],
  ['the least', 'limits: {workers: 1, runs: 1}', {limits: {workers: 1, runs: 1}}],
  ['the most', 'limits: {workers: 64, runs: 16}', {limits: {workers: 64, runs: 16}}],
  [
    'JSON',
    '{"limits": {"workers": 8}, "services": {"web": "npm start"}}',
    {limits: {workers: 8, runs: 2}, services: [{name: 'web', command: 'npm start'}]},
  ],
  [
    'the short form',
    'services:\n  web: npm start',
    {services: [{name: 'web', command: 'npm start'}]},
  ],
  [
    'a service without a port',
    'services: {web: {command: npm start}}',
    {services: [{name: 'web', command: 'npm start'}]},
  ],
  [
    'a port, which proves itself',
    'services: {web: {command: a, port: 3000}}',
    {services: [{name: 'web', command: 'a', port: 3000, ready: {by: 'port'}}]},
  ],
  [
    'the same in words',
    'services: {web: {command: a, port: 3000, ready: port}}',
    {services: [{name: 'web', command: 'a', port: 3000, ready: {by: 'port'}}]},
  ],
  [
    'the last port',
    'services: {web: {command: a, port: 65535}}',
    {services: [{name: 'web', command: 'a', port: 65_535, ready: {by: 'port'}}]},
  ],
  [
    'a path to ask',
    'services: {web: {command: a, port: 1, ready: {http: /health?deep=1&x=%C3%A4}}}',
    {
      services: [
        {name: 'web', command: 'a', port: 1, ready: {by: 'http', path: '/health?deep=1&x=%C3%A4'}},
      ],
    },
  ],
  [
    'the root path',
    'services: {web: {command: a, port: 1, ready: {http: /}}}',
    {services: [{name: 'web', command: 'a', port: 1, ready: {by: 'http', path: '/'}}]},
  ],
  [
    'a log line',
    String.raw`services: {web: {command: a, ready: {log: 'ready in \d+ ms'}}}`,
    {
      services: [
        {name: 'web', command: 'a', ready: {by: 'log', pattern: String.raw`ready in \d+ ms`}},
      ],
    },
  ],
  [
    'a log line beside a port',
    'services: {web: {command: a, port: 1, ready: {log: ready}}}',
    {services: [{name: 'web', command: 'a', port: 1, ready: {by: 'log', pattern: 'ready'}}]},
  ],
  [
    'services in their order, with names that look like numbers',
    'services: {b: x, 10: y, a-1: z, null: n}',
    {
      services: [
        {name: 'b', command: 'x'},
        {name: '10', command: 'y'},
        {name: 'a-1', command: 'z'},
        {name: 'null', command: 'n'},
      ],
    },
  ],
  [
    'the longest name',
    `services: {${'a'.repeat(40)}: x}`,
    {services: [{name: 'a'.repeat(40), command: 'x'}]},
  ],
  [
    'limits for agents that go in circles',
    'limits: {sameCalls: 5, sameFailures: off, undoneEdits: 2, unchangedMinutes: 60, onLoop: stop}',
    {
      limits: {
        workers: 4,
        runs: 2,
        sameCalls: 5,
        sameFailures: 0,
        undoneEdits: 2,
        unchangedMinutes: 60,
        onLoop: 'stop',
      },
    },
  ],
  [
    'further limits',
    'limits: {attemptMinutes: 1, noProgressMinutes: 1440, checkMinutes: 5, attemptTokens: 1000, runTokens: 1000000000, contextTokens: 200000}',
    {
      limits: {
        workers: 4,
        runs: 2,
        attemptMinutes: 1,
        noProgressMinutes: 1440,
        checkMinutes: 5,
        attemptTokens: 1000,
        runTokens: 1_000_000_000,
        contextTokens: 200_000,
      },
    },
  ],
  [
    'agents',
    'agents:\n  mine:\n    plan: [mine, --plan]\n    work: [mine]\n    prompt: stdin\n',
    {agents: [{name: 'mine', plan: ['mine', '--plan'], work: ['mine'], prompt: 'stdin'}]},
  ],
  [
    'who plans and who works',
    'planner: claude\nworker: my-agent-2',
    {planner: 'claude', worker: 'my-agent-2'},
  ],
  [
    'files to copy',
    'copy: [.env, "config/*.local.json", ./certs/]',
    {copy: ['.env', 'config/*.local.json', 'certs/']},
  ],
  ['one file to copy, and no list', 'copy: .env', {copy: ['.env']}],
  ['the same file twice', 'copy: [.env, ./.env]', {copy: ['.env']}],
  ['no files to copy', 'copy: []', {copy: []}],
  [
    'folders to share',
    'share:\n  - node_modules\n  - packages/a/node_modules/\n',
    {share: ['node_modules', 'packages/a/node_modules']},
  ],
  [
    'a service for each task, whose command has a port',
    'services: {web: {command: npm start -- $PORT, per: task}}',
    {services: [{name: 'web', command: 'npm start -- $PORT', per: 'task', ready: {by: 'port'}}]},
  ],
  [
    'a service for each task that is asked',
    'services: {web: {command: npm start, per: task, ready: {http: /health}}}',
    {
      services: [
        {name: 'web', command: 'npm start', per: 'task', ready: {by: 'http', path: '/health'}},
      ],
    },
  ],
  [
    'a service for each task without a port',
    'services: {watch: {command: npm run watch, per: task}}',
    {services: [{name: 'watch', command: 'npm run watch', per: 'task'}]},
  ],
  [
    'folders to share by hard links',
    'share: [store, {path: cache/, by: hard-link}, {path: plain}, {path: store, by: hard-link}]',
    {share: ['store', {path: 'cache', by: 'hard-link'}, 'plain']},
  ],
  ['ports', 'ports: {from: 1024, perTask: 1}', {ports: {from: 1024, perTask: 1}}],
  ['half of the ports', 'ports: {perTask: 100}', {ports: {from: 4000, perTask: 100}}],
  ['ports with nothing in them', 'ports: {}', {ports: {from: 4000, perTask: 10}}],
  ['a sandbox', 'sandbox: required', {sandbox: 'required'}],
  ['no sandbox, which is no truth value', 'sandbox: off', {sandbox: 'off'}],
  ['variables', 'environment: [NPM_TOKEN, AWS_*, _x]', {environment: ['NPM_TOKEN', 'AWS_*', '_x']}],
  ['branches', 'branch: bots', {branch: 'bots'}],
  ['branches in folders', 'branch: team-1/bots/x', {branch: 'team-1/bots/x'}],
  ['256 kB', `# ${'x'.repeat(maxDocumentBytes - 2)}`, {}],
];

describe('is read without problems:', () => {
  for (const [name, text, project] of good) {
    test(name, () => {
      assert.deepEqual(parseProject(text), {value: {...defaults, ...project}, problems: []});
    });
  }
});

type Case = readonly [name: string, text: string | Uint8Array, problems: RegExp];

/** Nothing of it counts. */
const unreadable: readonly Case[] = [
  ['more than 256 kB', ' '.repeat(maxDocumentBytes + 1), /^1 Expected at most 256 kB/],
  ['bytes that are not UTF-8', Uint8Array.of(0x61, 0x0a, 0xff), /^2 Expected UTF-8/],
  ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x61, 0), /^1 Expected UTF-8 text, got UTF-16/],
  [
    'a list',
    '- setup: x',
    /^1 the file: expected fields, each as "name: value", got a list\. Until that is changed, it counts as empty\.$/,
  ],
  ['a text', '\nnpm ci', /^2 the file: expected fields, .*, got "npm ci"/],
  ['a number', '3', /^1 the file: .*, got 3\./],
  [
    'a file with a tag',
    '!project\nsetup: x',
    /^\d the file: .*, got a value with the tag !project/,
  ],
  [
    'a tab that indents',
    'limits:\n\tworkers: 3\nsetup: x',
    /^2 Expected spaces at the beginning of the line, got a tab\. Indent with spaces\. Nothing of the file was read\.$/,
  ],
  [
    'two documents',
    'setup: a\n---\nsetup: b',
    /^2 Expected one YAML document, got the start of another\. [^\n]*Nothing of the file was read\.$/,
  ],
  [
    'a colon in a command',
    'limits: {}\nsetup: echo a: b',
    /^2 Expected YAML, got something else: Nested mappings .*single quotes\. Nothing/,
  ],
  [
    'a regular expression in double quotes',
    String.raw`services: {a: {command: x, ready: {log: "\d"}}}`,
    /^1 Expected an escape that YAML knows .*single quotes/,
  ],
  ['a quote that is not closed', 'setup: "npm ci\n', /^\d Expected YAML/],
  ['a bracket that is not closed', 'services: {a: x\n', /^\d Expected YAML/],
  ['a key that is a list', '? [a]\n: b', /^1 Expected a name before ":", got something else/],
  ['a key that is an alias', 'setup: &a x\n*a : y', /^2 Expected a name before ":"/],
  ['a bad indent', 'limits:\n  workers: 3\n runs: 2', /^3 Expected YAML/],
  ['a directive and no document', '%YAML 1.2\nsetup: x', /^\d Expected YAML/],
  [
    'brackets 100,000 deep',
    '['.repeat(100_000),
    /^1 Expected a few levels of nesting, got too many to read/,
  ],
  ['mappings 50,000 deep', '{a: '.repeat(50_000), /^1 Expected a few levels of nesting/],
];

/** These stand below `setup: npm ci`, which counts; they do not. */
const ignored: readonly (readonly [name: string, text: string, problems: RegExp])[] = [
  [
    'a misspelt field',
    'limit: {workers: 9}',
    /^2 limit: is not a field here, so it is ignored\. Did you mean "limits"\?$/,
  ],
  ['a field in capitals', 'SERVICES: {a: b}', /^2 SERVICES: .* Did you mean "services"\?$/],
  [
    'a field like no other',
    'colour: red',
    /^2 colour: is not a field here, so it is ignored\. The fields here are: setup, baseline, limits, services, agents, planner, worker, workers, planners, models, fallback, copy, share, ports, sandbox, environment, branch, accept, sign, tools, checks\.$/,
  ],
  [
    'a field of the prototype',
    '__proto__: {limits: {workers: 9}}',
    /^2 __proto__: is not a field here/,
  ],
  [
    'the constructor',
    'constructor: {prototype: {setup: x}}',
    /^2 constructor: is not a field here/,
  ],
  ['a field without a name', ': x', /^2 "": is not a field here/],
  [
    'fields that come later',
    'hooks: {a: {b: {c: {d: {e: f}}}}}',
    /^2 hooks: is not supported by this version, so it does nothing\. Leave it out\.$/,
  ],
  [
    'a merge key',
    'base: &b {workers: 9}\nlimits: {<<: *b}',
    /^2 base: is not a field here.*\n3 limits\.<<: does not merge anything here, so it is ignored\. Write the fields themselves\.$/,
  ],
  ['a merge key at the top', '<<: {limits: {workers: 9}}', /^2 <<: does not merge/],
  [
    'limits that are a number',
    'limits: 3',
    /^2 limits: expected fields, each as "name: value", got 3\./,
  ],
  [
    'limits that are a list',
    'limits:\n  - workers: 3',
    /^3 limits: expected fields, .*, got a list/,
  ],
  [
    'an unknown limit',
    'limits:\n  worker: 9',
    /^3 limits\.worker: is not a field here, so it is ignored\. Did you mean "workers"\?$/,
  ],
  [
    'a limit of zero',
    'limits: {workers: 0}',
    /^2 limits\.workers: expected a whole number from 1 to 64, got 0\. Change it\. Until then it is 4\.$/,
  ],
  [
    'limits that are too large',
    'limits: {workers: 65, runs: 17}',
    /^2 limits\.workers: .*, got 65\..*\n2 limits\.runs: expected a whole number from 1 to 16, got 17\. Change it\. Until then it is 2\.$/,
  ],
  [
    'a limit without a default',
    'limits: {runTokens: 5}',
    /^2 limits\.runTokens: expected a whole number from 1000 to 1000000000, got 5\. Change it\. Until then there is no limit\.$/,
  ],
  [
    'no time for checks',
    'limits: {checkMinutes: 0}',
    /^2 limits\.checkMinutes: .*, got 0\. Change it\. Until then it is 20\.$/,
  ],
  ['agents that are a list', 'agents: [claude]', /^2 agents: expected fields, .*, got a list/],
  [
    'an agent that is a list',
    'worker: [claude]',
    /^2 worker: expected the name of an agent .*, got a list\. Change it\. Until then the default agent works\.$/,
  ],
  [
    'an agent with a path',
    'planner: ./claude',
    /^2 planner: .*, got "\.\/claude"\..* Until then the default agent plans\.$/,
  ],
  [
    'files to copy that are a mapping',
    'copy: {a: b}',
    /^2 copy: expected a list like \[a, b], got a mapping\. Change it\. Until then it counts as empty\.$/,
  ],
  [
    'another sandbox',
    'sandbox: yes',
    /^2 sandbox: expected auto, required or off, got "yes"\. Change it\. Until then it is auto\.$/,
  ],
  ['a sandbox that is a truth value', 'sandbox: false', /^2 sandbox: .*, got false\./],
  ['ports that are a number', 'ports: 4000', /^2 ports: expected fields, .*, got 4000/],
  [
    'a port that is not free for all',
    'ports: {from: 80, perTask: 5}',
    /^2 ports\.from: expected a whole number from 1024 to 60000, got 80\. Change it\. Until then ports are given from 4000 on, 10 to a task\.$/,
  ],
  [
    'too many ports',
    'ports: {perTask: 101}',
    /^2 ports\.perTask: .*, got 101\..* Until then ports are given from 4000 on, 10 to a task\.$/,
  ],
  [
    'a branch in capitals',
    'branch: Bots',
    /^2 branch: expected what branches begin with, .*, got "Bots"\. Change it\. Until then it is orchestra\.$/,
  ],
  ...['-x', 'a//b', 'a/', 'refs/heads/a/b/c', 'a.lock', '..', '"a b"', '""', '3'].map(
    (branch) =>
      [`the branch ${branch}`, `branch: ${branch}`, /^2 branch: expected what branches/] as const,
  ),
  ['half a worker', 'limits: {workers: 1.5}', /got 1\.5\./],
  ['as many as there are', 'limits: {workers: .inf, runs: .nan}', /got Infinity\.[^]*got NaN\./],
  ['a number beyond numbers', `limits: {workers: 1${'0'.repeat(400)}}`, /got Infinity\./],
  [
    'a number in quotes',
    'limits: {workers: "3"}',
    /got "3"\. Write digits, without quotes\. Until then it is 4\.$/,
  ],
  ['a truth value', 'limits: {workers: true}', /got true\./],
  [
    'an alias',
    'x: &a 3\nlimits: {workers: *a}',
    /^2 x: .*\n3 limits\.workers: .*, got the alias \*a \(aliases are not followed\)\./,
  ],
  [
    'a number with a tag',
    'limits: {workers: !!int "3"}',
    /got a value with the tag tag:yaml\.org,2002:int/,
  ],
  [
    'a tag that YAML once knew',
    'limits: {workers: !!timestamp never}',
    /^2 limits\.workers: .* got a value with the tag tag:yaml\.org,2002:timestamp/,
  ],
  ['services that are a list', 'services: [web]', /^2 services: expected fields, .*, got a list/],
  [
    'services by an alias of nobody',
    'services: *all',
    /^2 services: expected fields, .*, got the alias \*all/,
  ],
  [
    'a name in capitals',
    'services:\n  Web: npm start',
    /^3 services\.Web: expected a name of small letters, digits and "-", at most 40, .* Until then the service is left out\.$/,
  ],
  [
    'other names that are none',
    `services:\n  -a: x\n  a_b: x\n  ../a: x\n  ${'a'.repeat(41)}: x\n  "a\\n": x\n  __proto__: x\n  "": x`,
    /^3 services\.-a: .*\n4 services\.a_b: .*\n5 services\.\.\.\/a: .*\n6 services\.a+…: .*\n7 services\.a : .*\n8 services\.__proto__: .*\n9 services\."": expected a name[^\n]*$/,
  ],
  [
    'a service of nothing',
    'services:\n  web:',
    /^3 services\.web: expected a command, or fields with "command:", got nothing\. Change it\. Until then the service is left out\.$/,
  ],
  [
    'a service that is a list',
    'services:\n  web: [npm, start]',
    /^3 services\.web: expected a command, or fields .*, got a list/,
  ],
  [
    'a service by an alias',
    'x: &c npm start\nservices:\n  web: *c',
    /^2 x: .*\n4 services\.web: .* got the alias \*c/,
  ],
  [
    'a service without a command',
    'services:\n  web:\n    port: 3000',
    /^3 services\.web\.command: is missing\. Add the command that starts the service\. Until then the service is left out\.$/,
  ],
  [
    'a command that is a list',
    'services:\n  web:\n    command:\n      - npm',
    /^5 services\.web\.command: expected a command, got a list/,
  ],
  [
    'a command that is a number',
    'services: {web: {command: 3}}',
    /expected a command, got 3\. Write what you would type in a shell, as one text\./,
  ],
  ['an empty command', 'services: {web: ""}', /^2 services\.web: the command "" is empty/],
  ['a placeholder', 'services: {web: TODO}', /the command "TODO" is a placeholder/],
  [
    'a command over two lines',
    'services:\n  web: |\n    a\n    b',
    /^3 services\.web: the command "a b" has line breaks, tabs, control or hidden characters/,
  ],
  ['a command with a tab', String.raw`services: {web: "a\tb"}`, /has line breaks, tabs/],
  [
    'a command with a bell',
    String.raw`services: {web: "a\ab"}`,
    /the command "a\\u\{7}b" has line breaks, tabs, control/,
  ],
  [
    'a command that reads backwards',
    String.raw`services: {web: "a \u202Eb"}`,
    /the command "a \\u\{202e}b" has line breaks/,
  ],
  [
    'a command with a NUL',
    'services: {web: a\0b}',
    /^2 Expected visible text, got hidden characters: U\+0000 in column 18\. .*\n2 services\.web: the command/,
  ],
  [
    'a command that is too long',
    `services: {web: ${'x'.repeat(1001)}}`,
    /is longer than 1000 characters/,
  ],
  [
    'a service for something else than a task',
    'services: {web: {command: a, per: run}}',
    /^2 services\.web\.per: expected "task", got "run"\. Leave it out for a service that all tasks share\. Until then the service is left out\.$/,
  ],
  [
    'a port of a service for each task',
    'services: {web: {command: a, per: task, port: 3000}}',
    /^2 services\.web\.port: each task has its own port for it\. Leave it out, and use \$PORT in the command\. Until then the service is left out\.$/,
  ],
  [
    'port 0',
    'services: {web: {command: a, port: 0}}',
    /^2 services\.web\.port: expected a whole number from 1 to 65535, got 0\. Change it\. Until then the service is left out\.$/,
  ],
  ['port 65536', 'services: {web: {command: a, port: 65536}}', /got 65536/],
  [
    'a port in quotes',
    'services: {web: {command: a, port: "3000", ready: port}}',
    /^2 services\.web\.port: .* got "3000"\. Write digits, without quotes\. Until then the service is left out\.$/,
  ],
  ['a list of ports', 'services: {web: {command: a, port: [1, 2]}}', /got a list/],
  [
    'a ready port without a port',
    'services: {web: {command: a, ready: port}}',
    /^2 services\.web\.ready: needs the port of the service, but it has none\. Add "port:"\. Until then the service is left out\.$/,
  ],
  [
    'a path without a port',
    'services: {web: {command: a, ready: {http: /}}}',
    /services\.web\.ready: needs the port of the service, but it has none/,
  ],
  [
    'another word for ready',
    'services: {web: {command: a, port: 1, ready: http}}',
    /services\.web\.ready: expected port, \{http: "\/path"} or \{log: "pattern"}, got "http"\. Change it\./,
  ],
  [
    'ready by two proofs',
    'services: {web: {command: a, port: 1, ready: {http: /, log: x}}}',
    /got both "http" and "log"\. Write one of them\./,
  ],
  [
    'ready by none',
    'services: {web: {command: a, port: 1, ready: {tcp: 1}}}',
    /^2 services\.web\.ready\.tcp: is not a field here.*\n2 services\.web\.ready: .*, got neither "http" nor "log"/,
  ],
  [
    'a pattern that does not compile',
    'services: {web: {command: a, ready: {log: "(a"}}}',
    /services\.web\.ready\.log: the pattern "\(a" is not a regular expression \(Unterminated group\): correct it\. Until then/,
  ],
  [
    'a pattern that takes for ever',
    'services: {web: {command: a, ready: {log: (a+)+b}}}',
    /the pattern "\(a\+\)\+b" repeats something that itself repeats/,
  ],
  [
    'a pattern that matches everything',
    'services: {web: {command: a, ready: {log: .*}}}',
    /also matches an empty line/,
  ],
  [
    'an empty pattern',
    'services: {web: {command: a, ready: {log: ""}}}',
    /also matches an empty line/,
  ],
  [
    'a pattern between slashes',
    'services: {web: {command: a, ready: {log: /ready/i}}}',
    /is between slashes/,
  ],
  [
    'a pattern that is too long',
    `services: {web: {command: a, ready: {log: ${'x'.repeat(501)}}}}`,
    /is longer than 500 characters/,
  ],
  [
    'a pattern with an escape sequence',
    String.raw`services: {web: {command: a, ready: {log: "\e[32m ready"}}}`,
    /the pattern "\\u\{1b}\[32m ready" has line breaks/,
  ],
  [
    'a pattern that is a list',
    'services: {web: {command: a, ready: {log: [Vv]}}}',
    /services\.web\.ready\.log: expected a regular expression, got a list\. Put it in single quotes\./,
  ],
];

const paths = [
  'health',
  '""',
  'http://localhost:3000/',
  '//evil.example/',
  '"/\\\\evil.example/"',
  '"/a\\\\b"',
  '/a b',
  '"/#a"',
  '/ä',
  '"/\\n"',
  '"/\\0"',
  '3',
  '[/]',
  '{a: b}',
  `/${'x'.repeat(500)}`,
];

describe('counts for nothing:', () => {
  for (const [name, text, expected] of unreadable) {
    test(name, () => {
      const {value, problems} = parseProject(text);
      assert.deepEqual(value, defaults);
      assert.match(shown(problems), expected);
    });
  }
});

describe('is reported, and the rest counts:', () => {
  for (const [name, text, expected] of ignored) {
    test(name, () => {
      const {value, problems} = parseProject(`setup: npm ci\n${text}\n`);
      assert.deepEqual(value, {...defaults, setup: 'npm ci'});
      assert.match(shown(problems), expected);
    });
  }

  for (const path of paths) {
    test(`the path ${path.slice(0, 40)}`, () => {
      const {value, problems} = parseProject(
        `services:\n  web:\n    command: a\n    port: 80\n    ready:\n      http: ${path}\n`,
      );
      assert.deepEqual(value, defaults);
      assert.match(
        shown(problems),
        /^6 services\.web\.ready\.http: expected a path like "\/health" [^\n]*Until then the service is left out\.$/,
      );
    });
  }
});

const texts: readonly (readonly [
  field: 'copy' | 'share' | 'environment',
  item: string,
  problem: RegExp,
])[] = [
  ['copy', '/etc/passwd', /"\/etc\/passwd" is not relative/],
  ['copy', '../secrets', /leaves its folder/],
  ['copy', '.git/config', /belongs to git's own files/],
  ['copy', '"a\\nb"', /has control or hidden characters/],
  ['copy', '"a\\u202Eb"', /"a\\u\{202e}b" has control or hidden characters/],
  ['copy', '"**/*a*b*c"', /too many wildcards/],
  ['copy', '""', /is empty/],
  ['copy', '3', /copy\[1]: expected a path or a glob, got 3\. Change it/],
  ['copy', '[a]', /got a list/],
  ['copy', '*x', /got the alias \*x/],
  [
    'share',
    '{path: store, by: link}',
    /share\[\d\]\.by: expected "hard-link", got "link"\. Leave it out for a separate copy/,
  ],
  ['share', '{by: hard-link}', /expected path, the path of a folder/],
  ['share', '{path: "node_*", by: hard-link}', /has wildcards; name the folder itself/],
  ['share', '"node_*"', /has wildcards; name the folder itself/],
  ['share', '~/cache', /is not relative/],
  ['share', '/', /is not relative/],
  ['share', '""', /is empty/],
  ['share', 'cache//', /has an empty folder name/],
  ['environment', 'A=b', /"A=b" is not the name of a variable/],
  ['environment', '$A', /is not the name of a variable/],
  ['environment', '"*"', /is not the name of a variable/],
  ['environment', '1A', /is not the name of a variable/],
];

describe('is left out of its list, and the others count:', () => {
  for (const [field, item, problem] of texts) {
    test(`${field}: ${item}`, () => {
      const {value, problems} = parseProject(`${field}:\n  - one\n  - ${item}\n  - two\n`);
      assert.deepEqual(value, {...defaults, [field]: ['one', 'two']});
      assert.match(shown(problems), problem);
      assert.match(shown(problems), /^3 \w+\[1](?:\.by)?: [^\n]* Until then it is left out\.$/);
    });
  }

  test('more than there is room for', () => {
    const {value, problems} = parseProject(
      `environment: [${Array.from({length: 101}, (_, index) => `V${index}`).join(', ')}]`,
    );
    assert.equal(value.environment?.length, 100);
    assert.equal(
      shown(problems),
      '1 environment: expected at most 100, got 101. Leave some out. Until then the first 100 count.',
    );
  });
});

test('what a project does not say has its default, also in a journal of an older release', () => {
  const old: Project = {services: [], limits: {workers: 3, runs: 1}};
  assert.deepEqual(getLimits(old), {
    workers: 3,
    runs: 1,
    attemptMinutes: 60,
    noProgressMinutes: 15,
    checkMinutes: 20,
    pauseSeconds: 30,
    pauseMinutes: 1440,
    contextTokens: 6000,
    toolResultTokens: 2000,
    sameCalls: 8,
    sameFailures: 4,
    undoneEdits: 3,
    unchangedMinutes: 30,
    onLoop: 'ask',
  });
  assert.deepEqual(
    [getSandbox(old), getBranchPrefix(old), getPortRange(old)],
    ['auto', 'orchestra', {from: 4000, perTask: 10}],
  );
  assert.deepEqual(evolve(emptyState, {type: 'project-read', at: 1, project: old}).project, old);
  const {value} = parseProject(
    'limits: {checkMinutes: 3, runTokens: 5000}\nsandbox: off\nbranch: x\nports: {from: 5000}',
  );
  assert.deepEqual(getLimits(value), {
    workers: 4,
    runs: 2,
    attemptMinutes: 60,
    noProgressMinutes: 15,
    checkMinutes: 3,
    pauseSeconds: 30,
    pauseMinutes: 1440,
    runTokens: 5000,
    contextTokens: 6000,
    toolResultTokens: 2000,
    sameCalls: 8,
    sameFailures: 4,
    undoneEdits: 3,
    unchangedMinutes: 30,
    onLoop: 'ask',
  });
  assert.deepEqual(
    [getSandbox(value), getBranchPrefix(value), getPortRange(value)],
    ['off', 'x', {from: 5000, perTask: 10}],
  );
});

test('one wrong service does not harm the others', () => {
  const {value, problems} = parseProject(
    'setup: todo\nservices:\n  web: {command: a, port: x}\n  api: {command: b, port: 80, prot: 81}\n  docs: c\n',
  );
  assert.deepEqual(value, {
    ...defaults,
    services: [
      {name: 'api', command: 'b', port: 80, ready: {by: 'port'}},
      {name: 'docs', command: 'c'},
    ],
  });
  assert.match(
    shown(problems),
    /^1 setup: the command "todo" is a placeholder: write the exact command\. Until then nothing is set up\.\n3 services\.web\.port: .*\n4 services\.api\.prot: is not a field here[^\n]*$/,
  );
});

test('a port belongs to the first service that names it and can be started', () => {
  const {value, problems} = parseProject(
    'services:\n  odd: {command: "", port: 80}\n  web: {command: a, port: 80}\n  api:\n    command: b\n    port: 80\n  docs: {command: c, port: 81}\n',
  );
  assert.deepEqual(
    value.services.map(({name}) => name),
    ['web', 'docs'],
  );
  assert.match(
    shown(problems),
    /^2 services\.odd\.command: .*\n4 services\.api: port 80 already belongs to the service "web"\. Choose another port\. Until then the service is left out\.$/,
  );
});

test('of two fields with one name the first counts, wherever they stand', () => {
  const {value, problems} = parseProject(
    'setup: a\nsetup: b\nlimits: {runs: 3, runs: 5}\nservices:\n  web: a\n  web: b\n  api: {command: c, "command": d}\n',
  );
  assert.deepEqual(value, {
    setup: 'a',
    limits: {workers: 4, runs: 3},
    services: [
      {name: 'web', command: 'a'},
      {name: 'api', command: 'c'},
    ],
  });
  assert.deepEqual(
    problems.map(({line, text}) => `${line} ${text.split(':', 1)[0]!}`),
    ['2 setup', '3 limits.runs', '6 services.web', '7 services.api.command'],
  );
  assert.equal(
    problems[0]?.text,
    'setup: occurs a second time; the first one counts. Leave one out.',
  );
});

test('a file with a YAML 1.1 directive is parsed like any other: nothing merges', () => {
  const {value, problems} = parseProject('%YAML 1.1\n---\n<<: {setup: a}\nsetup: !!binary aGk=\n');
  assert.deepEqual(value, defaults);
  assert.match(
    shown(problems),
    /^3 <<: does not merge.*\n4 setup: expected a command, got a value with the tag tag:yaml\.org,2002:binary/,
  );
});

test('a billion laughs stay untold', () => {
  const levels = Array.from(
    {length: 40},
    (_, index) =>
      `l${index + 1}: &l${index + 1} [${Array.from({length: 10}, () => `*l${index}`).join(', ')}]`,
  );
  const {value, problems} = parseProject(
    `l0: &l0 ha\n${levels.join('\n')}\nsetup: *l40\nservices: {web: *l40}\n`,
  );
  assert.deepEqual(value, defaults);
  assert.equal(problems.length, 43);
});

test('an unknown directive and hidden characters in a comment are reported, and do no harm', () => {
  const {value, problems} = parseProject('%WHAT x\n---\n# a\u202Eb\nsetup: npm ci\n');
  assert.deepEqual(value, {...defaults, setup: 'npm ci'});
  assert.match(
    shown(problems),
    /^1 Expected plain YAML, .*%WHAT\. Remove it\.\n3 Expected visible text, got hidden characters: U\+202E in column 4\. Remove them\.$/,
  );
});

test('the defaults are those of an empty state', () => {
  assert.deepEqual(emptyState.project, defaults);
});

function shown(problems: readonly {readonly line: number; readonly text: string}[]): string {
  return problems.map(({line, text}) => `${line} ${text}`).join('\n');
}

test('models are parsed by agent; an invalid name of a model is reported, and the rest counts', () => {
  const {value, problems} = parseProject(
    'models:\n  claude: claude-sonnet-4-5\n  opencode: scripted/scripted\n  codex: --yolo\n  Not An Agent: x\n',
  );
  assert.deepEqual(value.models, {claude: 'claude-sonnet-4-5', opencode: 'scripted/scripted'});
  assert.deepEqual(
    problems.map(({line}) => line),
    [4, 5],
  );
  assert.match(
    problems[0]?.text ?? '',
    /^models\.codex: expected the name of a model .*, got "--yolo"\. Change it\. Until then the agent chooses its model\.$/,
  );
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {findSecrets, redact, selectAgentEnvironment} from '../../source/secrets/index.ts';
import {
  composePlannerPrompt,
  composeWorkerPrompt,
  parseReport,
} from '../../source/prompts/index.ts';
import {plannerInput, workerInput} from '../prompts/inputs.ts';

/** Nobody's. */
const canaries: readonly string[] = [
  `sk-ant-api03-${'aB3_'.repeat(10)}`,
  `sk-proj-${'9zX'.repeat(12)}`,
  'AKIAIOSFODNN7EXAMPLE',
  `ghp_${'a1B2'.repeat(9)}`,
  `github_pat_${'11ABCDE_'.repeat(5)}`,
  `glpat-${'x1'.repeat(10)}`,
  `xoxb-${'12'.repeat(6)}-abcdefgh`,
  `npm_${'q7'.repeat(18)}`,
  `AIza${'Sy1-'.repeat(9)}`,
  `eyJ${'hb'.repeat(8)}.eyJ${'zd'.repeat(8)}.${'c2'.repeat(8)}`,
];

describe('a well-known secret goes, and the words around it stay:', () => {
  for (const canary of canaries) {
    test(`${canary.slice(0, 8)}…`, () => {
      assert.equal(redact(`before ${canary} after`, []), 'before [redacted] after');
      assert.equal(redact(`a "${canary}".`, []), 'a "[redacted]".');
      assert.equal(
        redact(JSON.stringify({text: `a\n${canary}\n`}), []),
        String.raw`{"text":"a\n[redacted]\n"}`,
      );
      const chunks = Array.from({length: Math.ceil(canary.length / 5)}, (_, index) =>
        canary.slice(index * 5, index * 5 + 5),
      );
      assert.equal(redact(chunks.join(''), []), '[redacted]');
    });
  }
});

const forms: readonly (readonly [text: string, redacted: string])[] = [
  ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
  ['authorization: basic dXNlcjpwYXNzd29yZA==', 'authorization: basic [redacted]'],
  ['API_KEY=correcthorse', 'API_KEY=[redacted]'],
  ['export DB_PASSWORD="correct-horse"', 'export DB_PASSWORD="[redacted]"'],
  ['GET /x?token=abcdefgh12&page=2', 'GET /x?token=[redacted]&page=2'],
  ['{"apiKey": "a1b2c3d4e5f6a7b8"}', '{"apiKey": "[redacted]"}'],
  ["clientSecret: 'a1b2c3d4e5f6a7b8c9'", "clientSecret: '[redacted]'"],
  ['https://me:hunter2@example.com/x', 'https://me:[redacted]@example.com/x'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nrest',
    '[redacted]\nrest',
  ],
  ['-----BEGIN PRIVATE KEY-----\nMIIE cut off', '[redacted]'],
];

describe('has the form of a secret:', () => {
  for (const [text, redacted] of forms) {
    test(JSON.stringify(text.slice(0, 30)), () => {
      assert.equal(redact(text, []), redacted);
      assert.equal(redact(redact(text, []), []), redacted);
    });
  }
});

const harmless = [
  "token: 'refreshed-once'",
  'const token = refreshToken();',
  'tokens: 1234567',
  'token=abc',
  'expected key "a" to equal "b"',
  'task-runner-with-a-long-name-1234567890',
  'http://localhost:3000/a@b',
  'password: string',
  'Bearer of news',
  '<Input password={value} />',
  'sk-learn',
  'key=${name}',
];

test('ordinary text stays as it is', () => {
  for (const text of harmless) assert.equal(redact(text, []), text);
});

test('given values go wherever they stand, the longest first, and inside JSON and addresses too', () => {
  const secrets = ['pa"ss\\word/1', 'pa"ss\\word/1+more', 'short', ''];
  assert.equal(
    redact('a pa"ss\\word/1+more b pa"ss\\word/1 short', secrets),
    'a [redacted] b [redacted] short',
  );
  assert.equal(redact(JSON.stringify({x: 'pa"ss\\word/1'}), secrets), '{"x":"[redacted]"}');
  assert.equal(redact(encodeURIComponent('pa"ss\\word/1'), secrets), '[redacted]');
  assert.equal(redact('a $& b $1 c', ['$& b $1 c']), 'a [redacted]');
});

test('the secrets of an environment are known by their names', () => {
  assert.deepEqual(
    findSecrets({
      PATH: '/bin',
      A_KEY: 'one',
      MY_TOKEN: 'two',
      db_password: 'three',
      NONE_KEY: undefined,
      CLIENT_SECRET: 'four',
    }),
    ['one', 'two', 'three', 'four'],
  );
});

test('50 planted canaries reach no prompt and no report, also with colours in the middle', () => {
  const secrets = Array.from(
    {length: 40},
    (_, index) => `canary${index}!${'x'.repeat(index % 7)}q`,
  );
  const planted = [...secrets, ...canaries];
  const text = planted
    .map((canary, index) =>
      index % 2 === 0 ? canary : `${canary.slice(0, 6)}\u001B[31m${canary.slice(6)}\u001B[0m`,
    )
    .join('\n');
  const shared = {
    secrets,
    facts: [
      {name: text, value: {text}, source: text, at: 0},
      {name: 'x', unknown: text, at: 0},
    ],
    summaries: [{path: 'a.md', text}],
    budget: 100_000,
  };
  const failure = {
    kind: 'check',
    name: 'test',
    code: 'TEST_FAILURE',
    on: 'change',
    firstFailure: text,
  } as const;
  const outputs = [
    composePlannerPrompt({
      ...plannerInput,
      ...shared,
      problems: [text],
      before: text,
      because: {comments: [{line: 1, text: 'x'}]},
    }).text,
    composeWorkerPrompt({
      ...workerInput,
      ...shared,
      attempt: {number: 2, interruptions: 0, repairs: failure},
    }).text,
    JSON.stringify(
      parseReport(
        `\`\`\`json\n${JSON.stringify({rootCause: text, decisions: [text], rejected: [text], gaveUp: text})}\n\`\`\``,
        secrets,
      ),
    ),
  ];
  for (const output of outputs)
    assert.deepEqual(
      planted.filter((canary) => output.includes(canary)),
      [],
    );
});

test('redacting grows with the text, also with nothing but beginnings of secrets', () => {
  for (const unit of [
    'sk-',
    'key=',
    '//a:',
    'eyJ',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    'a-',
    'token: "',
  ]) {
    let ratio = Infinity;
    for (let round = 0; round < 5 && ratio > 10; round += 1)
      ratio = Math.min(
        ratio,
        timeFor(unit.repeat(240_000 / unit.length)) /
          Math.max(timeFor(unit.repeat(60_000 / unit.length)), 1),
      );
    assert.ok(ratio <= 10, `four times "${unit}" took ${ratio.toFixed(1)} times as long`);
  }
});

/** In processor time, so that other work on the machine spoils little. */
function timeFor(text: string): number {
  return Math.min(
    ...Array.from({length: 3}, () => {
      const before = process.cpuUsage();
      redact(text, ['not in there']);
      const {user, system} = process.cpuUsage(before);
      return (user + system) / 1000;
    }),
  );
}

test('an agent gets what every program needs, what somebody named, and nothing that asks', () => {
  const environment = {
    PATH: '/bin',
    HOME: '/home/a',
    USER: 'a',
    LANG: 'C',
    LC_ALL: 'C',
    TERM: 'xterm',
    COLORTERM: 'truecolor',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    XDG_STATE_HOME: '/s',
    TZ: 'UTC',
    EDITOR: 'vi',
    VISUAL: 'vi',
    PAGER: 'less',
    SSH_AUTH_SOCK: '/x',
    NODE_OPTIONS: '--require /evil',
    GIT_DIR: '/x',
    ORCHESTRA_TOKEN: 't',
    ANTHROPIC_API_KEY: 'k',
    OPENAI_API_KEY: 'o',
    AWS_REGION: 'eu',
    AWS_SECRET_ACCESS_KEY: 's',
    DATABASE_URL: 'd',
    XDG_SECRET: 'x',
    LC_TOKEN: 'y',
    GONE: undefined,
  };
  const usual = {
    PATH: '/bin',
    HOME: '/home/a',
    USER: 'a',
    LANG: 'C',
    LC_ALL: 'C',
    TERM: 'xterm',
    COLORTERM: 'truecolor',
    SHELL: '/bin/sh',
    TMPDIR: '/tmp',
    XDG_STATE_HOME: '/s',
    TZ: 'UTC',
  };
  const unattended = {
    GIT_TERMINAL_PROMPT: '0',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    DEBIAN_FRONTEND: 'noninteractive',
  };
  assert.deepEqual(selectAgentEnvironment(environment, {allow: []}), {...usual, ...unattended});
  assert.deepEqual(
    selectAgentEnvironment(environment, {
      allow: ['AWS_*', 'DATABASE_URL', 'GONE'],
      needs: ['ANTHROPIC_API_KEY'],
    }),
    {...usual, AWS_REGION: 'eu', DATABASE_URL: 'd', ANTHROPIC_API_KEY: 'k', ...unattended},
  );
  assert.deepEqual(
    selectAgentEnvironment(
      {AWS_SECRET_ACCESS_KEY: 's', PAGER: 'less'},
      {allow: ['AWS_SECRET_ACCESS_KEY', 'PAGER', '*']},
    ),
    {AWS_SECRET_ACCESS_KEY: 's', ...unattended},
  );
});

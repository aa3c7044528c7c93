import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  ageOf,
  asciicast,
  columns,
  formatExplanation,
  formatFacts,
  formatPort,
  formatSessions,
  framesOf,
  type SessionLine,
} from '../../../source/documents/index.ts';

const now = 1_000_000_000;
const running: SessionLine = {
  session: 's1',
  name: 'web',
  status: 'running',
  command: ['npm', 'start'],
  pid: 42,
  since: now - 5000,
  ports: [{port: 3000}],
};
const asking: SessionLine = {
  ...running,
  session: 's2',
  name: 'init',
  ports: [],
  waiting: {question: 'Name?', secret: false, proof: 'proven'},
};
const ended: SessionLine = {
  session: 's3',
  name: 'x',
  status: 'exited',
  command: ['false'],
  ended: {at: now - 7_200_000, code: 1, signal: null},
  ports: [],
};

test('sessions are told in one line each; those that have ended are counted', () => {
  assert.equal(
    formatSessions([running, asking, ended], [], {now, all: false}),
    [
      'SESSION  STATUS       AGE  PID  PORTS  NAME  COMMAND',
      's1       running      5 s  42   3000   web   npm start',
      's2       asks: Name?  5 s  42          init  npm start',
      '1 ended; see them with --all',
      '',
    ].join('\n'),
  );
  assert.match(formatSessions([running, ended], [], {now, all: true}), /^s3 {7}exit 1 {3}2 h ago/m);
});

test('an empty list says how to begin', () => {
  assert.equal(
    formatSessions([], [], {now, all: false}),
    'No session is running. Start one: orchestra start -- COMMAND\n',
  );
});

test('sessions of a journal that is gone are named with their files', () => {
  assert.match(
    formatSessions([], [{session: 's7', directory: '/state/x-s7', pid: 9}], {now, all: false}),
    /unknown: s7 \(pid 9\) .* \/state\/x-s7/,
  );
});

test('a hostile name or question can neither act on the terminal nor begin a line', () => {
  const hostile = {
    ...asking,
    name: '\u001B]0;owned\u0007',
    command: ['a\nb'],
    waiting: {question: '\u009B31m\r?', secret: true, proof: 'proven'},
  };
  const text = formatSessions([hostile], [], {now, all: false});
  assert.doesNotMatch(text, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F]/);
  assert.equal(text.split('\n').length, 3);
});

const port = {port: 3000, proof: [{source: '/proc/net/tcp', text: 'listens'}], stale: []};

test('a port is answered in the first word, with who, since when and the proof', () => {
  const owner = {
    identity: {pid: 7},
    name: 'node',
    command: 'node server.js',
    directory: '/repo',
    since: now - 60_000,
  };
  assert.equal(
    formatPort(
      {
        ...port,
        verdict: 'yes',
        state: 'accepting',
        address: '127.0.0.1',
        session: 's1',
        owner,
        stale: [{kind: 'older-than-its-code', file: 'server.js', changedAt: now - 1000}],
      },
      now,
    ),
    [
      'yes: port 3000, it takes connections',
      'session   s1',
      'process   7 node, for 60 s',
      'command   node server.js',
      'works in  /repo',
      'address   127.0.0.1',
      'warning   it is older than its code: server.js was changed 1 s ago',
      'proof     /proc/net/tcp: listens',
      '',
    ].join('\n'),
  );
  assert.match(
    formatPort(
      {
        ...port,
        verdict: 'no',
        state: 'foreign',
        owner,
        stale: [{kind: 'another-worktree', directory: '/other'}],
      },
      now,
    ),
    /^no: port 3000, somebody else has it\n[^]*another worktree: \/other/,
  );
  assert.match(
    formatPort({...port, verdict: 'no', state: 'free'}, now),
    /^no: port 3000, nobody listens\n/,
  );
});

test('an explanation gives the state, what it rests on, and the end of the screen', () => {
  const text = formatExplanation(
    {
      ...asking,
      directory: '/repo',
      silentMs: 3000,
      screen: ['', 'hello', 'Name?', '', ''],
      input: {
        verdict: 'blocked',
        proof: 'proven',
        secret: false,
        why: [{source: '/proc/42/syscall', text: 'read'}],
      },
      usage: {cpu: 0.5, memory: 12_000_000},
      processes: [{pid: 42, command: 'npm start', found: 'cookie', state: 'S'}],
    },
    now,
  );
  assert.match(text, /^input +blocked, proven$/m);
  assert.match(text, /^uses +50 % of a core, 12 MB$/m);
  assert.ok(text.endsWith('its screen ends in\n  \n  hello\n  Name?\n'));
});

test('facts are told with their source, and what is unknown as unknown', () => {
  assert.equal(
    formatFacts([
      {name: 'ports', source: 'kernel', value: []},
      {name: 'head', unknown: 'git did not say'},
      {name: 'changed', source: 'git', value: 3},
    ]),
    'ports    kernel   none\nhead     unknown  git did not say\nchanged  git      3\n',
  );
});

test('ages are read at a glance', () => {
  assert.deepEqual([0, 119_000, 121_000, 7_300_000, 200_000_000, -5].map(ageOf), [
    '0 s',
    '119 s',
    '2 min',
    '2 h',
    '2 d',
    '0 s',
  ]);
});

test('columns are as wide as they need to be, and the last one is not padded', () => {
  assert.equal(
    columns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', 'cc'],
    ]),
    'a    bb  c\naaa  b   cc\n',
  );
  assert.equal(columns([['a', 'bcdefg']], 6), 'a  bc…\n');
});

const moments = [
  {at: 0, offset: 0, columns: 80, rows: 24},
  {at: 500, offset: 4, columns: 80, rows: 24},
  {at: 900, offset: 6, columns: 100, rows: 30},
];

test('a recording keeps its times and sizes, and no character is cut by a border between two moments', () => {
  const bytes = new TextEncoder().encode('abcäxyz');
  const frames = framesOf(
    [
      {offset: 0, bytes: bytes.subarray(0, 5)},
      {offset: 5, bytes: bytes.subarray(5)},
    ],
    moments,
  );
  assert.equal(frames.map(({text}) => text).join(''), 'abcäxyz');
  assert.deepEqual(frames.at(-1), {seconds: 0.9, text: 'yz', resized: {columns: 100, rows: 30}});
});

test('asciicast v2 is a header and one event a line', () => {
  const lines = asciicast(
    [
      {seconds: 0.1, text: 'hi\r\n'},
      {seconds: 0.2, text: '', resized: {columns: 100, rows: 30}},
    ],
    {columns: 80, rows: 24, timestamp: 5000, title: 's1'},
  )
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  assert.deepEqual(lines, [
    {version: 2, width: 80, height: 24, timestamp: 5, title: 's1', env: {TERM: 'xterm-256color'}},
    [0.1, 'o', 'hi\r\n'],
    [0.2, 'r', '100x30'],
  ]);
});

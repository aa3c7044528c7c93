import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  formatExplanation,
  formatSessions,
  type SessionLine,
} from '../../../source/reports/index.ts';

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

test('each session is one line; ended sessions are counted', () => {
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
  assert.ok(text.endsWith('the end of its screen\n  \n  hello\n  Name?\n'));
});

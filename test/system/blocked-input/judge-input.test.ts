import assert from 'node:assert/strict';
import {test} from 'node:test';
import {type Process, readBlocked} from '../../../source/system/index.ts';
import {
  asksForSecret,
  type InputEvidence,
  judgeInput,
  looksLikePrompt,
} from '../../../source/system/blocked-input/judge-input.ts';
import {parseTerminalModes} from '../../../source/system/blocked-input/terminal.ts';
import {
  type ProcessActivity,
  combineActivities,
  type ThreadActivity,
} from '../../../source/system/blocked-input/read-wait.ts';
import {usedProcessor} from '../../../source/system/blocked-input/read-blocked.ts';
import {kernel} from '../support/own-kernel.ts';

const lines = {isCanonical: true, echoes: true, readsForATime: false};
const hidden = {isCanonical: true, echoes: false, readsForATime: false};
const raw = {isCanonical: false, echoes: false, readsForATime: false};
const timed = {...raw, readsForATime: true};
/** Everything that makes a sleeper look as if it asked. */
const asking = {silentMs: 3000, usedProcessor: false, promptLine: 'Name: '};

function getVerdict(
  activities: readonly ProcessActivity[],
  evidence: Omit<InputEvidence, 'activities'> = {},
): string {
  const {verdict, proof, secret} = judgeInput({activities, ...evidence});
  return [verdict, ...(proof === 'none' ? [] : [proof]), ...(secret ? ['secret'] : [])].join(' ');
}

for (const [title, activities, evidence, expected] of [
  ['a read from the terminal', ['reads-terminal'], {modes: lines}, 'blocked proven'],
  ['a read with the echo off', ['reads-terminal'], {modes: hidden}, 'blocked proven secret'],
  ['a read in raw mode', ['reads-terminal'], {modes: raw}, 'blocked proven'],
  ['a read whose modes cannot be read', ['reads-terminal'], {}, 'blocked inferred'],
  ['a read that ends by itself after a time', ['reads-terminal'], {modes: timed}, 'idle'],
  [
    'a read that ends by itself, and all that looks like a question',
    ['reads-terminal'],
    {...asking, modes: timed},
    'blocked inferred',
  ],
  [
    'a read after the word password, with the echo on',
    ['reads-terminal'],
    {modes: lines, promptLine: 'Password: '},
    'blocked proven secret',
  ],
  [
    'a read beside others that wait',
    ['waits-elsewhere', 'reads-terminal'],
    {modes: lines},
    'blocked proven',
  ],
  ['a read beside one that runs', ['runs', 'reads-terminal'], {modes: lines}, 'blocked proven'],
  ['a process that runs', ['runs', 'awaits-terminal'], asking, 'working'],
  ['a wait for nothing but the terminal', ['awaits-terminal'], {modes: raw}, 'blocked inferred'],
  [
    'epoll, and all that looks like a question',
    ['attends-terminal'],
    {...asking, modes: raw},
    'blocked inferred',
  ],
  [
    'epoll, and the agent says so',
    ['attends-terminal'],
    {...asking, promptLine: '', agentAsks: true},
    'blocked inferred',
  ],
  ['epoll, silent for too short', ['attends-terminal'], {...asking, silentMs: 2999}, 'working'],
  ['epoll, with work done', ['attends-terminal'], {...asking, usedProcessor: true}, 'working'],
  [
    'epoll, without an earlier sample',
    ['attends-terminal'],
    {...asking, usedProcessor: undefined},
    'idle',
  ],
  ['epoll, and nothing on the line', ['attends-terminal'], {...asking, promptLine: ''}, 'idle'],
  ['epoll, and nothing known of the screen', ['attends-terminal'], {}, 'idle'],
  [
    'somebody else who waits elsewhere and seems to ask',
    ['waits-elsewhere'],
    {...asking, agentAsks: true},
    'working',
  ],
  [
    'a program that may not be looked into, with the echo off',
    ['is-unreadable'],
    {modes: hidden},
    'blocked inferred secret',
  ],
  [
    'a program that may not be looked into, with the echo on',
    ['is-unreadable'],
    {modes: lines},
    'unknown',
  ],
  [
    'a program that may not be looked into and seems to ask',
    ['is-unreadable'],
    {...asking, modes: lines},
    'blocked inferred',
  ],
  [
    'a program that may not be looked into and works',
    ['is-unreadable'],
    {...asking, usedProcessor: true},
    'working',
  ],
  ['a stopped program', ['is-stopped'], {...asking, modes: lines}, 'idle'],
  ['a stopped program beside one that waits', ['is-stopped', 'waits-elsewhere'], {}, 'working'],
  ['nobody', [], asking, 'exited'],
] as const) {
  test(`${title}: ${expected}`, () => {
    assert.equal(getVerdict(activities, evidence), expected);
  });
}

for (const [threads, activity] of [
  [['reads-terminal'], 'reads-terminal'],
  [['waits-for-thread', 'reads-terminal', 'waits-for-thread'], 'reads-terminal'],
  [['waits-for-signal', 'reads-terminal'], 'attends-terminal'],
  [['waits-elsewhere', 'reads-terminal'], 'attends-terminal'],
  [['is-unreadable', 'reads-terminal'], 'attends-terminal'],
  [['reads-terminal', 'reads-terminal'], 'attends-terminal'],
  [['runs', 'reads-terminal'], 'runs'],
  [['awaits-terminal', 'waits-for-signal', 'waits-for-thread'], 'awaits-terminal'],
  [['awaits-terminal', 'waits-elsewhere'], 'attends-terminal'],
  [['attends-terminal', 'is-unreadable'], 'attends-terminal'],
  [['waits-elsewhere', 'is-unreadable'], 'is-unreadable'],
  [['waits-for-thread', 'waits-for-signal'], 'waits-elsewhere'],
  [[], 'is-unreadable'],
] as const satisfies readonly (readonly [readonly ThreadActivity[], ProcessActivity])[]) {
  test(`threads that do ${threads.join(' + ') || 'nothing'}: ${activity}`, () => {
    assert.equal(combineActivities(threads), activity);
  });
}

test('lines that ask are told from lines that do not', () => {
  for (const line of [
    'Name:',
    'Name: ',
    'package name: (here) ',
    'Overwrite? [y/N] ',
    'Proceed (yes/no)',
    '> ',
    '❯ ',
    '$ ',
    '>>> ',
    'Press any key',
    '(END)',
    '--More--(7%)',
  ])
    assert.ok(looksLikePrompt(line), line);
  for (const line of [
    '',
    'all done',
    'Listening at http://localhost:3000/',
    'compiling 3 of 7 …',
    'What? That is done.',
    '- thinking',
  ])
    assert.ok(!looksLikePrompt(line), line);
});

test('lines that ask for a secret are told from lines that do not', () => {
  for (const line of [
    'Password:',
    '[sudo] password for ann: ',
    "Enter passphrase for key '/k': ",
    'API key: ',
    'Token? ',
    'Verification code: ',
  ])
    assert.ok(asksForSecret(line), line);
  for (const line of ['', 'Name: ', 'the password was right', 'spin: '])
    assert.ok(!asksForSecret(line), line);
});

test('stty is understood, of Linux and of macOS', () => {
  const linux =
    'speed 38400 baud; rows 24; columns 80; line = 0;\nintr = ^C; min = 1; time = 0;\nisig icanon iexten -echo echoe echok -echonl -noflsh';
  const macos =
    'speed 9600 baud; 24 rows; 80 columns;\nlflags: -icanon isig iexten echo echoe -echok echoke -echonl echoctl\ncchars: discard = ^O; min = 1; time = 0;';
  assert.deepEqual(parseTerminalModes(linux), {
    isCanonical: true,
    echoes: false,
    readsForATime: false,
  });
  assert.deepEqual(parseTerminalModes(macos), {
    isCanonical: false,
    echoes: true,
    readsForATime: false,
  });
  assert.deepEqual(parseTerminalModes(macos.replace('time = 0', 'time = 5')), {
    isCanonical: false,
    echoes: true,
    readsForATime: true,
  });
  assert.equal(parseTerminalModes('stty: standard input: Input/output error'), undefined);
});

const sleeper: Process = {
  identity: {pid: 7, startTime: 1, bootId: 'b'},
  uid: 0,
  parent: 1,
  group: 7,
  session: 7,
  foreground: -1,
  state: 'S',
  cpuMs: 500,
  memory: 0,
  startedAt: 0,
  name: 'x',
};

test('work is seen between two samples that are a second apart, a single tick is not work', () => {
  const before = (cpuMs: number, at = 0): Parameters<typeof usedProcessor>[2] => ({
    at,
    processes: [{...sleeper, cpuMs}],
  });
  const sample = {at: 1000, processes: [sleeper]};
  assert.equal(usedProcessor([sleeper], sample, before(500)), false);
  assert.equal(usedProcessor([sleeper], sample, before(490)), false);
  assert.equal(usedProcessor([sleeper], sample, before(480)), true);
  assert.equal(usedProcessor([sleeper], sample, before(500, 1)), undefined);
  assert.equal(usedProcessor([sleeper], sample, {at: 0, processes: []}), undefined);
  assert.equal(usedProcessor([sleeper], sample, undefined), undefined);
});

test('a process that is gone has exited, one without a terminal is unknown', async () => {
  const root = sleeper.identity;
  const verdict = async (processes: readonly Process[]): Promise<string> =>
    (await readBlocked({root, sample: {at: 0, processes}}, kernel)).verdict;
  assert.equal(await verdict([]), 'exited');
  assert.equal(await verdict([{...sleeper, state: 'Z'}]), 'exited');
  assert.equal(await verdict([{...sleeper, identity: {...root, startTime: 2}}]), 'exited');
  assert.equal(await verdict([sleeper]), 'unknown');
  assert.equal(await verdict([{...sleeper, terminal: 'device 9:9'}]), 'unknown');
});

import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  type AgentOutcome,
  maxOutcomeBytes,
  parseOutcome,
  parseOutcomeFile,
  type ProcessEnd,
} from '../../source/agents/index.ts';

const patterns = {
  gaveUp: '^I cannot',
  unavailable: 'rate limit',
  conversation: 'session: ([a-z0-9-]+)',
};

describe('what came of it:', () => {
  const cases: readonly (readonly [name: string, ended: ProcessEnd, outcome: AgentOutcome])[] = [
    [
      'exit code 0',
      {code: 0, output: 'Reading.\n\nDid it.\nAll of it.\n'},
      {at: 'finished', words: 'Did it.\nAll of it.'},
    ],
    ['exit code 0 and silence', {code: 0, output: ''}, {at: 'finished', words: ''}],
    [
      'an exit code',
      {code: 3, output: 'a\r\nno such model\r\n\r\n'},
      {at: 'failed', words: 'It exited with code 3. Its last output: no such model'},
    ],
    [
      'an exit code and silence',
      {code: 1, output: ' \n'},
      {at: 'failed', words: 'It exited with code 1 and printed nothing.'},
    ],
    ...[
      [129, 'SIGHUP'],
      [130, 'SIGINT'],
      [131, 'SIGQUIT'],
      [134, 'SIGABRT'],
      [137, 'SIGKILL'],
      [139, 'SIGSEGV'],
      [141, 'SIGPIPE'],
      [143, 'SIGTERM'],
      [152, 'SIGXCPU'],
      [159, 'SIGSYS'],
    ].map(
      ([code, signal]) =>
        [
          `an exit code that stands for ${String(signal)}`,
          {code: Number(code), output: ''},
          {at: 'interrupted', words: `It was ended by ${String(signal)} and printed nothing.`},
        ] as const,
    ),
    ...[1, 2, 3, 42, 64, 100, 101, 125, 126, 127, 128, 160, 192, 254, 255].map(
      (code) =>
        [
          `exit code ${code}, which stands for no signal`,
          {code, output: 'Killed'},
          {at: 'failed', words: `It exited with code ${code}. Its last output: Killed`},
        ] as const,
    ),
    [
      'a file that says success, and an exit code that stands for a signal',
      {code: 137, output: '', outcome: '{"at":"finished","words":"Done."}'},
      {at: 'interrupted', words: 'It was ended by SIGKILL and printed nothing.'},
    ],
    [
      'a file that says that it failed, and an exit code that stands for a signal',
      {code: 143, output: '', outcome: '{"at":"failed","words":"No."}'},
      {at: 'failed', words: 'No.'},
    ],
    [
      'a file that says that it was interrupted, whatever the code',
      {
        code: 1,
        output: 'boom',
        outcome: '{"at":"interrupted","words":"Ended.","conversation":"c1"}',
      },
      {at: 'interrupted', words: 'Ended.', conversation: 'c1'},
    ],
    [
      'giving up in its words, and an exit code that stands for a signal',
      {code: 143, output: 'I cannot.'},
      {at: 'gave-up', words: 'I cannot.'},
    ],
    [
      'a signal',
      {code: null, output: ''},
      {at: 'interrupted', words: 'It was ended by a signal and printed nothing.'},
    ],
    [
      'giving up, whatever the code',
      {code: 0, output: 'x\nI cannot do that.\nBye.'},
      {at: 'gave-up', words: 'I cannot do that.'},
    ],
    [
      'a service that does not serve',
      {code: 1, output: 'Error: rate limit reached\n'},
      {at: 'unavailable', words: 'Error: rate limit reached'},
    ],
    [
      'words about a service, and success',
      {code: 0, output: 'Handles the rate limit now.'},
      {at: 'finished', words: 'Handles the rate limit now.'},
    ],
    [
      'its conversation',
      {code: 0, output: 'session: ab-1\nsession: ab-2\n\ndone'},
      {at: 'finished', words: 'done', conversation: 'ab-2'},
    ],
    [
      'a conversation that would be an option',
      {code: 0, output: 'session: --help\n\ndone'},
      {at: 'finished', words: 'done'},
    ],
    [
      'its own file',
      {
        code: 0,
        output: 'x',
        outcome:
          '{"at":"finished","words":"Done.","report":{"rootCause":"r","decisions":["d"],"rejected":[{"alternative":"a","reason":"b"}]},"usage":{"input":1,"output":2,"cost":0.5},"conversation":"c1"}',
      },
      {
        at: 'finished',
        words: 'Done.',
        report: {rootCause: 'r', decisions: ['d'], rejected: [{alternative: 'a', reason: 'b'}]},
        usage: {input: 1, output: 2, cost: 0.5},
        conversation: 'c1',
      },
    ],
    [
      'a file that says success, and an exit code that does not',
      {code: 2, output: 'boom', outcome: '{"at":"finished","words":"Done."}'},
      {at: 'failed', words: 'It exited with code 2. Its last output: boom'},
    ],
    [
      'a file that says success, and a signal',
      {code: null, output: '', outcome: '{"at":"finished","words":"Done."}'},
      {at: 'interrupted', words: 'It was ended by a signal and printed nothing.'},
    ],
    [
      'a file that gives up',
      {code: 1, output: 'boom', outcome: '{"at":"gave-up","words":"No steps."}'},
      {at: 'gave-up', words: 'No steps.'},
    ],
    [
      'a file that gives up, and exit code 0',
      {code: 0, output: '', outcome: '{"at":"gave-up","words":"No."}'},
      {at: 'gave-up', words: 'No.'},
    ],
    [
      'a file that asks to wait',
      {code: 1, output: '', outcome: '{"at":"unavailable","words":"Later.","until":17}'},
      {at: 'unavailable', words: 'Later.', until: 17},
    ],
    [
      'a file of nonsense',
      {code: 0, output: 'done', outcome: '{"at":"won"}'},
      {at: 'finished', words: 'done'},
    ],
  ];
  for (const [name, ended, outcome] of cases) {
    test(name, () => {
      assert.deepEqual(parseOutcome(ended, patterns), outcome);
    });
  }
});

for (const text of [
  '',
  'null',
  '[]',
  '"finished"',
  '{',
  '{"at":"__proto__"}',
  '{"at":["finished"]}',
  '{"__proto__":{"at":"finished"}}',
  `{"at":"finished","words":"${'x'.repeat(maxOutcomeBytes)}"}`,
]) {
  test(`${text.slice(0, 40)} is no outcome`, () => {
    assert.equal(parseOutcomeFile(text), undefined);
  });
}

test('fields of the wrong kind are left out, long ones cut, and nothing reaches the prototype', () => {
  const text = JSON.stringify({
    at: 'finished',
    words: ['x'],
    report: {
      rootCause: 3,
      decisions: ['a', 4, '', 'x'.repeat(5000), null],
      rejected: [{alternative: 'a'}, null, [], {alternative: 'a', reason: 'b', more: 1}],
    },
    usage: {input: -1, output: 2},
    conversation: '-x',
    until: 3,
  }).replace('"report":{', '"__proto__":{"polluted":1},"report":{"__proto__":{"polluted":1},');
  const outcome = parseOutcomeFile(text);
  assert.deepEqual(outcome, {
    at: 'finished',
    words: '',
    report: {decisions: ['a', 'x'.repeat(4000)], rejected: [{alternative: 'a', reason: 'b'}]},
  });
  assert.equal(({} as {polluted?: number}).polluted, undefined);
});

test('half a million lines are looked at only in part', () => {
  const output = `I cannot\n${'x\n'.repeat(500_000)}`;
  assert.equal(parseOutcome({code: 0, output}, patterns).at, 'finished');
});

test('a pattern that does not compile never matches', () => {
  assert.deepEqual(parseOutcome({code: 0, output: 'a'}, {gaveUp: '(', unavailable: '['}), {
    at: 'finished',
    words: 'a',
  });
});

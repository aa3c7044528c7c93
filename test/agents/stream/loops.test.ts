import assert from 'node:assert/strict';
import {describe, test} from 'node:test';
import {
  classifyTool,
  foldLoops,
  type StreamLoopKind,
  noLoops,
  selectLoopSigns,
  type ToolKind,
  type ToolUse,
  withoutTimes,
} from '../../../source/agents/index.ts';

const limits: Readonly<Record<StreamLoopKind, number>> = {
  'same-calls': 8,
  'same-failures': 4,
  'undone-edits': 3,
};

/** The signs that the usual limits would tell of, after these calls. */
function notified(uses: readonly ToolUse[]): string[] {
  const state = uses.reduce((before, use, index) => foldLoops(before, use, index), noLoops);
  return selectLoopSigns(state)
    .filter(({kind, times, weight}) => times >= limits[kind] * weight)
    .map(({kind, what, times}) => `${kind} ${what} ${times}`);
}

const run = (command: string, result = 'ok', isError = false): ToolUse => ({
  what: `Bash ${command}`,
  digest: `bash ${command}`,
  kind: classifyTool({name: 'Bash', about: command}),
  isError,
  result,
});
const fails = (command: string, result = 'boom'): ToolUse => run(command, result, true);
const read = (file: string, result = 'text'): ToolUse => ({
  what: `Read ${file}`,
  digest: `read ${file}`,
  kind: 'read',
  isError: false,
  result,
});
const write = (file: string, content: string): ToolUse => ({
  what: `Write ${file}`,
  digest: `write ${file} ${content}`,
  kind: 'edit',
  isError: false,
  result: 'written',
  written: [{file, content}],
});
const times = (count: number, ...uses: readonly ToolUse[]): ToolUse[] =>
  Array.from({length: count}, () => uses).flat();

describe('an agent goes in circles:', () => {
  const table: readonly (readonly [string, readonly ToolUse[], readonly string[]])[] = [
    ['the same call, eight times', times(8, read('a.ts')), ['same-calls Read a.ts 8']],
    [
      'two calls in turn',
      times(9, read('a.ts'), read('b.ts')),
      ['same-calls Read a.ts 8', 'same-calls Read b.ts 9'],
    ],
    [
      'the same call whose answer differs only in how long it took',
      Array.from({length: 8}, (_, index) =>
        run('npm test', `12 passed in ${index}.${index} s at 10:0${index}:00`),
      ),
      ['same-calls Bash npm test 8'],
    ],
    ['the same failing command', times(4, fails('npm test')), ['same-failures Bash npm test 4']],
    [
      'the same failing command, with files read between',
      Array.from({length: 4}, (_, index) => [fails('npm test'), read(`f${index}.ts`)]).flat(),
      ['same-failures Bash npm test 4'],
    ],
    [
      'an edit that is not found, again and again',
      times(4, {...write('a.ts', 'x'), isError: true, result: 'old_string not found'}),
      ['same-failures Write a.ts 4'],
    ],
    [
      'A to B to A to B to A',
      [
        write('a.ts', 'A'),
        write('a.ts', 'B'),
        write('a.ts', 'A'),
        write('a.ts', 'B'),
        write('a.ts', 'A'),
      ],
      ['undone-edits a.ts 3'],
    ],
    [
      'a circle of three',
      [...times(2, write('a.ts', 'A'), write('a.ts', 'B'), write('a.ts', 'C'))],
      ['undone-edits a.ts 3'],
    ],
    [
      'the same file written again as it is',
      times(9, write('a.ts', 'A')),
      ['same-calls Write a.ts 9'],
    ],
    [
      'a server that is asked without end',
      times(40, run('curl -s localhost:3000')),
      ['same-calls Bash curl -s localhost:3000 40'],
    ],
  ];
  for (const [name, uses, expected] of table)
    test(name, () => {
      assert.deepEqual(notified(uses), expected);
    });
});

describe('an agent that works is left alone:', () => {
  const table: readonly (readonly [string, readonly ToolUse[]])[] = [
    ['seven times is not eight', times(7, read('a.ts'))],
    ['the same file is read twice', times(2, read('a.ts'))],
    [
      'the same test after each edit, all red in the same way',
      Array.from({length: 20}, (_, index) => [
        write('a.ts', `v${index}`),
        fails('npm test'),
      ]).flat(),
    ],
    [
      'the same test after each edit, all green',
      Array.from({length: 20}, (_, index) => [write('a.ts', `v${index}`), run('npm test')]).flat(),
    ],
    [
      'the same test after each change that a command makes',
      Array.from({length: 20}, (_, index) => [
        run(`sed -i s/${index}/x/ a.ts`),
        fails('npm test'),
      ]).flat(),
    ],
    [
      'the same test with another failure each time',
      Array.from({length: 20}, (_, index) => fails('npm test', `${20 - index} failing`)),
    ],
    [
      'a failure that is overcome',
      [...times(3, fails('npm test')), run('npm test'), ...times(3, fails('npm test'))],
    ],
    [
      'a server that is waited for',
      times(19, fails('curl -s localhost:3000', 'connection refused')),
    ],
    [
      'the output of a shell that is read until it is done',
      times(30, {
        what: 'BashOutput',
        digest: 'output 1',
        kind: classifyTool({name: 'BashOutput', about: ''}),
        isError: false,
        result: 'running',
      }),
    ],
    [
      'the same call whose answer changes',
      Array.from({length: 30}, (_, index) => run('git log -1 --format=%s', `commit ${index}`)),
    ],
    [
      'a line for a search, put in and taken out, three times',
      ['A', 'A1', 'A', 'A2', 'A', 'A3', 'A'].map((content) => write('a.ts', content)),
    ],
    [
      'the same file read again after each new file',
      Array.from({length: 20}, (_, index) => [read('plan.md'), read(`f${index}.ts`)]).flat(),
    ],
    [
      'edits of whom nobody knows what they made',
      Array.from({length: 20}, () => [
        {what: 'edit', kind: 'edit' as const, isError: false, result: ''},
        fails('npm test'),
      ]).flat(),
    ],
    [
      'calls of which the stream does not say with what',
      times(20, {what: 'list', kind: 'read', isError: false, result: ''}),
    ],
  ];
  for (const [name, uses] of table)
    test(name, () => {
      assert.deepEqual(notified(uses), []);
    });
});

test('what is remembered is bounded, whatever an agent calls', () => {
  let state = noLoops;
  for (let number = 0; number < 2000; number += 1)
    state = foldLoops(
      foldLoops(
        foldLoops(state, read(`f${number}`), number),
        write(`g${number}`, `c${number}`),
        number,
      ),
      fails(`x ${number}`),
      number,
    );
  assert.ok(state.calls.size <= 210 && state.failures.size <= 210 && state.files.size <= 210);
});

test('calls are told apart by what they do', () => {
  const kinds: readonly (readonly [string, string, ToolKind])[] = [
    ['Bash', 'npm test', 'run'],
    ['shell', 'cat a.ts', 'read'],
    ['shell', 'cat a.ts > b.ts', 'run'],
    ['Bash', 'sleep 5 && curl localhost', 'poll'],
    ['run_shell_command', 'git status', 'read'],
    ['BashOutput', '', 'poll'],
    ['Read', 'a.ts', 'read'],
    ['orchestra.service_status', '', 'poll'],
    ['bash', 'rm -rf dist', 'run'],
  ];
  for (const [name, about, kind] of kinds)
    assert.equal(classifyTool({name, about}), kind, `${name} ${about}`);
  assert.equal(classifyTool({name: 'Write', about: 'a.ts', files: ['a.ts']}), 'edit');
  assert.equal(
    withoutTimes('ok 1.2 s at 2026-11-17T10:00:00Z 0xff'),
    withoutTimes('ok 35 ms at 2025-01-01T11:11:11Z 0xab'),
  );
  assert.notEqual(withoutTimes('3 failed'), withoutTimes('2 failed'));
});

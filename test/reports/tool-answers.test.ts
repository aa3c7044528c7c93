import assert from 'node:assert/strict';
import {test} from 'node:test';
import {
  fitOutput,
  formatServiceStatus,
  formatShellOutput,
  formatTaskStatus,
} from '../../source/reports/index.ts';
import {selectSession, type TaskId} from '../../source/domain/index.ts';
import {report, userCommand} from '../domain/support/harness.ts';
import {plannedTask} from '../domain/support/samples.ts';
import {
  makeWorktree,
  mergeTask,
  sessionOfTask,
  startSession,
  validate,
  working,
} from '../domain/support/stages.ts';

const none = {lines: 0, bytes: 0};

test('a short text is kept whole; a long one keeps whole lines of its start and end, and says how much is left out', () => {
  assert.equal(fitOutput('one\ntwo', 100), 'one\ntwo');
  const lines = Array.from({length: 100}, (_, index) => `line ${index}`);
  const text = fitOutput(lines.join('\n'), 100);
  assert.equal(
    text,
    'line 0\nline 1\nline 2\nline 3\nline 4\nline 5\nline 6\n[… 87 lines left out …]\nline 94\nline 95\nline 96\nline 97\nline 98\nline 99',
  );
  assert.equal(
    fitOutput('x'.repeat(1000), 100),
    `${'x'.repeat(50)}\n[… 900 characters left out …]\n${'x'.repeat(50)}`,
  );
});

test('the output of a command is plain: no colours, of a progress bar what stood there last, nothing that acts', () => {
  assert.equal(
    formatShellOutput(
      {
        head: '\u001B[31mred\u001B[0m\r\n10%\r100%\r\n\u001B]0;title\u0007end\u0007\r\n',
        tail: '',
        leftOut: none,
      },
      1000,
    ),
    'red\n100%\nend\\u{7}',
  );
  assert.equal(formatShellOutput({head: '', tail: '', leftOut: none}, 1000), '');
});

test('what was left out while it was read is counted with what is left out now', () => {
  const head = 'first\n'.repeat(100);
  const tail = 'last\n'.repeat(100);
  const text = formatShellOutput({head, tail, leftOut: {lines: 1000, bytes: 7}}, 60);
  assert.equal(
    text,
    `${'first\n'.repeat(5)}[… 1189 lines and 7 bytes that were not kept left out …]\n${'last\n'.repeat(5)}last`,
  );
});

test('a worker sees its task and the others, a planner its run, and both the state of services', () => {
  const harness = working([plannedTask('t1'), plannedTask('t2', {after: ['t1']})]);
  makeWorktree(harness, 'r1.t1');
  startSession(harness, 's2');
  assert.equal(
    formatTaskStatus(harness.state, selectSession(harness.state, 's2')!, harness.time),
    [
      'r1.t1: Task t1',
      'it: works',
      'attempt 1 of 2',
      'worktree: /w/r1.t1 on orchestra/r1.t1, from base',
      'files that the plan gives you: src/t1.ts',
      'checks, in order: test: npm test; build: npm run build',
      'other tasks:',
      '- t2 Task t2: after t1; files: src/t2.ts',
    ].join('\n'),
  );
  assert.match(
    formatTaskStatus(harness.state, selectSession(harness.state, 's1')!, harness.time),
    /^r1: .*\nstate: 0 of 2 merged\. You are its planner/,
  );
  assert.equal(
    formatServiceStatus(harness.state.services, harness.time),
    'web: down; port 3000; command: npm start',
  );
  report(harness, {type: 'service-told', session: 's2', service: 'web', want: 'up'});
  assert.match(
    formatServiceStatus(harness.state.services, harness.time),
    /^web: starting, for 0 s; port 3000; started for r1\.t1; /,
  );
});

test('a worker sees no other variant of its own task, and a task after them all of them', () => {
  const harness = working(
    [
      plannedTask('t1'),
      plannedTask('t3', {variantOf: 't1', agent: 'codex'}),
      plannedTask('t2', {after: ['t1']}),
    ],
    {},
    {limits: {workers: 3, runs: 1}},
  );
  const tasksNamed = (task: TaskId): string[] => {
    const session = selectSession(harness.state, sessionOfTask(harness, task));
    const text = formatTaskStatus(harness.state, session ?? assert.fail(), harness.time);
    return [...text.matchAll(/^- (t\d) /gm)].map(([, id]) => id ?? '');
  };
  for (const task of ['r1.t1', 'r1.t3'] as const) makeWorktree(harness, task);
  assert.deepEqual(tasksNamed('r1.t1'), ['t2']);
  assert.deepEqual(tasksNamed('r1.t3'), ['t2']);
  validate(harness, 'r1.t1');
  userCommand(harness, {type: 'pick-variant', task: 'r1.t1', commit: 'commit-r1.t1'});
  mergeTask(harness, 'r1.t1');
  makeWorktree(harness, 'r1.t2');
  assert.deepEqual(tasksNamed('r1.t2'), ['t1', 't3']);
});

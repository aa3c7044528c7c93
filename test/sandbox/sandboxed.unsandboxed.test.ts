import assert from 'node:assert/strict';
import {test} from 'node:test';
import {sandboxed, unsandboxed} from '../../source/sandbox/index.ts';

const tools = {
  bwrap: '/usr/bin/bwrap',
  uid: 1000,
  look: (path: string) => ({kind: 'directory' as const, real: path}),
};

test('the command inside of a sandbox can be told again', () => {
  const argv = ['node', '--', 'a file', '--test'];
  assert.deepEqual(
    unsandboxed(
      sandboxed({argv, cwd: '/w'}, {kind: 'worktree', writable: ['/w'], hidden: []}, tools),
    ),
    argv,
  );
});

test('a command without a sandbox is told as it is', () => {
  for (const argv of [
    ['sh', '-c', 'x -- y'],
    [],
    ['/usr/bin/env', '--ignore-signal=INT', 'program', '--', 'x'],
  ])
    assert.deepEqual(unsandboxed(argv), argv);
});

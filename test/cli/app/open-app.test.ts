import assert from 'node:assert/strict';
import {test} from 'node:test';
import {runCommand} from '../../../source/cli/run-command.ts';
import type {CliTerminal} from '../../../source/cli/cli-context.ts';

test('a terminal that can only print is not drawn on: one sentence says what to do, with exit 2', async () => {
  const written: string[] = [];
  const output: string[] = [];
  const ignored = (): (() => void) => () => undefined;
  const terminal: CliTerminal = {
    write: (text: string) => void written.push(text),
    size: () => ({columns: 80, rows: 24}),
    onResize: ignored,
    onInput: ignored,
    onSignal: ignored,
    raw: () => undefined,
    backlog: () => 0,
    suspend: () => undefined,
  } as unknown as CliTerminal;
  const code = await runCommand([], {
    env: {TERM: 'dumb', HOME: '/nowhere'},
    cwd: '/',
    out: (text) => void written.push(text),
    write: () => undefined,
    err: (text) => void output.push(text),
    isTerminal: true,
    columns: 80,
    rows: 24,
    terminal,
  });
  assert.deepEqual([code, written], [2, []]);
  assert.match(
    output.join(''),
    /^orchestra: TERM is "dumb", so the app cannot draw here\. .*xterm-256color.*\n$/,
  );
});

import assert from 'node:assert/strict';
import path from 'node:path';
import process from 'node:process';
import {type TestContext, test} from 'node:test';
import {spawn} from 'node-pty';
import {createScreen, type Screen} from '../../../source/terminal/index.ts';
import {eventually} from '../../support/eventually.ts';

const driver = path.join(import.meta.dirname, '..', 'support', 'driver.tsx');
const initial = createScreen({columns: 10, rows: 2}).modes;

type Run = {
  readonly screen: Screen;
  readonly press: (text: string) => void;
  readonly resize: (columns: number, rows: number) => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly shows: (what: RegExp) => Promise<unknown>;
  /** Waits until the loop has ended with this code, and all that it wrote has arrived. */
  readonly ended: (code: number) => Promise<void>;
};

/**
 * Stays on the terminal after the loop: what is left to read of a terminal that nobody is on any
 * more, node-pty throws away after a moment. It can be read from only if the loop gave it back.
 */
const stay =
  'trap : TERM; "$0" "$@"; code=$?; printf "\\r\\nended with %s." "$code"; read -r enter; exit "$code"';

/** The loop as a process of its own, on a real terminal, with real shells in its panes. */
function startDriver(context: TestContext, columns: number, rows: number): Run {
  const screen = createScreen({columns, rows});
  const terminal = spawn('/bin/sh', ['-c', stay, process.execPath, '--import', 'tsx', driver], {
    cols: columns,
    rows,
    encoding: null,
    env: {...process.env, TERM: 'xterm-256color'},
  });
  let exitCode: number | undefined;
  terminal.onData((data) => {
    screen.write(data as unknown as Uint8Array);
  });
  terminal.onExit((ended) => {
    exitCode = ended.exitCode;
  });
  context.after(() => {
    if (exitCode === undefined) terminal.kill('SIGKILL');
    screen.close();
  });
  const shows = (what: RegExp): Promise<unknown> =>
    eventually(what.source, () => what.test(screen.text().join('\n'))).catch((error: unknown) =>
      assert.fail(`${String(error)}\n${screen.text().join('\n')}`),
    );
  return {
    screen,
    press: (text) => {
      terminal.write(text);
    },
    resize(newColumns, newRows) {
      screen.resize(newColumns, newRows);
      terminal.resize(newColumns, newRows);
    },
    kill: (signal) => {
      process.kill(-terminal.pid, signal);
    },
    shows,
    async ended(code) {
      await shows(/ended with \d+\./);
      assert.match(screen.text().join('\n'), new RegExp(`ended with ${code}\\.`));
      terminal.write('\r');
      await eventually(
        'the shell has read from the terminal and ended',
        () => exitCode !== undefined,
      );
      assert.equal(exitCode, code);
    },
  };
}

test('shells in panes are typed into, resized and left, and the terminal is given back', async (context) => {
  const {screen, press, resize, ended, shows} = startDriver(context, 80, 24);
  await shows(/│\$ +││\$ +│/);
  press('1');
  await shows(/TYPING/);
  press('stty size; echo a-$((40+2))-b\r');
  await shows(/20 28[^]*a-42-b/);
  press('\u001D');
  await shows(/COMMAND last: left/);
  assert.equal(screen.modes.cursorVisible, false);
  resize(120, 40);
  await shows(/╰─{48}╯╰─{48}╯\nCOMMAND last: resized/);
  press('2');
  await shows(/TYPING last: 2/);
  press('stty size\r');
  await shows(/36 48/);
  press('\u001Dq');
  await ended(7);
  assert.deepEqual(screen.modes, initial);
});

test('killed by a signal, or failing, the process gives its terminal back', async (context) => {
  for (const [end, code] of [
    [
      (run: Run) => {
        run.kill('SIGTERM');
      },
      143,
    ],
    [
      (run: Run) => {
        run.press('e');
      },
      1,
    ],
  ] as const) {
    const run = startDriver(context, 80, 24);
    await run.shows(/╰─{28}╯/);
    assert.equal(run.screen.modes.alternateScreen, true);
    end(run);
    await run.ended(code);
    assert.deepEqual(run.screen.modes, initial);
    if (code === 1) assert.match(run.screen.text().join('\n'), /driver: failed on purpose/);
  }
});

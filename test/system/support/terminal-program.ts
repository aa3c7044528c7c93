import {createRequire} from 'node:module';
import type {TestContext} from 'node:test';
import type {Terminal as Emulator} from '@xterm/headless';
import {type IPty, spawn} from 'node-pty';
import {cookieName, type Process} from '../../../source/system/index.ts';
import {eventually} from '../../support/eventually.ts';
import {processAt} from './own-kernel.ts';

const {Terminal} = createRequire(import.meta.url)('@xterm/headless') as {Terminal: typeof Emulator};

/** A program on a real pseudo terminal, with the screen that it draws. */
export type TerminalProgram = {
  readonly root: Process;
  readonly type: (text: string) => void;
  /** Text of the cursor's line. */
  readonly promptLine: () => string;
  readonly screen: () => string;
  readonly silentMs: () => number;
  readonly hasExited: () => boolean;
  /** Stops reading the program's output. */
  readonly holdUp: () => void;
};

export type TerminalProgramOptions = {
  readonly cwd: string;
  readonly cookie?: string;
  readonly env?: Readonly<Record<string, string>>;
};

/** Starts a program on a pseudo terminal. It is killed when the test ends. */
export async function startInTerminal(
  t: TestContext,
  argv: readonly string[],
  {cwd, cookie, env}: TerminalProgramOptions,
): Promise<TerminalProgram> {
  const [file = '', ...rest] = argv;
  const cookies = cookie === undefined ? {} : {[cookieName]: cookie};
  const pty: IPty = spawn(file, rest, {
    cwd,
    cols: 80,
    rows: 24,
    name: 'xterm',
    env: {PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm', ...env, ...cookies},
  });
  const screen = new Terminal({cols: 80, rows: 24, allowProposedApi: true});
  let [last, exited] = [Date.now(), false];
  pty.onData((text) => {
    last = Date.now();
    screen.write(text);
  });
  pty.onExit(() => {
    // The emulator writes asynchronously: the callback runs when all earlier output is on the
    // screen.
    screen.write('', () => {
      exited = true;
    });
  });
  t.after(async () => {
    if (!exited) pty.kill('SIGKILL');
    pty.resume();
    await eventually(`${argv.join(' ')} is over`, () => exited);
    screen.dispose();
  });
  const line = (index: number): string =>
    screen.buffer.active.getLine(index)?.translateToString(true) ?? '';
  // Right after the fork it is still in our process group.
  const root = await eventually(`${file} leads a group of its own`, async () => {
    const found = await processAt(pty.pid);
    return found?.group === pty.pid ? found : undefined;
  });
  return {
    root,
    type: (text) => {
      pty.write(text);
    },
    promptLine: () => line(screen.buffer.active.baseY + screen.buffer.active.cursorY),
    screen: () =>
      Array.from({length: screen.buffer.active.length}, (_, index) => line(index)).join('\n'),
    silentMs: () => Date.now() - last,
    hasExited: () => exited,
    holdUp: () => {
      pty.pause();
    },
  };
}

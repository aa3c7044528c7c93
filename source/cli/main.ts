import {Buffer} from 'node:buffer';
import process from 'node:process';
import {formatFault, formatTrace, runCommand as runCommandLine} from './run-command.ts';
import type {CliContext, Keyboard, CliTerminal} from './cli-context.ts';

/** Called by the launcher after it has checked the Node version. */
export async function main(): Promise<void> {
  // `orchestra … | head -1` closes our output early, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    fail(`the output cannot be written: ${formatFault(error)}`);
  });
  // There is nowhere left to report to.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', endByFault);
  process.on('unhandledRejection', endByFault);
  const cwd = workingDirectory();
  if (cwd === undefined)
    fail('the current directory was removed. Change to another one, such as your repository', 2);
  // Set by the launcher when it handed over to a newer Node; not for the programs that we start.
  delete process.env['ORCHESTRA_HANDED_OVER'];
  const cli: CliContext = {
    env: process.env,
    cwd,
    out: (text) => void process.stdout.write(text),
    write: (bytes) => void process.stdout.write(bytes),
    err: (text) => void process.stderr.write(text),
    ...(process.stdin.isTTY ? {} : {readInput}),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    columns: process.stdout.columns,
    rows: process.stdout.rows,
    ...(process.stdin.isTTY && process.stdout.isTTY
      ? {keyboard: {take: takeKeyboard}, terminal: wholeTerminal}
      : {}),
  };
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2), cli);
  } catch (error) {
    endByFault(error);
  }
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** No command prints a stack trace; a daemon writes one to its log. */
function endByFault(error: unknown): never {
  const isDaemon =
    process.argv[2] === 'daemon' && process.argv[3] === 'run' && !process.stderr.isTTY;
  return fail(
    formatFault(error),
    1,
    formatTrace(error, isDaemon || process.env['ORCHESTRA_TRACE'] === '1'),
  );
}

/**
 * Printed last: the terminal is restored at exit, and earlier output would vanish with its screen.
 */
function fail(text: string, code = 1, trace = ''): never {
  process.once('exit', () => {
    process.stderr.write(`${trace}orchestra: ${text}\n`);
  });
  process.exit(code);
}

async function readInput(maxBytes: number): Promise<Uint8Array | 'too-large'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) return 'too-large';
    chunks.push(chunk);
  }

  return Buffer.concat(chunks);
}

const takeKeyboard: Keyboard['take'] = (typed, resized) => {
  const {stdin, stdout} = process;
  const resize = (): void => {
    resized(stdout.columns, stdout.rows);
  };
  stdin.setRawMode(true);
  stdin.on('data', typed);
  stdin.resume();
  stdout.on('resize', resize);
  return {
    release: () => {
      stdout.off('resize', resize);
      stdin.off('data', typed);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
};

const wholeTerminal: CliTerminal = {
  write: (text) => void process.stdout.write(text),
  size: () => ({columns: process.stdout.columns, rows: process.stdout.rows}),
  onResize: (resized) => {
    process.stdout.on('resize', resized);
    return () => void process.stdout.off('resize', resized);
  },
  onInput: (received) => {
    process.stdin.on('data', received);
    process.stdin.resume();
    return () => {
      process.stdin.off('data', received);
      process.stdin.pause();
    };
  },
  raw: (isOn) => void process.stdin.setRawMode(isOn),
  backlog: () => process.stdout.writableLength,
  onSignal: (received) => {
    const names = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGTSTP', 'SIGCONT'] as const;
    const listeners = names.map(
      (name) =>
        [
          name,
          (): void => {
            received(name);
          },
        ] as const,
    );
    const leave = (): void => {
      received('exit');
    };
    for (const [name, listener] of listeners) process.on(name, listener);
    process.on('exit', leave);
    return () => {
      for (const [name, listener] of listeners) process.off(name, listener);
      process.off('exit', leave);
    };
  },
  // SIGTSTP has a handler of ours; only SIGSTOP stops for certain.
  suspend: () => void process.kill(process.pid, 'SIGSTOP'),
};

import process from 'node:process';
import {
  faultInWords,
  traceOf,
  type Keyboard,
  type Surroundings,
  type Terminal,
  runCommandLine,
} from './commands/index.ts';

/** Called by the launcher once Node is known to be new enough. */
export async function main(): Promise<void> {
  // `orchestra … | head -1` closes our output early; that is not an error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    fail(`the output cannot be written: ${faultInWords(error)}`);
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', endByFault);
  process.on('unhandledRejection', endByFault);
  const cwd = workingDirectory();
  if (cwd === undefined)
    fail(
      'the directory that you are in was removed. Go to one that is there, such as your repository',
      2,
    );
  // It told the launcher that a newer Node has taken over; it is not for the programs that we start.
  delete process.env['ORCHESTRA_HANDED_OVER'];
  const surroundings: Surroundings = {
    env: process.env,
    cwd,
    out: (text) => void process.stdout.write(text),
    write: (bytes) => void process.stdout.write(bytes),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    columns: process.stdout.columns,
    rows: process.stdout.rows,
    ...(process.stdin.isTTY && process.stdout.isTTY
      ? {keyboard: {take: takeKeyboard}, terminal: wholeTerminal}
      : {}),
  };
  try {
    process.exitCode = await runCommandLine(process.argv.slice(2), surroundings);
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

/** No command ends with a stack trace; a daemon, whose words go to its log, leaves one there. */
function endByFault(error: unknown): never {
  const isDaemon =
    process.argv[2] === 'daemon' && process.argv[3] === 'run' && !process.stderr.isTTY;
  return fail(
    faultInWords(error),
    1,
    traceOf(error, isDaemon || process.env['ORCHESTRA_TRACE'] === '1'),
  );
}

/** Said last: whoever has the terminal gives it back at the exit, and what was printed before would go with its screen. */
function fail(words: string, code = 1, trace = ''): never {
  process.once('exit', () => {
    process.stderr.write(`${trace}orchestra: ${words}\n`);
  });
  process.exit(code);
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

const wholeTerminal: Terminal = {
  write: (text) => void process.stdout.write(text),
  size: () => ({columns: process.stdout.columns, rows: process.stdout.rows}),
  onResize: (resized) => {
    process.stdout.on('resize', resized);
    return () => void process.stdout.off('resize', resized);
  },
  onInput: (heard) => {
    process.stdin.on('data', heard);
    process.stdin.resume();
    return () => {
      process.stdin.off('data', heard);
      process.stdin.pause();
    };
  },
  raw: (isOn) => void process.stdin.setRawMode(isOn),
  backlog: () => process.stdout.writableLength,
  onSignal: (heard) => {
    const names = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGTSTP', 'SIGCONT'] as const;
    const listeners = names.map(
      (name) =>
        [
          name,
          (): void => {
            heard(name);
          },
        ] as const,
    );
    const leave = (): void => {
      heard('exit');
    };
    for (const [name, listener] of listeners) process.on(name, listener);
    process.on('exit', leave);
    return () => {
      for (const [name, listener] of listeners) process.off(name, listener);
      process.off('exit', leave);
    };
  },
  // SIGTSTP is heard by us; only this stops for sure.
  suspend: () => void process.kill(process.pid, 'SIGSTOP'),
};

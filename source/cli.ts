import process from 'node:process';
import {type Keyboard, type Surroundings, type Terminal, runCommandLine} from './commands/index.ts';

/** Called by the launcher once Node is known to be new enough. */
export async function main(): Promise<void> {
  // `orchestra … | head -1` closes our output early; that is not an error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // It told the launcher that a newer Node has taken over; it is not for the programs that we start.
  delete process.env['ORCHESTRA_HANDED_OVER'];
  const surroundings: Surroundings = {
    env: process.env,
    cwd: process.cwd(),
    out: (text) => void process.stdout.write(text),
    write: (bytes) => void process.stdout.write(bytes),
    err: (text) => void process.stderr.write(text),
    isTerminal: process.stdin.isTTY && process.stdout.isTTY,
    columns: process.stdout.columns,
    rows: process.stdout.rows,
    ...(process.stdin.isTTY && process.stdout.isTTY ? {keyboard: {take: takeKeyboard}, terminal: wholeTerminal} : {}),
  };
  process.exitCode = await runCommandLine(process.argv.slice(2), surroundings);
}

const takeKeyboard: Keyboard['take'] = (typed, resized) => {
  const {stdin, stdout} = process;
  const resize = (): void => { resized(stdout.columns, stdout.rows); };
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
    const listeners = names.map((name) => [name, (): void => { heard(name); }] as const);
    const leave = (): void => { heard('exit'); };
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

import process from 'node:process';
import {type Keyboard, type Surroundings, runCommandLine} from './commands/index.ts';

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
    ...(process.stdin.isTTY && process.stdout.isTTY ? {keyboard: {take: takeKeyboard}} : {}),
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

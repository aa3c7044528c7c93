import {spawn} from 'node:child_process';
import {once} from 'node:events';
import os from 'node:os';

export type CommandOptions = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** Runs one line of shell in the pane: the terminal is the command's own. Gives its exit code, or 128 and the signal's number. */
export async function runCommand(
  command: string,
  {directory, env}: CommandOptions,
): Promise<number> {
  const child = spawn('/bin/sh', ['-c', command], {cwd: directory, env, stdio: 'inherit'});
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + os.constants.signals[signal ?? 'SIGKILL'];
}

import os from 'node:os';
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {sanitizeText} from '../shared/index.ts';
import type {Step} from '../playbook/index.ts';

export type CommandOptions = {
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/**
 * Runs a shell command in the terminal of the session. Returns its exit code, or 128 plus the
 * signal number.
 */
export async function runCommand(
  command: string,
  {directory, env}: CommandOptions,
): Promise<number> {
  const child = spawn('/bin/sh', ['-c', command], {cwd: directory, env, stdio: 'inherit'});
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + os.constants.signals[signal ?? 'SIGKILL'];
}

export type Question = Extract<Step, {readonly do: 'ask'}>;

/** Asks until there is a valid answer. Undefined if the input ends. */
export async function askPerson(
  {question, options: offered}: Question,
  out: (text: string) => void,
  options: CommandOptions,
): Promise<string | undefined> {
  for (;;) {
    for (const [index, option] of offered.entries()) out(`  ${index + 1}) ${option}\n`);
    out(`${sanitizeText(question)} `);
    const line = (await readLine(options))?.trim();
    if (line === undefined) return undefined;
    const answer =
      offered.length === 0
        ? line
        : (offered.find((option) => option === line) ??
          (/^[1-9]\d?$/.test(line) ? offered[Number(line) - 1] : undefined));
    if (answer !== undefined && answer !== '' && sanitizeText(answer) === answer) return answer;
    out(
      offered.length === 0
        ? 'Expected an answer in plain text. '
        : `Expected a number from 1 to ${offered.length}, or the answer itself.\n`,
    );
  }
}

/**
 * A small shell reads the line: a process with one thread that sleeps in a read of the terminal is
 * *proven* to wait for a person, while a Node process has threads that might wake up by themselves
 * (docs/blocked-on-input.md).
 */
async function readLine({directory, env}: CommandOptions): Promise<string | undefined> {
  const child = spawn('/bin/sh', ['-c', 'IFS= read -r line && printf %s "$line"'], {
    cwd: directory,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0 ? Buffer.concat(pieces).toString('utf8') : undefined;
}

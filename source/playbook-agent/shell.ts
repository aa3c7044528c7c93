import os from 'node:os';
import {execa} from 'execa';
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
export async function runShellCommand(
  command: string,
  {directory, env}: CommandOptions,
): Promise<number> {
  const {exitCode, signal} = await execa('/bin/sh', ['-c', command], {
    ...inSession(directory, env),
    stdio: 'inherit',
  });
  return exitCode ?? 128 + os.constants.signals[signal ?? 'SIGKILL'];
}

type AskStep = Extract<Step, {readonly do: 'ask'}>;

/** Asks until there is a valid answer. Undefined if the input ends. */
export async function askAtTerminal(
  {question, options: offered}: AskStep,
  out: (text: string) => void,
  options: CommandOptions,
): Promise<string | undefined> {
  for (;;) {
    out(formatQuestion(question, offered));
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

/** The options stand below their question, and the answer is typed behind a mark. */
function formatQuestion(question: string, options: readonly string[]): string {
  if (options.length === 0) return `${sanitizeText(question)} `;
  const lines = options.map((option, index) => `  ${index + 1}) ${option}`);
  return `\n${[sanitizeText(question), ...lines].join('\n')}\n> `;
}

/**
 * A small shell reads the line: a process with one thread that sleeps in a read of the terminal is
 * *proven* to wait for a person, while a Node process has threads that might wake up by themselves
 * (docs/blocked-on-input.md).
 */
async function readLine({directory, env}: CommandOptions): Promise<string | undefined> {
  const {failed, stdout} = await execa(
    '/bin/sh',
    ['-c', 'IFS= read -r line && printf %s "$line"'],
    {
      ...inSession(directory, env),
      stdio: ['inherit', 'pipe', 'inherit'],
      stripFinalNewline: false,
    },
  );
  return failed ? undefined : stdout;
}

/** The session ends its processes itself, so execa needs no handler for the agent's own exit. */
function inSession(
  cwd: string,
  env: CommandOptions['env'],
): {cwd: string; env: CommandOptions['env']; extendEnv: false; reject: false; cleanup: false} {
  return {cwd, env, extendEnv: false, reject: false, cleanup: false};
}

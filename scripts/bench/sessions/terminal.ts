import type {Buffer} from 'node:buffer';
import process from 'node:process';
import {loadPty} from '../../../source/keeper/load-pty.ts';
import {type Terminal, openTerminal} from '../../../source/keeper/open-terminal.ts';
import {size} from './stage.ts';

export type Command = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** A program in a terminal that we hold, as a person's terminal emulator would. */
export type Client = {
  readonly pid: number;
  readonly press: (bytes: Buffer) => void;
  /** When the text came, of all that comes from now on. Rejects with what came instead if the program ends. */
  readonly see: (text: string) => Promise<number>;
  /** When the program had ended and its last output was read. */
  readonly ended: Promise<number>;
  readonly kill: () => Promise<void>;
};

const mostRemembered = 256 * 1024;

export function openClient({argv, env, cwd}: Command): Client {
  const ended = Promise.withResolvers<number>();
  let wait: {readonly text: string; readonly seen: PromiseWithResolvers<number>} | undefined;
  let heard = '';
  let isOver = false;

  const hear = (bytes: Buffer): boolean => {
    if (wait === undefined) return true;
    heard += bytes.toString('latin1');
    if (heard.includes(wait.text)) {
      wait.seen.resolve(performance.now());
      wait = undefined;
    } else if (heard.length > mostRemembered) {
      heard = heard.slice(-wait.text.length);
    }

    return true;
  };

  const finish = ({readNow, close}: Terminal): void => {
    for (let rest = readNow(); rest.length > 0; rest = readNow()) hear(rest);
    close();
    isOver = true;
    wait?.seen.reject(
      new Error(
        `expected ${JSON.stringify(wait.text)} from ${argv.join(' ')}, got ${JSON.stringify(heard.slice(-500))} and its end`,
      ),
    );
    ended.resolve(performance.now());
  };

  const terminal: Terminal = terminalOf(
    openTerminal(
      loadPty(),
      {argv, env, cwd, size},
      {
        onOutput: hear,
        onExit: () => {
          finish(terminal);
        },
      },
    ),
  );
  return {
    pid: terminal.pid,
    press: (bytes) => void terminal.write(bytes),
    see: (text) => {
      heard = '';
      wait = {text, seen: Promise.withResolvers<number>()};
      return wait.seen.promise;
    },
    ended: ended.promise,
    kill: async () => {
      if (!isOver) process.kill(terminal.pid, 'SIGKILL');
      await ended.promise;
    },
  };
}

function terminalOf(opened: ReturnType<typeof openTerminal>): Terminal {
  if ('refusal' in opened) throw new Error(opened.refusal.text);
  return opened;
}

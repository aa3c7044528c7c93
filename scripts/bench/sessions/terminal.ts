import process from 'node:process';
import type {Buffer} from 'node:buffer';
import {loadPty, openTerminal, type Terminal} from '../../../source/keeper/open-terminal.ts';
import {size} from './fixture.ts';

export type Command = {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
};

/** A program in a terminal that we hold, as a person's terminal emulator would. */
export type Client = {
  readonly pid: number;
  readonly press: (bytes: Buffer) => void;
  /**
   * When the text came, of all that comes from now on. Rejects with what came instead if the
   * program ends.
   */
  readonly see: (text: string) => Promise<number>;
  /** When the program had ended and its last output was read. */
  readonly ended: Promise<number>;
  readonly kill: () => Promise<void>;
};

const maxRemembered = 256 * 1024;

export function openClient({argv, env, cwd}: Command): Client {
  const ended = Promise.withResolvers<number>();
  let wait: {readonly text: string; readonly seen: PromiseWithResolvers<number>} | undefined;
  let received = '';
  let isOver = false;

  const onMessage = (bytes: Buffer): boolean => {
    if (wait === undefined) return true;
    received += bytes.toString('latin1');
    if (received.includes(wait.text)) {
      wait.seen.resolve(performance.now());
      wait = undefined;
    } else if (received.length > maxRemembered) {
      received = received.slice(-wait.text.length);
    }

    return true;
  };

  const finish = ({readNow, close}: Terminal): void => {
    for (let rest = readNow(); rest.length > 0; rest = readNow()) onMessage(rest);
    close();
    isOver = true;
    wait?.seen.reject(
      new Error(
        `expected ${JSON.stringify(wait.text)} from ${argv.join(' ')}, got ${JSON.stringify(received.slice(-500))} and its end`,
      ),
    );
    ended.resolve(performance.now());
  };

  const terminal: Terminal = getTerminal(
    openTerminal(
      loadPty(),
      {argv, env, cwd, size},
      {
        onOutput: onMessage,
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
      received = '';
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

function getTerminal(opened: ReturnType<typeof openTerminal>): Terminal {
  if ('refusal' in opened) throw new Error(opened.refusal.text);
  return opened;
}

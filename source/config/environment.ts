import os from 'node:os';
import path from 'node:path';
import type {Environment} from '../shared/index.ts';

/** The user who owns the files. */
export type Account = {
  readonly uid: number;
  readonly homedir: string;
};

export function readAccount(env: Environment): Account {
  const home = env['HOME'];
  return {
    uid: process.geteuid?.() ?? -1,
    homedir: home !== undefined && path.isAbsolute(home) ? home : registeredHome(),
  };
}

function registeredHome(): string {
  try {
    return os.userInfo().homedir;
  } catch {
    // A uid without an entry in the password file, as containers give them. `/` is what Docker sets
    // for these.
    return '/';
  }
}

/** The terminal as the environment describes it. */
export type TerminalSettings = {
  readonly term: string;
  /** The locale for characters (LC_CTYPE). */
  readonly locale: string;
  readonly colour: 'none' | 'basic' | 'full';
  readonly inside: readonly string[];
};

export function parseTerminalSettings(env: Environment): TerminalSettings {
  return {
    term: env['TERM'] ?? '',
    locale: [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => isSet(value)) ?? '',
    colour: parseColour(env),
    inside: [
      ...(isSet(env['TMUX']) ? ['tmux'] : []),
      ...(isSet(env['STY']) ? ['screen'] : []),
      ...(isSet(env['SSH_CONNECTION']) ? ['ssh'] : []),
    ],
  };
}

/** no-color.org: any value but the empty one counts. */
function parseColour(env: Environment): TerminalSettings['colour'] {
  if (isSet(env['NO_COLOR'])) return 'none';
  return /^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '') ? 'full' : 'basic';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}

import type {Environment} from './environment.ts';

/** What the environment says of the terminal. */
export type TerminalSettings = {
  readonly term: string;
  /** The one that decides about characters. */
  readonly locale: string;
  readonly colour: 'none' | 'basic' | 'full';
  readonly inside: readonly string[];
};

export function readTerminal(env: Environment): TerminalSettings {
  return {
    term: env['TERM'] ?? '',
    locale: [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => isSet(value)) ?? '',
    colour: colourOf(env),
    inside: [
      ...(isSet(env['TMUX']) ? ['tmux'] : []),
      ...(isSet(env['STY']) ? ['screen'] : []),
      ...(isSet(env['SSH_CONNECTION']) ? ['ssh'] : []),
    ],
  };
}

/** no-color.org: any value but the empty one counts. */
function colourOf(env: Environment): TerminalSettings['colour'] {
  if (isSet(env['NO_COLOR'])) return 'none';
  return /^(?:truecolor|24bit)$/.test(env['COLORTERM'] ?? '') ? 'full' : 'basic';
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== '';
}
